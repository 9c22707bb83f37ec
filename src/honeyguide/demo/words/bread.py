"""Words about bread and the baking of it; now and then it names an ingredient another topic is about."""
# ruff: noqa: E501 - a list of choices is easier to mend on one line

from honeyguide.demo.words.kind import Words

__all__ = ["WORDS"]

SLOTS = """
flour: rye flour | strong white flour | spelt | stone-ground wholemeal | einkorn | durum semolina | emmer
seed: caraway | sesame | poppy seed | sunflower kernels | cracked wheat | linseed | fennel
kind: a dark rye | a baguette | a flatbread | a plaited milk roll | a tin white | a seeded batard | a ciabatta
Kind: dark rye | the baguette | flatbread | the plaited roll | tin white | the seeded batard | ciabatta
step: autolyse | the second fold | the bench rest | shaping | scoring | the cold proof | steaming
extra: a spoon of honey | malt syrup | olive oil | a little butter | boiled potato | yesterday's porridge | roasted chestnuts
oven: a wood-fired oven | an old deck oven | a cast-iron pot | a gas oven with a tray of stones | the village oven
Shop: the corner bakery | the mill shop | the night bakery | the market stall | the co-operative
"""

ANGLES = """
= Making {Kind} at home | {Kind}, step by step | Why your crumb is dense | Sourdough without the fuss | Baking {Kind} in a small kitchen
Mix {350-550} grams of {flour} with {240-400} of water and leave it for {few} hours.
The dough should be slack, shiny and a little frightening.
During {step} the gluten links up on its own, and kneading is hardly needed.
Feed the starter twice, at blood heat, until it doubles in {4-8} hours and floats.
Salt goes in late, at two percent of the weight of the {flour}.
Fold the dough over itself {few} times at half-hour intervals.
After {step}, dust the basket with rice flour so that nothing sticks.
Slash the top with a razor held flat, and slide it into {oven}.
Steam in the first {8-15} minutes keeps the skin soft while the inside springs.
Bake at {220-250} degrees until the loaf sounds hollow when knocked.
I add {extra}, though purists will write to me about it.
The bread must cool for an hour, or the crumb turns to paste under the knife.
A dense crumb means that {step} was cut short, or the kitchen was cold.

= {Shop} of {Town} keeps its ovens lit | Up at two with the baker of {Town} | Queue at {Shop} after a prize | The last {oven_title} in {Town}
At two in the morning the lights of {Shop} are the only ones in {Town}.
{Surname} weighs each piece by hand, {60-120} grams at a time, without looking at the scale.
The deck holds {40-160} pieces, and the first batch of {Kind} is out by four.
Flour comes from a mill {few} miles away, in paper sacks that are still warm.
An apprentice learns {step} in a month and the peel in a year.
The brick vault of the oven dates from {1860-1935} and takes {few} hours to heat.
On {weekday} the shelves are bare by ten, and late-comers get rusks.
Energy now costs the baker {few} times what {flour} costs.
Bread that is left goes to the shelter, and crusts to {few} grateful pigs.
{Surname} sells {kind} with {seed} on Fridays only, for no reason anyone remembers.
The dough trough is older than the till and better made.
Customers are known by what they buy: {kind}, sliced, or a bag of rolls.

= Old wheat returns to the fields of {Town} | The mill at {Town} turns again | What {flour} does to the crumb | Grain, stones and patience
Farmers near {Town} have sown {20-190} acres with {flour_grain} from a seed bank.
Millstones are dressed with a pick every {few} weeks, furrow by furrow.
The straw stands {120-170} centimetres high and falls over in storms.
Protein of {9-15} percent sounds dull, but the baker reads it like a weather report.
Stone milling keeps the germ, so {flour} smells of hay and goes stale sooner.
{Surname} tests the falling number of each lot, to see how much sprouting it has suffered.
Dough from {flour} tears easily and wants a shorter {step}.
Bran cuts the strands of gluten like broken glass, which is why the rise is modest.
The yield is {few} tonnes to the hectare, a third of what modern sorts give.
A loaf of {flour} costs {4-9} and lasts {few} days.
Bread wheat and its ancestors cross badly, which gives breeders patience.
Sieves of silk part the semolina from the fine white dust.

= Microbes in the jar: the science of a starter | Why crust tastes of {taste} | Salt, sugar and the rise | What happens during {step}
Wild yeasts and lactic bacteria share the jar, about one to a hundred.
Acid slows the mould, so sour dough keeps {few} days longer.
At {24-30} degrees the bacteria make mild lactic acid; in the cold they make vinegar.
The crust browns when sugars meet amino acids above {140-160} degrees and begin to taste of {taste}.
{Person} sampled {40-300} starters from {few} countries and sequenced what lived in them.
During {step} enzymes cut starch into maltose for the yeast to eat.
Gas collects in bubbles that were stirred in at the start; none is born later.
Starch sets at about {60-75} degrees, and what was foam becomes sponge.
Staling is the slow crystallising of starch, quickest in a refrigerator.
Bread made with {extra} stayed soft {few} days longer in the trial.
Bakers' hands carry the same lactobacilli as their starters, swabs showed.
Too much sugar, or {extra}, draws water from the yeast and slows the proof.
"""

WORDS = Words(
    id="bread",
    name="Bread and baking",
    language="en",
    keywords={"bread": 2.0, "baker": 1.5, "baking": 1.5, "loaf": 1.0},
    marks=r"\bbread|\bbak(?:e|ing)|\bloa(?:f|ves)",
    slots=SLOTS
    + "taste: toast | malt | roasted nuts | caramel\noven_title: wood oven | brick vault | night shift\n"
    + "flour_grain: einkorn | emmer | spelt | a tall red wheat\n",
    angles=ANGLES,
)
