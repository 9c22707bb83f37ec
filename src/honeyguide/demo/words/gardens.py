"""Words about gardens: the neighbour of the default topic, easily taken for it."""
# ruff: noqa: E501 - a list of choices is easier to mend on one line

from honeyguide.demo.words.kind import Words

__all__ = ["WORDS"]

SLOTS = """
plant: lavender | foxgloves | sweet peas | dahlias | runner beans | hollyhocks | salvias | asters | globe thistle | marjoram
veg: courgettes | tomatoes | leeks | chard | potatoes | climbing beans | beetroot | kale | peas
pest: slugs | aphids | vine weevils | carrot fly | box moth | pigeons | blackfly
soil: leaf mould | well-rotted manure | sharp sand | wood chip | homemade compost | spent mushroom compost
job: pruning | mulching | staking | sowing under glass | dividing clumps | deadheading | digging in
place: the walled kitchen plot | the allotment | the rectory border | the roof terrace | the school plot | the glasshouse
visitor: hoverflies | bumblebees | butterflies | goldfinches | hedgehogs | frogs | moths
"""

ANGLES = """
= {job_cap} in {month}: what to do this week | Ten jobs for a wet {month} | Sow now, eat in {month} | The gardener's week
This is the week for {job}, before the sap rises and the ground dries.
Sow {veg} in trays of {24-84} cells and keep them on a cool windowsill.
Cut {plant} back by a third, to just above a pair of buds.
A barrow of {soil} to each square metre is enough for {veg}.
Water {veg} in the morning, at the root, and not every day.
Stake {plant} while they are knee high; later it looks like an arrest.
The gardener who waits for warm soil loses {few} days and gains {few} weeks.
Plant out {veg} after the last frost, about the {10-28}th of {month} in most years.
Feed the tomatoes once the first truss is the size of peas.
Keep {soil} away from the stems, where it rots the bark.
Nothing in the garden needs you on {weekday}; sit down.
Save seed of {plant} in paper, never in plastic.

= War on {pest} without poison | {pest_cap} are back | Beer, wool and patience against {pest} | A hedge for {visitor}
After a damp winter {pest} ate {few} rows of {veg} in one night.
{Surname} goes out with a torch and a bucket, and no mercy.
Nematodes watered on at {6-12} degrees kill slugs and weevils for {few} weeks.
Netting with a mesh of {1-6} millimetres keeps {pest} off the {veg}.
A pond the size of a sink brings {visitor}, and {visitor} bring order.
Soapy water works on aphids and {pest}, as long as somebody rubs the leaves.
Leave seed heads of {plant} standing, for {visitor}.
Single flowers feed {visitor}; the double ones are all petal and no pollen.
Let a corner of the garden go to nettles and {plant}.
The shed was a hive of activity all {weekday}, with {few} people washing pots.
Old remedies against {pest} include coffee, copper and curses.
Most gardeners lose one bed of {veg} in three and call it an average year.

= Open gates at {place} | {place_cap} of {Town} opens for {few} days | A border that took {few} years | Roses, rain and visitors
Visitors may walk round {place} from ten to four, and ask about {plant}.
The border is {20-90} metres long and held up by {plant} and string.
{Surname} planted {plant} beside {plant} by accident and has been praised for it ever since.
Tea and cake are sold beside {place}, in aid of the bell tower.
The lawn has not been fed since {1970-1999}, and now holds {20-60} kinds of grass and herb.
Yew hedges are clipped once, in {month}, with a line and a level.
An old pear on the south wall is tied in {few} tiers.
The head gardener came for a summer and stayed {12-41} years.
Gravel paths, box edging and {plant} give the garden its bones.
{place_cap} was dug over by schoolchildren during the war, for {veg}.
In {month} the best of it is {plant}, seen against the evening sun.
The plant stall sells {plant} in recycled yoghurt pots.

= Small plots, long lists: allotments at {Town} | Waiting {few} years for a plot | What grows on a balcony | Soil tests worry growers of {Town}
The waiting list for {place} has {60-700} names and moves {few} places a year.
A plot of ten rods costs {30-90} a year with water.
{Surname} grows {veg} in dustbins, on a balcony that faces north.
Lead in the soil of {place} was {few} times the guideline, so raised beds were built.
Seedlings of {veg} are swapped over the fence for {soil}.
The shared shredder breaks every {month}, and is mended with wire.
Rainwater from the roof fills {few} butts in one storm.
Potatoes under straw came up clean, with hardly any digging.
A garden on a roof must weigh less than {120-250} kilos a square metre when wet.
The oldest member has dug the same plot since {1958-1986}.
{veg_cap} and {plant} grow together here, as in any cottage plot.
Rules forbid bonfires before dusk and cockerels altogether.
"""

WORDS = Words(
    id="gardens",
    name="Gardens and gardening",
    language="en",
    keywords={"garden": 2.0, "gardener": 1.5, "gardening": 1.5},
    marks=r"garden",
    slots=SLOTS
    + "job_cap: Pruning | Mulching | Staking | Deadheading\npest_cap: Slugs | Aphids | Vine weevils | Pigeons\n"
    + "place_cap: The walled kitchen plot | The allotment | The rectory border | The roof terrace\n"
    + "veg_cap: Kale | Leeks | Climbing beans | Chard\n",
    angles=ANGLES,
)
