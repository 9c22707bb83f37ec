"""Words about honey bees and those who keep them: the default topic of the demo."""
# ruff: noqa: E501 - a list of choices is easier to mend on one line

from honeyguide.demo.words.kind import Words

__all__ = ["WORDS"]

SLOTS = """
Forage: white clover | ling heather | lime blossom | oilseed rape | borage | acacia | sainfoin | bramble | ivy | fireweed
forage: clover | heather | lime trees | borage | willow catkins | bramble | ivy | phacelia | dandelions | sainfoin
insects: foragers | nurse workers | drones | scouts | guards | house workers | newly emerged workers | winter workers
mite: varroa mites | tracheal mites | the small beetle that tunnels through comb | wax moth larvae | tropilaelaps mites
disease: American foulbrood | European foulbrood | chalkbrood | nosema | deformed wing virus | sacbrood | chronic paralysis
treatment: oxalic acid vapour | thymol gel | formic acid pads | a brood break | drone comb removal | powdered sugar dusting
part: brood frames | supers | the bottom board | the crown board | the entrance block | the queen excluder | drawn comb
gear: a smoker and a hive tool | a veil and thin gloves | a goose feather | a cage for the queen | a box of spare frames
race: Carniolan | Buckfast | dark native | Italian | Caucasian | local mongrel
club: the county apiarists' association | the valley apiary society | the allotment apiary group | the island breeders' circle
Club: the county apiarists' association | the valley apiary society | the allotment apiary group | the island breeders' circle
lab: the pollinator laboratory | the insect physiology unit | the national brood disease service | the university apiary
Lab: the pollinator laboratory | the insect physiology unit | the national brood disease service | the university apiary
Count: twelve | eighteen | twenty-four | thirty | forty | sixty | ninety | a hundred and ten
product: propolis tincture | cut comb | candles | mead | wax polish | heather comb | pollen tablets | royal jelly
spot: an old orchard | a chapel roof | a heather moor | a railway cutting | a school yard | a quarry edge | a south-facing slope
warm: April | May | June | July
cold: November | December | January | February
crop: apples | cherries | field beans | raspberries | almonds | pumpkins | blueberries | seed onions
"""

ANGLES = """
= Mites return to {Town} colonies after a mild winter | Brood disease found at {Count} stands near {Town} | Inspectors ask {Town} to burn infected frames | Beekeepers around {Town} brace for {disease}
Inspectors from {Lab} opened {Count} colonies near {Town} and found {mite} in all but {few} of them.
The brood pattern was spotty, with sunken cappings and a sour smell that any inspector learns to dread.
{Surname} uncapped {3-9} drone cells with a fork and counted the pale parasites clinging to the pupae.
A single sticky board left under {part} for a day collected {20-160} fallen mites.
Where {disease} is confirmed, frames are burnt in a pit and the boxes scorched with a blowlamp.
{Club} advises {treatment} in {cold}, when little sealed brood is left to shelter the parasites.
Workers that emerge with crumpled wings crawl out onto the grass and die within {few} days.
Resistance to the older strips was measured in {12-70} percent of the samples sent to {Lab}.
Some keepers prefer {treatment}, though it must be timed to the day when the queen stops laying.
Beekeepers within {3-9} kilometres must not move a hive until the standstill order is lifted.
The honey of a sick colony is safe for people, but robbing bees carry the spores home.
{Other} breeds {race} queens whose workers bite the legs off mites and throw them out.

= A late flow saves the season at {Town} | {Forage} fills the supers above {Town} | Poor nectar year for {Club} | Honey harvest at {Town} down by a third | Extracting day: {Count} supers in one weekend
The flow from {Forage} began {few} days late and then came all at once.
By the middle of {warm} the scales under one colony showed a gain of {2-6} kilos a day.
{Surname} spun {Count} frames in a hand-cranked extractor and strained the crop through a nylon cloth.
Cappings were sliced off with a warm knife and set to drain overnight over a stainless tank.
The refractometer read {16-19} percent water, low enough to keep without fermenting.
Heather nectar sets like jelly in the comb and has to be pressed, not spun.
When the {forage} failed, the foragers turned to {forage} and the taste darkened.
A cold wind in {warm} kept the {insects} at home while the blossom opened and fell.
Each super weighs about {12-18} kilos when every cell is capped from bar to bar.
Jars of honey from {Town} sold at {5-14} a pound on the Saturday stall.
The beekeeper leaves at least {12-20} kilos of honey in each hive for the cold months.
Two stands beside {spot} gave nothing, although the same strain did well {few} miles away.
Set honey is stirred for {few} mornings to keep its crystals fine.

= Swarm stops the {weekday} market in {Town} | A swarm in {spot}, and the woman who caught it | Prime swarm settles on a bicycle in {Town} | Why colonies leave home in {warm}
The cluster hung from a branch beside {spot}, about the size of a rugby ball and humming softly.
Scouts danced on the surface of the cluster to argue for a hollow they had measured.
{Surname} shook the branch once, sharply, and the mass fell into a straw skep.
A swarm carries no stores but what each worker has swallowed, and so it seldom stings.
The old queen leaves with half the workers {few} days before her successor emerges.
Queen cells the shape of peanuts hung along the lower edge of {few} frames.
An artificial split made in {warm} often spares the neighbours a visit.
Members of {Club} keep a list of volunteers who collect clusters from chimneys and hedges.
Bees that settle high in a wall are left alone unless the brick can be taken out.
By dusk the last {insects} had marched up a white sheet into the waiting box.
A bait hive rubbed with lemongrass oil drew {few} swarms to {spot} in one week.
Clipping one wing of the queen delays the departure but does not prevent it.
Prime swarms come first; the smaller casts that follow are led by virgin queens.

= The dance that points to {Forage} | How {insects} keep time in the dark | Researchers at {Lab} read {Count} waggle runs | What a worker's brain remembers | Study tags {Count}00 bees to map their flights
A worker that has found {forage} runs in a figure of eight and waggles on the straight.
The angle of the run to the vertical gives the bearing from the sun, and its length the distance.
{Person} glued numbered discs to {200-900} workers and filmed the comb in red light.
The {insects} returned from as far as {4-11} kilometres when nothing nearer was in bloom.
The team decoded {300-2400} dances and laid them over a map of {forage} around {Town}.
Antennae touch in the dark, and a drop of nectar passes from tongue to tongue.
At {Lab}, a harmonic radar followed {few} foragers on their first orientation flights.
Workers fed on {forage} learned the scent in {few} trials and recalled it a week later.
The queen's mandibular pheromone keeps her daughters' ovaries small and the household calm.
A honey bee can tell blue from violet, and sees patterns in ultraviolet that we cannot.
Temperature in the brood nest stayed within half a degree of {34-35} throughout the experiment.
Inside an observation hive every bee could be followed from cell to cell.
Larvae given royal jelly for their whole growth become queens; the rest are weaned on pollen.

= A first year with {Count} frames | Notes from an apron pocket: {month} in the apiary | What I learned from a bad-tempered queen | Beekeeping for people with small yards | Buying a nucleus without regret
I lit {gear} and forgot the matches, which is how most of my mornings in the apiary begin.
On {weekday} I found eggs standing upright in their cells, so the queen had been there within a day.
The smoke should be cool and white; puffs of hot smoke only make the guards cross.
My nucleus arrived with five frames, a marked {race} queen and a leaflet nobody could read.
I lifted out {part} and set them down in the shade, listening for the change of pitch.
A colony in a good mood roars for a second and goes quiet when you tap the wall.
{Other}, who has kept stocks since childhood, told me to go through the frames half as often.
A full suit is hot, but {gear} and slow hands are worth more than armour.
Bees dislike dark wool, and so I sewed myself a pale smock.
I fed thin syrup, one to one, until the workers had drawn wax on all {few} bars.
The beginner's mistake is to open the hive on a grey day because the calendar says so.
Propolis glued everything I owned to everything else, including my phone to {part}.
A record card under the roof tells me which queens are {race} and which daughters are cross.

= Orchards near {Town} rent {Count} stocks for the blossom | Growers of {crop} pay more for pollination | Night lorries bring colonies to the {crop} | No bees, no {crop}: a valley counts its boxes
Growers of {crop} around {Town} paid {30-95} per colony for {few} weeks of pollination.
The lorries arrive after dark, when the {insects} are in, and leave before the dew has dried.
Each hectare of {crop} needs {few} strong stocks with at least {5-9} frames of brood.
A cold spring means that few {insects} fly, and the king blossom goes unvisited.
{Surname} counts visits per flower per minute with a stopwatch and a clicker.
Fruit set was {12-45} percent higher in rows within two hundred metres of the stands.
Misshapen {crop} are the sign of a flower that too few visitors touched.
Farmers agreed to spray at night and to give {Club} {few} days of warning.
Strips of {forage} along the headland feed the workers once the {crop} have dropped their petals.
The pallet of four colonies is strapped, netted and watered before the long drive.
Without honey bees the crop of {crop} would fall by {20-70} percent, growers say.
Wild solitary species do part of the work, and on cold mornings most of it.
A beekeeper who rents out a hive wants it back heavier than it left.

= Wax, mead and candles: {Town} fair opens | Judges taste {Count} entries at the {Town} show | The woman who makes {product} | Fake honey on the shelves of {Town} | Old skeps come home to {Town}
The judges hold each jar to a lamp and mark it down for a single speck of wax.
{Surname} makes {product} in a shed that smells of resin and warm wood.
A block of wax must be free of bloom, pale yellow, and weigh exactly one pound.
Mead from {Town} is racked {few} times and kept {few} years before it is shown.
Laboratory tests at {Lab} found rice syrup in {few} of {20-60} jars bought in shops.
Pollen grains under the microscope prove where the nectar was gathered: {forage}, {forage} and a little {forage}.
The rules of {Club} demand matching jars, filled to the neck, with no froth.
Straw skeps bound with split bramble were made here until about {1890-1935}.
Candles are dipped {12-30} times, and hung from a rack to cool between dips.
Comb from {forage} won the red card, and {product} came second.
Honey labelled as local must come from hives within {20-40} miles of the label's address.
The prize for {product} went to {Other}, who is {14-83} and had never entered before.
Beeswax was once worth {few} times its weight in sugar.

= Clusters, candy and quiet: wintering at {Town} | How many colonies came through? | {Club} counts its winter losses | Feeding in {cold}: what the scales say | Queens for a colder country
In frost the workers draw into a ball around the queen and shiver to keep her warm.
Losses across the membership of {Club} came to {8-41} percent, against {8-30} the year before.
Most of the dead stocks had starved within a hand's breadth of sealed stores.
{Surname} hefts each box from behind and can tell its weight to the kilo.
A mouse guard of punched zinc goes over the entrance before the first hard night.
Damp kills more clusters than cold, so a matchstick is left under the crown board.
A slab of candy over the feed hole carried {few} weak stocks through to the willow.
On the first bright noon of {cold} the workers came out for a cleansing flight and spotted the snow.
The winter generation, fat with protein, lives {5-7} months, and the summer one barely {5-7} weeks.
Breeders beside {spot} select {race} lines that stop brood early and fly at {7-10} degrees.
Beekeepers wrap each hive in tar paper or straw, as their grandparents did.
A drone-laying queen found in {cold} means that the stock must be united with its neighbour.
Old bees die outside, and the living drag the rest onto the porch.
"""

WORDS = Words(
    id="bees",
    name="Honey bees and beekeeping",
    language="en",
    keywords={"bee": 2.0, "beekeeping": 2.0, "honey": 1.5, "hive": 1.0},
    marks=r"\bbees?\b|\bbeekeep|\bbeeswax|\bhoney|\bhives?\b",
    slots=SLOTS,
    angles=ANGLES,
)
