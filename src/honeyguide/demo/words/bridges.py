"""Words about bridges: building, mending, crossing."""
# ruff: noqa: E501 - a list of choices is easier to mend on one line

from honeyguide.demo.words.kind import Words

__all__ = ["WORDS"]

SLOTS = """
River: the Ossel | the Marn | the Upper Teal | the Granta Water | the Lune channel | the Vesk | the old ship canal
member: girders | hangers | cross beams | bearings | expansion joints | rivets | deck plates | stay cables
fault: fatigue cracks | scour at the pier | rust under the paint | broken wires in the main cable | seized bearings | spalled concrete
type: a cable-stayed crossing | a steel truss | a stone arch | a bascule | a suspension crossing | a box girder viaduct
Type: the cable-stayed crossing | the steel truss | the stone arch | the bascule | the suspension crossing | the viaduct
Firm: the contractor | the joint venture | the county engineers | the railway works department
load: forty-tonne lorries | two tram tracks | a water main | a cycle path on each side | freight trains
stone: granite | limestone | sandstone | brick
"""

ANGLES = """
= Cracks close {Type} over {River} | Lorries banned from {Type} at {Town} | Bridge inspectors find {fault} at {Town} | A long detour for {Town}
Inspectors on ropes found {fault} in {few} of the {member}.
Traffic over {River} is limited to one lane and {3-18} tonnes until {month}.
The detour through {Town2} adds {11-48} minutes to the school run.
Ultrasound probes are moved along each weld while {load} are kept off.
{Firm} has jacked up the deck by {4-30} millimetres to free the {member}.
Strain gauges on the {member} report to an office {few} kilometres away every minute.
The bridge carries {4000-39000} vehicles a day, four times what its designers expected.
Divers felt their way around the pier in brown water and reported a hole {1-3} metres deep.
Salt spread in winter runs through the joints and eats the {member} from below.
{Surname}, the chief engineer, would not say when {load} might return.
Repairing the main span will cost {3-44} million, and replacing it {few} times as much.
Nobody is in danger, {Surname} {said}, but steel does not forgive for ever.

= Work starts on {type} at {Town} | The last segment closes the gap over {River} | {Town} and {Town2} joined at last | How to lift {300-900} tonnes of deck
The last segment, {12-28} metres long, was lifted from a barge on {weekday} night.
The pylons stand {60-190} metres above {River} and lean a little outward.
Caissons were sunk through {8-30} metres of clay until they met rock.
{Firm} cast the deck in sections and pushed it out over the piers on teflon pads.
The two halves met with an error of {4-28} millimetres, less than the warmth of a day makes.
Each stay holds {30-90} strands, greased and sheathed one by one.
The bridge will carry {load} as well as cars.
A main span of {180-940} metres was chosen to keep piers out of the shipping lane.
Welders work inside the {member}, where a fan brings air and a bell tells the hour.
Wind tunnel tests at a scale of one to {60-200} ruled out the first cross-section.
Falsework of timber filled the gorge for {few} months before the arch could carry itself.
Tolls of {1-6} a car are to pay for {type} in {18-35} years.

= The mason who drew {Type} | {Type} of {Town} is {120-700} years old | Saving the {stone} arches of {Town} | When ice took the crossing at {Town}
The arches of {stone} were built dry on timber centring, with {few} voussoirs to a ring.
A flood in {1680-1890} carried off the middle piers and {few} shops that stood on them.
Lime mortar lets the {stone} move; cement would crack it.
The mason's marks on the cutwaters name {few} families, two of which still live in {Town}.
{Surname} found the original drawings behind a cupboard, with coffee on them.
A chapel stood at mid-stream, and travellers over {River} paid the priest.
The parapet was raised after a bull fell over it in {1790-1899}.
Old photographs show {type} half built, with a horse looking down.
The bridge was listed in {1950-1988}, and its gas lamps with it.
Ivy is cut back by hand, since its roots lever the {stone} apart.
Each span is a little different, because the river bed decided.
Romans forded {River} here, and their piles came up when the pier was underpinned.

= Cyclists win a crossing over {River} | A footbridge for {Town}, after {few} years | Light, wind and steel: {Surname} on design | Swaying deck is tuned with dampers
The deck is {2-5} metres wide, and a walker crosses {River} in {few} minutes.
When crowds fell into step the deck swayed {20-70} millimetres from side to side.
Tuned dampers, each a weight on springs, were hung between the {member}.
Architects wanted no handrail; the safety officer wanted two.
The footbridge was lifted in one piece by a crane from the docks.
{Surname} made {few} models of paper and thread before drawing anything.
Weathering steel rusts to a brown skin and then needs no paint for {60-100} years.
Lamps in the handrail light the planks and leave the bats in peace.
Underneath, kayaks pass between the {member} at high water.
The approach ramp rises one in {18-25}, so that wheelchairs can manage it.
A bridge is a sentence between two banks, the designer {said}, and should not be longer than it must.
Larch planks, cut across the grain, keep bicycles from slipping.
"""

WORDS = Words(
    id="bridges",
    name="Bridges",
    language="en",
    keywords={"bridge": 2.0, "footbridge": 1.0, "span": 1.0},
    marks=r"bridge|\bspan",
    slots=SLOTS,
    angles=ANGLES,
)
