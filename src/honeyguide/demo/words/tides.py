"""Words about power from the tides."""
# ruff: noqa: E501 - a list of choices is easier to mend on one line

from honeyguide.demo.words.kind import Words

__all__ = ["WORDS"]

SLOTS = """
Strait: the Sound of Carra | the Skerry Race | the Morrow estuary | the Firth of Anlen | Gull Narrows | the Brae channel
device: rotors | floating platforms | underwater kites | ducted blades | helical foils | bladeless columns
worry: porpoises | sand eels | navigation | scour around the piles | silt behind the wall | diving birds
gear: subsea cables | gearboxes | moorings | gravity bases | converters | pitch bearings | anodes
Firm: the developer | the island co-operative | the harbour authority | the grid company
"""

ANGLES = """
= First power from {Strait} | {Count_mw} megawatts under {Strait} | Turbine lowered at slack water | Island of {Town} lives on the current
The first of {few} {device} began to turn in {Strait} on {weekday}.
Each machine is rated at {1-3} megawatts when the current runs at {4-9} knots.
The barge had {20-45} minutes of slack water to set it on the seabed.
Tidal power is as regular as a clock, and the clock runs fifty minutes late each day.
A cable as thick as an arm brings the current ashore beside the old lifeboat house.
{Firm} expects {3-40} gigawatt hours a year, enough for {900-9000} homes.
The turbine stops twice on the ebb and twice on the flood while the water turns.
Neap weeks bring barely a third of what springs bring.
Engineers watch {gear} through a camera that has grown a beard of weed.
{Surname} used to fish {Strait} and now pilots the workboat over it.
Batteries on the quay carry {Town} across the quiet half hour.
The blades are {8-12} metres long and turn no faster than a walking child swings its arms.

= Lagoon at {Town} divides the coast | Barrage plan for {Strait} is back | Who pays for a wall {5-14} kilometres long? | Ministers weigh a scheme for {Strait}
The wall would hold back {Strait} at high water and let it out through {16-90} sluices.
The price of {2-9} billion is for {110-130} years of service, {Firm} points out.
Opponents fear for {worry} and for the mudflats that feed {worry}.
With a range of {7-13} metres, the estuary is among the highest in the world.
A lagoon works on both ebb and flood, and may pump a little extra at the top.
Silt would settle behind the wall at {2-14} centimetres a year, the modellers reckon.
Consent was refused in {1985-2012} on grounds of {worry}.
A tidal barrage in another country has run since {1966-1984} with its first {gear}.
The strike price asked for is {90-190} per megawatt hour, falling with every gigawatt.
Caissons would be cast in dry dock and floated out on a spring tide.
{Surname} has drawn the line of the wall {few} times, each time further out.
The public inquiry will sit for {few} weeks in a sports hall.

= Blades that survive {Strait} | What {gear} teach engineers | Testing {device} in a tank | Computer model of {Strait} is put to the test
In the flume at {Town}, {device} the size of dinner plates were run for {200-900} hours.
Turbulence, not speed, breaks {gear}: gusts of water hit the blades from {few} directions.
An array slows the flow behind it, so rows are staggered by {6-14} diameters.
Seawater is {800-832} times as dense as air, and a short blade carries a great load.
{Person} hung acoustic profilers along {Strait} for {few} months.
The model divides {Strait} into {40-900} thousand triangles and steps every few seconds.
Barnacles cost {4-19} percent of the output in the first season.
Carbon blades were tested for {20-30} million cycles in a rig that groans like a ship.
Each turbine is pulled up every {3-6} years to change {gear}.
A tidal stream carries its energy in the cube of its speed; twice as fast is eight times as much.
{device_cap} need no gearbox, and so no oil.
The spring tide exceeded the forecast by {5-30} centimetres when the wind blew from the west.

= Seals, fish and {device}: what the cameras saw | Counting porpoises in {Strait} | Fishermen and engineers share {Strait} | Listening under {Strait}
Hydrophones recorded clicks of porpoises on {60-340} days around the {device}.
The animals kept {60-200} metres away while the blades turned, and came back at slack.
Cameras with wipers watched for collisions for {few} years and saw {few} near ones.
Creels may be set on the landward side between {month} and {month}.
{Surname} tags seals on a skerry and follows them through {Strait} by satellite.
Noise from {gear} is lost in the roar of pebbles on a running ebb.
Compensation for lost grounds is {12-90} thousand a boat.
Tidal rips bring sand eels to the surface, and terns dive where the boils break.
Mussels and dead man's fingers have settled on the gravity bases.
A turbine may shelter lobsters as well as any wreck, the survey found.
At the turn of the tide the gulls sit down on the water and wait.
The licence demands that {worry} be counted every {month} by observers on the cliff.
"""

WORDS = Words(
    id="tides",
    name="Tidal power",
    language="en",
    keywords={"tidal": 2.0, "turbine": 1.5, "tide": 1.0},
    marks=r"\btid(?:al|es?)\b|turbine",
    slots=SLOTS
    + "Count_mw: Six | Nine | Twelve | Forty | Eighty\n"
    + "device_cap: Underwater kites | Helical foils | Ducted blades | Floating platforms\n",
    angles=ANGLES,
)
