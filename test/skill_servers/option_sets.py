"""Questions as robots ask them, and what people say that is no answer to any."""

OPTION_SETS = tuple(
    tuple(line.split(" | "))
    for line in """
yes | no
coffee | tea | water
one | two | three
1 | 2 | 3
Alice | Bob | Carol
red | green | blue
kitchen | bathroom | living room
the red cup | the blue cup
now | later
left | right
hot | cold
small | medium | large
Monday | Tuesday | Wednesday
morning | afternoon | evening
Yes, go on | No, wait
apple | banana | orange | pear
open | closed
early | late | never
north | south | east | west
milk | sugar | both | neither
Jürgen | Xiaoming | Priya
pizza | pasta | salad | soup
7:30 | 8:00 | 9:15
in the kitchen | in the garage | in the office
I am fine | I need help
keep it | throw it away | give it back
cat | dog
black | white
chocolate | vanilla | strawberry
first floor | second floor | third floor
ready | not ready
bring it here | leave it there
Wi-Fi | Bluetooth | cable
10 | 20 | 30 | 40 | 50
Mia | Noah | Liam
cereal | toast | eggs
train | bus | car | bicycle
paper | plastic | glass | metal
happy | sad | angry
football | tennis | swimming
""".strip().splitlines()
)

CHATTER = tuple(
    """
I think it will rain today
can you bring me the newspaper
hello there
what did you say
maybe
banana bread
where is the cat
goodbye everybody
is it far
well
hmm
the meeting is at noon
she went home yesterday
look at that
my phone is ringing
could be
top of the hill
a new shop
it depends on the weather
let me think about it
who are you
I do not know
turn on the radio
nice to see you
excuse me
""".strip().splitlines()
)
