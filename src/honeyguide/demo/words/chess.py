"""Words about chess: tournaments, openings, clubs, machines."""
# ruff: noqa: E501 - a list of choices is easier to mend on one line

from honeyguide.demo.words.kind import Words

__all__ = ["WORDS"]

SLOTS = """
opening: the Sicilian | the Caro-Kann | the Queen's Gambit | the King's Indian | the Ruy Lopez | the Dutch | a quiet Catalan | the Petroff
Opening: the Sicilian | the Caro-Kann | the Queen's Gambit | the King's Indian | the Ruy Lopez | the Dutch | the Catalan | the Petroff
piece: knight | bishop | rook | queen | passed pawn | king
ending: a rook ending | an ending of opposite bishops | a pawn race | a fortress | queen against rook | two minor pieces against a rook
Event: the Harbour Masters | the Lakeside Open | the Candlelight Rapid | the Northern Team Cup | the Winter Invitational
mistake: a one-move oversight | a hurried exchange | a loose back rank | a pawn grab | a forgotten check in between
square: e5 | d4 | f7 | h2 | c6 | g3 | b7
club: the library club | the railway workers' club | the school team | the café regulars | the harbour club
"""

ANGLES = """
= {Surname} leads {Event} after round {3-8} | Draws everywhere at {Event} | Teenager from {Town} beats the top seed | Grandmaster {Surname} wins {Event} on tie-break
{Surname} took the lead at {Event} with a win in {28-71} moves from {Opening}.
The game turned on {mistake} in time trouble, with {3-40} seconds on the clock.
With {few} rounds to go, half a point separates the first {few} boards.
The top seed sacrificed a {piece} on {square} and never got it back.
Black held {ending} for {few} hours before the flag fell.
On board two, players shook hands after {14-24} moves and a threefold repetition.
A rating of {2380-2760} did not help the favourite against a schoolgirl from {Town}.
The arbiter stopped the clocks when a phone rang, and the point was lost.
Every grandmaster in the hall came to look at the position on board {3-9}.
Chess of this kind, the commentator {said}, is played with the stomach.
The tie-break was {few} blitz games with two seconds added per move.
{Othername} castled long, pushed the h-pawn, and had an attack by move {15-22}.

= Why {Opening} came back | A new idea in {Opening} | The quiet move that changed {Opening} | Preparing with engines: {Surname} explains
The new move in {Opening} is a modest step of the {piece} to {square}.
For decades the line was thought to lose a pawn for too little.
Engines give it nought point nought, which tells a player less than it seems.
The plan is to trade the bad {piece} and put a {piece} on {square} for good.
White gets the centre and Black gets the dark squares; taste decides.
{Surname} has {few} notebooks on {opening}, with a page for each sideline.
After the exchange on {square} both sides have an isolated pawn to look after.
Correspondence players had tried it {few} times, without anyone noticing.
In {opening} the tempo matters more than the material for the first dozen moves.
Books on chess from before {1930-1975} give the whole variation one line.
A grandmaster's second is paid to find such things at three in the morning.
The trap ends in checkmate on {square} if White takes the {piece}.

= Boards in the park: {club} at {Town} | A century of {club} | Teaching children to lose well | The night school of {Town} | Chess returns to the café in {Town}
On {weekday} evenings {club} sets out {8-40} boards under the lamps.
Children start with pawns alone, and learn to promote one before they meet the {piece}.
{Surname} has run {club} for {few} years and keeps the scoresheets in shoe boxes.
Newcomers are told to touch a {piece} only when they mean it.
A simultaneous display against {18-44} opponents ended with {few} draws and one loss.
The wooden set was carved by a prisoner and lacks a {piece}; a cork stands in.
Blitz with five minutes each is loud, quick and full of {mistake}.
The club library holds tournament bulletins in {few} languages.
Chess, the teacher {said}, is a polite way to find out that you were wrong.
League matches are played over {4-8} boards, with tea at the interval.
Each child writes down the moves, and afterwards circles the one that hurt.
A demonstration board with hooks and felt pieces hangs above the piano.

= The machine that plays {opening} | {ending_title} solved to the last move | Cheating cases worry organisers of {Event} | Puzzle corner: White to move and draw
The program learned by playing itself {4-40} million times and prefers {opening}.
A tablebase now knows {ending} to the last move, up to {200-540} moves deep.
Statisticians compare each choice with the first line of an engine and look for too much agreement.
At {Event} the audience sits behind glass and the broadcast is delayed by {10-30} minutes.
The puzzle has {few} pieces and a single path; the first step is a {piece} underpromotion.
{Surname} composed the study in {1920-1998}, and it took {few} decades to find the hole in it.
The neural net gives up a {piece} for squares, as no teacher would have allowed.
Stalemate saves White, since the {piece} on {square} cannot move.
A grandmaster found the refutation with the {piece} in a train, without a board.
The chess computer of {1978-1995} now stands in the museum beside a loom.
Human judgement of {ending} is poor: even masters fall for {mistake}.
Zugzwang is the whole point: whoever must move the {piece} loses.
"""

WORDS = Words(
    id="chess",
    name="Chess",
    language="en",
    keywords={"chess": 2.0, "grandmaster": 1.5, "checkmate": 1.0},
    marks=r"chess|grandmaster|checkmat",
    slots=SLOTS + "ending_title: Two bishops | Rook and pawn | The wrong corner | A seven-piece ending\n",
    angles=ANGLES,
)
