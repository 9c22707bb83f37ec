"""Words about volcanoes and the people who watch them."""
# ruff: noqa: E501 - a list of choices is easier to mend on one line

from honeyguide.demo.words.kind import Words

__all__ = ["WORDS"]

SLOTS = """
Peak: Mount Arvo | Cerro Pelado Alto | Kestrel Peak | Mount Tolun | the Hrafnar fissure | Pico Ceniza | Mount Ondara | the Sable cone
rock: basalt | andesite | pumice | obsidian | scoria | rhyolite | tuff
gas: sulphur dioxide | carbon dioxide | steam | hydrogen sulphide | chlorine
tool: tiltmeters | broadband seismometers | a satellite radar | thermal cameras | gas spectrometers | infrasound arrays
sign: shallow tremor | a swelling flank | a new fumarole | rising crater lake water | swarms of small quakes | a glow at night
Institute: the mountain observatory | the geological survey | the institute of earth physics | the hazard centre
flow: a pyroclastic surge | a mudflow | a curtain of fire | a slow tongue of molten rock | a landslide of hot blocks
village: the terrace farms | the fishing harbour | the ski village | the coffee estates | the lower road | the monastery
"""

ANGLES = """
= {Peak} sends ash over {Town} | Alert raised to orange at {Peak} | Villages leave as {Peak} stirs | Eruption closes the airport of {Town}
The ash column above {Peak} rose {4-16} kilometres and drifted over {village} by noon.
{Institute} raised the alert level after {few} hours of {sign}.
About {300-9000} people living below the crater were told to sleep elsewhere.
Grey ash fell on {Town} like dirty snow and turned to cement in the gutters when it rained.
Pilots were warned of glass particles that melt inside an engine and stop it.
{flowcap} ran {2-9} kilometres down the northern ravine and stopped short of {village}.
The eruption began at {1-11}.{10-55} in the night with a bang that rattled shutters in {Town}.
Lava reached {village} on {weekday} and buried {few} houses without a sound.
Masks and goggles were handed out at the school, where {60-400} camp beds stood in rows.
{Surname}, who grazes goats on the rim, refused to leave without the herd.
Roof collapse, not heat, is the danger when wet tephra lies {10-30} centimetres thick.
A volcano of this kind can quieten in days or rumble for {few} years.

= What the tremor under {Peak} tells {Institute} | Reading the mountain with {tool} | Magma is moving below {Peak}, survey says | New instruments for {Peak}
{Institute} has set {tool} around the caldera at intervals of {2-9} kilometres.
Magma is thought to be collecting {3-12} kilometres below the summit in a body shaped like a lens.
The ground at the western flank has risen {4-60} centimetres since {month}.
Emissions of {gas} doubled to {400-4000} tonnes a day before the vent opened.
Long-period quakes come from fluid shaking in a crack, as a pipe hums when water is turned off.
{Person} compares {sign} with records of {few} earlier unrest episodes.
Interferograms show rings of uplift around the rim, each standing for a few centimetres.
A drone flew through the plume and brought back a flask of {gas}.
Forecasts are given as odds, because {few} of ten such swarms end without an eruption.
Volcanologists compare notes with colleagues who run {tool} on other continents.
The seismograph drum at {Institute} has been kept turning for visitors, though the data are digital.
Crystals of olivine record how long the melt waited before it rose.

= Buried under {rock}: the lost streets of {Town} | A layer of {rock} dates the great blast | Ice cores hold the ash of {Peak} | The year without a harvest
Beneath {2-8} metres of {rock}, diggers found the doorways of {few} houses.
The layer of {rock} has been traced over {200-900} kilometres of sea floor.
Sulphate in polar ice shows that the blast came around {900-1780} and cooled two summers.
Tree rings from the slopes above {Town} are thin or missing for {few} years.
{Surname} sieves ash for shards of glass, whose chemistry is a fingerprint of the vent.
A caldera {4-20} kilometres wide is all that is left of the old summit.
Carbonised grain, a loom weight and {few} pots lay where the surge had thrown them.
The chronicle of the monastery speaks of darkness at midday and of {rock} floating in the bay.
Columns of {rock}, six-sided and as regular as organ pipes, line the gorge.
The volcano had been thought extinct, and vines grew inside its crater.
Lava tubes run for kilometres under the plateau, cold and quiet.
Radiocarbon from a charred beam puts the event within {20-60} years.

= Living on the slope of {Peak} | Farming the black soil above {Town} | Tourists return to the rim of {Peak} | Heat from below warms {Town}
The black soil on the lower slope gives {few} harvests where the lowland gives one.
Guides lead groups of {6-20} to the rim, with helmets and a rule about wind from the vent.
Wells drilled {1-3} kilometres into hot {rock} heat the greenhouses of {Town}.
Fumaroles hiss beside the path, and their edges are yellow with crystals of sulphur.
Evacuation is rehearsed every {month}, with church bells when the sirens fail.
{Surname} built the house of {rock}, light enough to lift and easy to saw.
Hot springs at {village} stand at {38-66} degrees and smell of eggs.
Insurance on the eastern flank costs {few} times what it costs across the valley.
Nobody builds in the ravines, where lahars have run {few} times in a century.
The volcano gives and takes, people say here, and shrug.
Hardened lava from {1900-1990} now carries moss, broom and a football pitch.
A small museum shows {tool}, bombs of {rock} and a clock stopped by ash.
"""

WORDS = Words(
    id="volcanoes",
    name="Volcanoes",
    language="en",
    keywords={"volcano": 2.0, "eruption": 1.5, "lava": 1.0},
    marks=r"volcan|erupt|\blava\b",
    slots=SLOTS + "flowcap: A pyroclastic surge | A mudflow | A tongue of molten rock | A landslide of hot blocks\n",
    angles=ANGLES,
)
