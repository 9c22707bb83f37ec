"""Words about the affairs of a town: the noise that every local paper is full of."""
# ruff: noqa: E501 - a list of choices is easier to mend on one line

from honeyguide.demo.words.kind import Words

__all__ = ["WORDS"]

SLOTS = """
service: bin collections | the night bus | the swimming pool | street lamps | the library van | school meals | parking wardens
party: the majority group | the opposition | the independents | the residents' list
street: Station Road | Mill Lane | Tanner Street | the ring road | Chapel Hill | the market square
plan: a one-way system | a low-traffic trial | new flats | a tram stop | a car park charge | a cycle lane | a skate park
body: the audit committee | the planning committee | the licensing panel | the scrutiny board
"""

ANGLES = """
= Council votes on {service} | {Town} raises fees for parking | Mayor {Surname} promises no cuts to {service} | A gap of {3-19} million
The budget gap of {3-19} million will be closed partly by charging for {service}.
{party_cap} voted against, and {few} members walked out before the count.
Mayor {Surname} {said} that {service} would be spared until {month}.
Council tax will rise by {2-5} percent, about {20-90} a year for an average house.
Reserves have fallen for {few} years and now cover {few} weeks of spending.
A petition with {700-9000} names asks the town to keep {service}.
Auditors questioned {few} contracts signed without a tender.
The chamber was full, and the debate on {service} went on until half past eleven.
Unions fear for {20-190} posts in the depot on {street}.
{body_cap} will look at the figures again on {weekday}.
A consultant was paid {12-80} thousand to find the savings.
The leader of {party} called the paper a wish list with a staple.

= Row over {plan} on {street} | {plan_cap} delayed again | Residents of {street} pack the hall | Inspector to decide on {plan}
{plan_cap} on {street} drew {40-600} objections and {few} letters of support.
{body_cap} put off its decision after {few} hours, to see the site for itself.
Traders say that {plan} would kill the Saturday trade.
The developer offered {few} affordable homes, then {few} fewer.
Officers recommended approval of {plan} with {11-39} conditions.
Traffic on {street} was counted by students with clickers for {few} mornings.
{Surname}, who chairs the residents, brought a jar of dust as evidence.
A council lawyer warned that an appeal could cost {40-300} thousand.
{plan_cap} was first drawn up in {1988-2014}, under another mayor.
The hall was booked until nine, and the caretaker switched off the lights at five past.
Parking permits for {street} will be issued from {month}.
Nobody could say who owns the strip of grass in the middle.

= {service_cap} to change from {month} | New timetable for {service} | Complaints about {service} double | {Town} tries {service} by phone
From {month}, {service} will run on {weekday} instead, apart from {street}.
Complaints about {service} reached {120-2400} in the quarter.
A trial on {street} saved {few} percent and annoyed everyone.
The contractor blames staff shortage, broken vehicles and {street}.
An app was promised, {Surname} {said}, and a telephone with a person at the end of it.
Depot workers showed {party} round and gave them gloves.
Old bins will be collected and turned into benches.
The council fined itself {few} hundred for leaving skips on {street}.
Subsidy for {service} ends in {month}, and the budget has nothing to replace it.
Pensioners wrote in longhand, {30-190} of them, about {service}.
{body_cap} heard that {few} of ten lamps had been mended.
Service on public holidays is not yet settled.

= Election: {few} seats in doubt at {Town} | Turnout low in {Town} | {Surname} stands down after {8-31} years | New faces in the chamber
Counting in the sports hall went on until {1-4} in the morning.
{party_cap} gained {few} seats and lost the one that mattered.
Turnout was {24-47} percent, and lower around {street}.
{Surname} won the ward by {2-60} votes after {few} recounts.
The new mayor will be chosen by lot if the vote is tied again.
Leaflets promised {plan}, repairs to {street} and better {service}.
Half of the council is new, and nobody knows where the coffee is.
Postal votes from {street} arrived in a shopping bag, unopened.
A coalition between {party} and {party} is the likeliest end of it.
Talks broke up over {plan} and resumed over soup.
{Surname} has sat on {body} since the year of the flood.
The returning officer read out the names twice, because of the applause.
"""

WORDS = Words(
    id="council",
    name="Town affairs",
    language="en",
    keywords={"council": 2.0, "mayor": 1.5, "budget": 1.0},
    marks=r"council|mayor|budget",
    slots=SLOTS
    + "party_cap: The majority group | The opposition | The independents\n"
    + "body_cap: The audit committee | The planning committee | The licensing panel | The scrutiny board\n"
    + "plan_cap: A one-way system | A low-traffic trial | A tram stop | A cycle lane | A skate park\n"
    + "service_cap: Bin collections | The night bus | The swimming pool | Street lamps\n",
    angles=ANGLES,
)
