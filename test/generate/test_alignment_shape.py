"""The shape of a program tells whether it repeats, decides and comes back as was asked."""

from __future__ import annotations

import ast

import pytest

from roboinstruct_ros.generate.prompts.examples import EXAMPLES
from roboinstruct_ros.generate.words.alignment import alignment_notes
from roboinstruct_ros.generate.words.alignment_shape import shape_notes
from roboinstruct_ros.generate.words.program_shape import parsed

START = "start_loc = get_current_location()"
BACK = "go_to(start_loc)"
EACH = "for r in get_all_rooms():"


TAKE = ['go_to("{}")', 'pick("cup")', 'go_to("{}")', 'place("cup")']


def carried(origin: str, goal: str) -> list[str]:
    return "\n".join(TAKE).format(origin, goal).split("\n")


def notes(instruction: str, *lines: str) -> tuple[str, ...]:
    source = "def task_program():\n" + "".join(f"    {line}\n" for line in lines)
    return shape_notes(instruction, ast.parse(source))


@pytest.mark.parametrize(
    ("instruction", "lines", "words"),
    [
        ("Take the cup from the lab to the hall", carried("hall", "lab"), "nothing up in lab"),
        ("Take the cup from the living room to the wine cellar",
         carried("wine cellar", "living room"), "nothing up in living room"),
        ("Cup out of the lab, hall please", carried("hall", "lab"), "nothing up in lab"),
        ("Bring Al the cup. He's in the lab, the cup is right here in the hall",
         carried("lab", "hall"), "'cup is right here in the hall'"),
        ("The lab needs the cup. It's in the hall", carried("lab", "hall"), "nothing up in hall"),
        ("Carry the cup on the desk to the hall", carried("hall", "lab"), "nothing down in hall"),
        ("Say hi and ask if they are well", ['say("hi")'], "asks nothing"),
        ("Quick vote: is Al in the lab?", [START, 'if is_in_room("Al"):', f"    {BACK}"], "'vote'"),
        ("Bring three cups", ["for _ in range(2):", '    place("cup")'], "'three'"),
        ("Say hi three times", ["for n in range(1, 3):", '    say("hi")'], "'three'"),
        ("Visit every office", ['go_to("office 1")'], "'every'"),
        ("Go to all the labs", ['go_to("lab")'], "'all the labs'"),
        ("Visit every lab except the old one", [EACH, '    go_to(r)'], "leaves nothing out"),
        ("Say hi in the labs, but skip those where nobody is", [EACH, '    say("hi")'], "'skip'"),
        ("Ask if she slept. If no say oh, otherwise say well",
         ['answer = ask("", "Slept?", ["no"])', 'if answer == "no":', '    say("oh")'],
         "that case"),
        ("Look in the labs until you find a cup and get it",
         [EACH, '    if is_in_room("cup"):', '        pick("cup")'], "goes on after that"),
        ("Wait two minutes, then count to 60", ["time.sleep(2)", "say(60)"], "another time"),
        ("Wait for Al at most two minutes", ['while not is_in_room("Al"):', "    time.sleep(1)"],
         "'at most two minutes'"),
        ("Get the cup, leave the red mug there", ['pick("red mug")'], "picks up 'red mug'"),
        ("Don't touch the mug, only the cup", ['pick("mug")'], "picks up 'mug'"),
        ("Do not go to the main lab", ['go_to("main lab")'], "drives to 'main lab'"),
        ("Ask how many, then bring that many", ['ask("", "How many?", ["1"])'], "'that many'"),
        ("Go to it. If there is a cup, say hi", ['go_to("lab")', 'say("hi")'], "never decides"),
        ("Go. If so, say hi", ['if not is_in_room("cup"):', '    say("hi")'], "opposite"),
        (
            "Check if there is a mat. If not, fetch one from the study",
            ['if is_in_room("mat"):', '    go_to("study")', '    pick("mat")', '    place("mat")'],
            "opposite",
        ),
        (
            "Check for a mat and say it",
            ['if is_in_room("mat"):', '    say("There is no mat here")'],
            "where 'mat' is there",
        ),
        (
            "Say hi in the offices",
            ["for r in get_all_rooms():", '    if "office" not in r:', '        say("hi")'],
            "no 'office'",
        ),
        ("Go to the lab and come back", ['go_to("lab")'], "'come back'"),
        ("Is there a cup in the lab?", ['go_to("lab")', 'a = is_in_room("cup")', "say(a)"],
         "does not drive back"),
        ("See if there are cups in the lab and fetch one",
         ['if is_in_room("cup"):', '    pick("cup")', 'go_to("lab")', 'place("cup")'],
         "'fetch one'"),
        ("Look into the lab and tell me", ['go_to("lab")', 'say("x")'], "'tell me'"),
        ("Wait in the lab for someone", ['go_to("lab")', 'say("hi")'], "'wait'"),
        ("Wait five minutes in the lab", ["time.sleep(5)"], "another time"),
        ("Wait 2 minutes and 30 seconds", ["time.sleep(120)"], "'2 minutes and 30 seconds'"),
        ("Wait a minute and 30 seconds", ["time.sleep(30)"], "'a minute and 30 seconds'"),
        ("Wait in the lab for twenty minutes", ["time.sleep(600)"], "another time"),
        (
            "Wait until the dog has left",
            ['while not is_in_room("dog"):', "    time.sleep(1)"],
            "until 'dog' is there",
        ),
        (
            "Let me know when the dog leaves the lab",
            [START, 'while not is_in_room("dog"):', "    time.sleep(1)", BACK, 'say("It left")'],
            "until 'dog' is there",
        ),
        (
            "Wait in the hall until Bob comes",
            ['while is_in_room("Bob"):', "    time.sleep(1)"],
            "until 'Bob' is gone",
        ),
        (
            "Ask Bob whether he is well and Eve whether she is, and tell me",
            [
                START,
                'answer = ask("Bob", "Well?", ["Yes", "No"])',
                'answer = ask("Eve", "Are you well?", ["Yes", "No"])',
                BACK,
                "say(answer)",
            ],
            "asks 'Well?' and does nothing with the answer",
        ),
        ("Is there a cup in the lab?", ['go_to("lab")'], "says nothing"),
        ("Bring the cup to Bob", ['pick("cup")', 'go_to("lab")'], "puts nothing down"),
        (
            "Check whether there is milk in the kitchen and bring me some",
            [START, 'go_to("kitchen")', 'if is_in_room("milk"):', f"    {BACK}", '    say("yes")'],
            "'bring', and the program picks nothing up",
        ),
        ("Stay here please", ["for r in get_all_rooms():", "    go_to(r)"], "to stay"),
        ("Go on, but don't go into the lab", ['go_to("lab")'], "not to"),
        ("Go to the lab, except if Bob is there", ['go_to("lab")'], "never decides"),
        ("Ask Bob if he is well", ['say("Hello, Bob")'], "asks nothing"),
        (
            "Ask Bob to tidy up. If he says no, say it",
            ['if is_in_room("Bob"):', '    say("Bob, please tidy up")', "    return"],
            "'if he says', and the program asks nothing",
        ),
        ("Get a cup", ['if not is_in_room("cup"):', '    pick("cup")'], "'cup' is not there"),
        ("Meet Bob", ['if not is_in_room("Bob"):', '    say("Bob, hi")'], "speaks to 'Bob'"),
        (
            "Bring a cup to the lab",
            ['go_to("lab")', 'pick("cup")', 'go_to("lab")', 'place("cup")'],
            "just taken it from",
        ),
        (
            "Meet Bob, then come back",
            [START, 'if not is_in_room("Bob"):', f"    {BACK}", '    say("I could not find Bob")'],
            "'come back'",
        ),
        ("Which labs have a cup?", [START, EACH, '    n = "lab 1"', BACK, "say(n)"],
         "without looking or asking"),
        ("Tell me who is in the lab", [START, 'go_to("lab")', BACK, 'say("nobody")'],
         "without looking or asking"),
        ("Look into the lab, if the cup isn't there into the hall, and tell me",
         [START, 'go_to("lab")', 'if not is_in_room("cup"):', '    go_to("hall")',
          '    say("There is no cup")', "else:", f"    {BACK}", '    say("There is a cup")'],
         "tells it in hall"),
        ("Find a cup and a jug and carry them to the hall",
         [START, EACH, '    if is_in_room("cup"):', '        pick("cup")', f"        {BACK}",
          '        place("cup")', "        break", 'go_to("hall")', 'place("jug")'],
         "where the robot is now"),
        ("Take the cup from the study",
         ['go_to("lab")', 'if not is_in_room("cup"):', '    go_to("hall")', "    return",
          'pick("cup")', 'go_to("study")'],
         "picks nothing up in study"),
        ("Take the cup to Bob and come back",
         [START, 'pick("cup")', EACH, '    if is_in_room("Bob"):', '        place("cup")',
          "        return", BACK, 'place("cup")', 'say("I could not find Bob")'],
         "'come back'"),
        ("Take the cup from the lab to the hall",
         ['go_to("lab")', 'if not is_in_room("cup"):', '    go_to("study")', '    pick("cup")',
          '    go_to("hall")', '    place("cup")', "    return"],
         "picks nothing up in lab"),
        ("Ask Bob in the lab and Eve (hall) if they come",
         ['go_to("lab")', 'for who in ["Bob", "Eve"]:', '    a = ask(who, "Come?", ["Yes", "No"])',
          "    say(a)", 'go_to("hall")'],
         "'eve (hall', and the program meets Eve in another room"),
        ("The jug is in the lab, bring one over", ['go_to("lab")', 'pick("jug")', 'go_to("hall")',
          'place("jug")'],
         "'bring one over'"),
        ("Tell Bob in the lab that it is late, then go to the hall",
         ['go_to("lab")', 'go_to("hall")', 'say("Bob, it is late")'],
         "meets Bob in another room"),
        (
            "Tell Bob that it is late",
            ['if not is_in_room("Bob"):', '    say("I could not find Bob")'],
            "says nothing",
        ),
    ],
)  # fmt: skip
def test_a_shape_that_does_not_fit_is_noted(instruction: str, lines: list[str], words: str) -> None:
    told = notes(instruction, *lines)
    assert len(told) == 1
    assert words in told[0]


@pytest.mark.parametrize(
    ("instruction", "lines"),
    [
        ("Say that every class ends at three", ['say("every class ends at three")']),
        ("Tell people in lab 3: if it rains, wait", ['go_to("lab 3")', 'say("if it rains, wait")']),
        ("Visit lab 1 and lab 2, both of the two labs", ['go_to("lab 1")', 'go_to("lab 2")']),
        ("Bring two cups", ["pick('cup')", "place('cup')", "pick('cup')", "place('cup')"]),
        ("Ask Bob if he is well and if he is hungry", ['ask("Bob", "Well?", ["Yes", "No"])']),
        ("Go back to the kitchen", ['go_to("kitchen")']),
        ("Wait 5 minutes, then go to the lab", ["time.sleep(300)", 'go_to("lab")']),
        ("Wait at most 5 minutes", ["for _ in range(300):", "    time.sleep(1)"]),
        ("Count from five up. Stop with nine", ["for n in range(5, 10):", "    say(str(n))"]),
        ("Start with ten, count down", ["for n in range(10, -1, -1):", "    say(str(n))"]),
        ("Wait, then say: it starts in 5 minutes", ["time.sleep(9)", 'say("in five minutes")']),
        ("Go to the lab and stay there", ['go_to("lab")']),
        ("Wait till nobody is there", ['while is_in_room("person"):', "    time.sleep(1)"]),
        ("Wait till they have left and the cleaners can come",
         ['while is_in_room("person"):', "    time.sleep(1)"]),
        ("Ask Bob if he is well, if not, once more",
         ['a = ask("Bob", "Well?", ["Yes", "No"])', 'if a == "No":',
          '    a = ask("Bob", "Well?", ["Yes", "No"])', "say(a)"]),
        ("Ask Bob if he is well", ['ask("Bob", "Well?", ["Yes", "No"])']),
        ("Ask Bob and Eve if they are well, and say what they say",
         ['a = ask("Bob", "Well?", ["Yes", "No"])', "say(a)",
          'a = ask("Eve", "Well?", ["Yes", "No"])', "say(a)"]),
        ("Don't go into the lab, go to the hall", ['go_to("hall")']),
        ("Bring two cups, one to Bob, one to Eve", ['place("cup")']),
        ("If it's not too much trouble, go to the lab", ['go_to("lab")']),
        ("Tell me in the hall that lunch is ready", ['go_to("hall")', 'say("lunch is ready")']),
        ("Go to the lab and come back", [START, 'go_to("lab")', BACK]),
        ("Unless there is a mat, say hi", ['if not is_in_room("mat"):', '    say("hi")']),
        ("Come at 3 pm or in ten minutes to the lab", ['go_to("lab")']),
        ("Bring four cups, one to lab 30 and three to lab 29", ["for _ in range(3):", "    go()"]),
        ("If you dont mind, go to the lab", ['go_to("lab")']),
        (
            "Look for the cup, if you don't find it, tell me",
            [START, 'if not is_in_room("cup"):', f"    {BACK}", '    say("I could not find one")'],
        ),
        ("If there is no cup, take one from the lab",
         ['if not is_in_room("cup"):', '    go_to("lab")', '    pick("cup")']),
        ("Don't tell Mum, take the hoodie to the lab", ['go_to("lab")', 'place("hoodie")']),
        ("Take the cup to the lab, no need to come back", ['go_to("lab")', 'place("cup")']),
        ("Say it to Bob in the lab, not to me", ['go_to("lab")', 'say("Bob, it is broken")']),
        ("Ask Bob what he wants and bring me the answer",
         [START, 'a = ask("Bob", "What?", ["x", "y"])', BACK, "say(a)"]),
        ("Go to the lab, he'd bring the drill himself", ['go_to("lab")']),
        ("Go to the lab and wait for me there", ['go_to("lab")']),
        ("Ask Al if he needs help. If he says yes, go to the lab, otherwise stay here",
         ['a = ask("Al", "Help?", ["yes", "no"])', 'if a == "yes":', '    go_to("lab")']),
        ("Ask Al if you may go to the lab, if he says no, stay here",
         ['a = ask("Al", "May I?", ["yes", "no"])', 'if a == "yes":', '    go_to("lab")']),
        ("Guests come at seven. We start in five. Go to the lab", ['go_to("lab")']),
        ("In the lab say it starts, stay put for ten minutes",
         ['go_to("lab")', 'say("it starts")', "time.sleep(600)"]),
        ("Is the lab free? If it is, put the cup in there",
         ['go_to("lab")', 'if not is_in_room("person"):', '    place("cup")']),
        ("Take the cup from the lab to the hall", carried("lab", "hall")),
        ("Take the cup from the wine cellar to the big hall", carried("wine cellar", "big hall")),
        ("If it's in the lab take the cup to the hall, else to the lab from the hall",
         ['go_to("lab")', 'if is_in_room("cup"):', '    pick("cup")', '    go_to("hall")',
          '    place("cup")', "else:", '    go_to("hall")', '    pick("cup")', '    go_to("lab")',
          '    place("cup")']),
        ("See whether the cup is in the hall, and take one from the lab there",
         carried("lab", "hall")),
        ("Take the cup from the hall to the study",
         ['if is_in_room("cup"):', '    go_to("lab")', "else:", '    go_to("hall")', 'pick("cup")',
          'go_to("study")', 'place("cup")']),
        ("Bring the cup to Bob from the lab. I am in the hall",
         ['go_to("lab")', 'pick("cup")', "for room in get_all_rooms():", "    go_to(room)",
          '    if is_in_room("Bob"):', '        place("cup")', "        return", 'go_to("hall")',
          'place("cup")']),
        ("Take the note 'if found, return' to the lab", ['go_to("lab")', 'place("note")']),
        ("Visit the labs except the old one", ['for r in ["lab 1", "lab 2"]:', "    go_to(r)"]),
        ("Visit each lab except the old one", [EACH, '    if r != "old lab":', "        go_to(r)"]),
        ("Visit every lab except where somebody is",
         [EACH, '    if not is_in_room("person"):', "        go_to(r)"]),
        ("Skip the labs where nobody is, in the others say hi",
         [EACH, '    if is_in_room("person"):', '        say("hi")']),
        ("If there is a cup say so, otherwise say nothing",
         ['if is_in_room("cup"):', '    say("so")']),
        ("Make sure there is a cup, otherwise put one there",
         ['if not is_in_room("cup"):', '    place("cup")']),
        ("If Al is in the lab give it to him, otherwise put it in the hall",
         ['if not is_in_room("Al"):', '    go_to("hall")', 'place("cup")']),
        ("Look in the labs until you find a cup",
         [EACH, '    if is_in_room("cup"):', "        break"]),
        ("Wait at most two minutes", ["for _ in range(24):", "    time.sleep(5)"]),
        ("Wait two minutes", ["time.sleep(120)", "return", "time.sleep()"]),
        ("Wait 2 minutes and 30 seconds", ["time.sleep(150)"]),
        ("Wait an hour and 15 minutes", ["time.sleep(4500)"]),
        ("Wait 2 minutes and 30 seconds", ["time.sleep(120)", "time.sleep(30)"]),
        ("Wait two hours and a half", ["time.sleep(9000)"]),
        ("Wait five minutes, say hi, wait ten seconds",
         ["time.sleep(5 * 60)", 'say("hi")', "time.sleep(10)"]),
        ("If Al is there leave the red mug there, else get it",
         ['if not is_in_room("Al"):', '    pick("red mug")', "else:", '    say("Al")']),
        ("Don't take the cup to the hall but to the lab", carried("desk", "lab")),
        ("Tell me how many labs there are", [EACH, "    n = 1", "say(str(n))"]),
        ("Tell me where you are", [START, "say(start_loc)"]),
        ("Look for a cup in the lab and tell me; in the hall, say hi to everybody",
         [START, 'go_to("lab")', 'a = is_in_room("cup")', BACK, "say(a)", 'go_to("hall")',
          'say("hi")']),
        ("Tell me what is in the lab, then wait for Bob in the hall",
         [START, 'go_to("lab")', 'a = is_in_room("cup")', BACK, "say(a)", 'go_to("hall")',
          'while not is_in_room("Bob"):', "    time.sleep(1)", 'say("Bob, here I am")']),
        ("Take the cup to Bob",
         [START, 'pick("cup")', EACH, '    if is_in_room("Bob"):', '        place("cup")',
          "        return", BACK, 'place("cup")', 'say("I could not find Bob")']),
        ("Take the cup to the hall and bring me the jug",
         [START, 'pick("cup")', 'go_to("hall")', 'place("cup")', 'pick("jug")', BACK,
          'place("jug")']),
        ("Bring the jug to me", [START, 'pick("jug")', BACK, 'place("jug")']),
        ("Tell me what is in the lab, and Bob in the hall too",
         [START, 'go_to("lab")', 'a = is_in_room("cup")', BACK, "say(a)", 'go_to("hall")',
          'say("Bob, there is a cup")']),
        ("Take the cup to the hall and fetch the jug",
         [START, 'pick("cup")', 'go_to("hall")', 'place("cup")', 'pick("jug")', BACK,
          'place("jug")']),
        ("Look for a cup in the lab and the hall. If it is in neither, come back and tell me",
         [START, 'for r in ["lab", "hall"]:', "    go_to(r)", '    if is_in_room("cup"):',
          '        pick("cup")', '        go_to("hall")', '        place("cup")', "        return",
          BACK, 'say("I could not find a cup")']),
        ("Cups are needed in the hall. Get them from the lab", carried("lab", "hall")),
        ("In the lab is a cup, the cup is for Ann in the hall. Take it over",
         carried("lab", "hall")),
        ("We are out of cups in the hall. There is one in the lab, bring one over",
         carried("lab", "hall")),
        ("Bring the cup that is here to the hall",
         ['pick("cup")', 'go_to("hall")', 'place("cup")']),
        ("Ask Bob in lab 2 and Eve in lab if they come",
         ['go_to("lab 2")', 'a = ask("Bob", "Come?", ["Yes", "No"])', 'go_to("lab")',
          'b = ask("Eve", "Come?", ["Yes", "No"])', "say(a + b)"]),
        ("Ask Eve in the lab if she comes and look in the hall",
         ['go_to("hall")', "try:", '    go_to("lab")', '    a = ask("Eve", "Come?", ["Yes", "No"])',
          "    say(a)", "except RuntimeError:", "    pass", 'go_to("lab")']),
        ("Put this in classroom 3", ['go_to("Classroom_3")', 'place("cup")']),
        ("If Bob is in the lab greet him, else say hi to him in the hall",
         ['go_to("lab")', 'if not is_in_room("Bob"):', '    go_to("hall")', '    say("Bob, hi")']),
        ("Tell Bob that Eve is in the lab, then tell her hello in the hall",
         ['say("Bob, Eve is in the lab")', 'go_to("hall")', 'say("Eve, hello")']),
        ("Take the cup to the hall. Fetch the jug too",
         [START, 'pick("cup")', 'go_to("hall")', 'place("cup")', 'pick("jug")', BACK,
          'place("jug")']),
    ],
)  # fmt: skip
def test_a_shape_that_fits_is_not_noted(instruction: str, lines: list[str]) -> None:
    assert notes(instruction, *lines) == ()


PLATE = 'go_to("kitchen")\n    pick("plate")\n    go_to("study")\n    place("plate")\n'


@pytest.mark.parametrize(
    ("instruction", "source"),
    [
        ("Say hi three times",
         'def task_program():\n    for n in range(1, 4):\n        say("hi")\n'),
        ("Take the plate from the kitchen to the study",
         'def rest():\n    go_to("hall")\n    pick("cup")\n    place("cup")\n'
         f"def task_program():\n    {PLATE}    rest()\n"),
        ("Take the plate from the kitchen to the study",
         'def there():\n    go_to("kitchen")\n'
         'def task_program():\n    go_to("hall")\n    there()\n    pick("plate")\n'
         '    go_to("study")\n    place("plate")\n'),
        ("Go to the hall and come back",
         "def task_program():\n    start = get_current_location()\n"
         '    go_to(location="hall")\n    go_to(location=start)\n'),
    ],
)  # fmt: skip
def test_what_a_program_does_is_read_as_it_runs(instruction: str, source: str) -> None:
    assert shape_notes(instruction, parsed(source), ["kitchen", "study", "hall"]) == ()


def test_arguments_with_names_are_read_too() -> None:
    leave = "Leave the cup where it is and don't go to the kitchen"
    source = 'def task_program():\n    go_to(location="kitchen")\n    pick(object="cup")\n'
    assert len(alignment_notes(leave, source)) == 2


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: text[15:45])
def test_the_examples_have_the_shape_of_their_words(example: str) -> None:
    comment, source = example.split("\n", 1)
    assert shape_notes(comment.removeprefix("# Instruction: "), ast.parse(source)) == ()
