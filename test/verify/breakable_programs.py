"""Programs that some real world breaks, in ways that a search through worlds is prone to miss.

Each says what breaks it. A verdict that accepts one and says that no world was left out is wrong.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

TRAP = 'place("nothing")'
"""What is wrong in every world that gets there with an empty hand."""


@dataclass(frozen=True)
class Breakable:
    """One program.

    Attributes:
        breaks: the world that breaks it.
        closed: it is judged on the map of the home; in the open world otherwise.
        never: a policy that forbids this, in force.
    """

    name: str
    breaks: str
    body: str
    closed: bool = False
    never: str = ""

    @property
    def source(self) -> str:
        body = textwrap.dedent(self.body).strip("\n").replace("TRAP", TRAP)
        if "def task_program" in body:
            return body + "\n"
        return "def task_program():\n" + textwrap.indent(body, "    ") + "\n"


def _open(name: str, breaks: str, body: str) -> Breakable:
    return Breakable(name, breaks, body)


def _home(name: str, breaks: str, body: str, never: str = "") -> Breakable:
    return Breakable(name, breaks, body, closed=True, never=never)


WAITING = [
    _home("gives up after a number that has a name", "nobody comes for three tries", """
        MAX_TRIES = 3
        tries = 0
        while tries < MAX_TRIES:
            if is_in_room("person"):
                return
            time.sleep(5)
            tries += 1
        TRAP
    """),
    _home("two lists are one at first, and alike later", "the second round makes two of them", """
        def more():
            return ask("", "More?", ["Yes", "No"]) == "Yes"
        def task_program():
            one = []
            other = one
            first = True
            while more():
                one.append(1)
                if not other:
                    TRAP
                one.pop()
                if first:
                    first = False
                elif more():
                    other = []
    """),
    _home("a function that only an iterator knows counts", "it is asked four times", """
        def counter():
            asked = []
            def count():
                asked.append(1)
                return len(asked)
            return count
        def task_program():
            for number in iter(counter(), 4):
                number = ask("", "More?", ["Yes", "No"])
            TRAP
    """),
    _home("counts down", "nobody comes for three tries", """
        left = 3
        while left > 0:
            if is_in_room("person"):
                return
            time.sleep(5)
            left -= 1
        TRAP
    """),
    _home("uses up a list of waits", "nobody comes for three tries", """
        waits = [5, 10, 20]
        while waits:
            if is_in_room("person"):
                return
            time.sleep(waits.pop())
        TRAP
    """),
    _home("gives up after a number that is a parameter", "nobody comes for four tries", """
        def task_program():
            def wait(tries):
                n = 0
                while n < tries:
                    if is_in_room("person"):
                        return True
                    time.sleep(5)
                    n += 1
                return False
            if not wait(4):
                TRAP
    """),
    _home("a word that grows", "nobody comes for three tries", """
        marks = ""
        while marks != "xxx":
            if is_in_room("person"):
                return
            time.sleep(5)
            marks += "x"
        TRAP
    """),
    _home("one state after another", "nobody comes for three tries", """
        then = {"new": "old", "old": "late", "late": "over"}
        state = "new"
        while state != "over":
            if is_in_room("person"):
                return
            time.sleep(5)
            state = then[state]
        TRAP
    """),
    _home("several are asked in each round", "all say No in the second round, too", """
        rounds = 0
        while True:
            yes = 0
            for person in ["Ann", "Bo", "Cy"]:
                if ask(person, "Tea?", ["Yes", "No"]) == "Yes":
                    yes += 1
            if yes:
                return
            rounds += 1
            if rounds == 2:
                TRAP
    """),
    _home("a comprehension of questions in each round", "all say No", """
        done = False
        while not done:
            answers = [ask(p, "Tea?", ["Yes", "No"]) for p in ["Ann", "Bo", "Cy"]]
            if answers.count("No") == 3:
                TRAP
            done = True
    """),
    _home("four people are asked", "all four say No", """
        people = ["Ann", "Bo", "Cy", "Di"]
        no = 0
        while people:
            if ask(people.pop(), "May I?", ["Yes", "No"]) == "No":
                no += 1
        if no == 4:
            TRAP
    """),
    _home("two loops share a helper", "both give up", """
        def task_program():
            def patient(person):
                n = 0
                while n < 2:
                    if ask(person, "Ready?", ["Yes", "No"]) == "Yes":
                        return True
                    n += 1
                return False
            if not patient("Ann"):
                if not patient("Bo"):
                    TRAP
    """),
    _home("a list of answers grows", "three No in a row", """
        heard = []
        while "Yes" not in heard:
            heard.append(ask("", "Ready?", ["Yes", "No"]))
            if len(heard) == 3 and "Yes" not in heard:
                TRAP
    """),
    _home("a parcel comes while a lambda waits", "it comes with the second look", """
        n = 0
        here = lambda: is_in_room("parcel")
        while n < 3 and not here():
            time.sleep(5)
            n += 1
        if n == 2:
            TRAP
    """),
]  # fmt: skip

TIME = [
    _home("an hour of the day", "it is after noon", """
        if int(time.time()) % 86400 > 43200:
            TRAP
    """),
    _home("the morning", "it is before noon", """
        if int(time.time()) % 86400 < 43200:
            TRAP
    """),
    _home("somebody leaves while the robot is away", "Jack leaves meanwhile", """
        go_to("kitchen")
        if is_in_room("Jack"):
            go_to("garage")
            go_to("kitchen")
            if not is_in_room("Jack"):
                TRAP
    """),
    _home("somebody comes while the robot speaks", "a person comes in", """
        go_to("kitchen")
        if not is_in_room("person"):
            say("Is nobody here?")
            if is_in_room("person"):
                TRAP
    """),
    _home("everybody leaves while the robot grasps", "the last person leaves", """
        go_to("kitchen")
        people = is_in_room("person")
        pick("cup")
        place("cup")
        if people and not is_in_room("person"):
            TRAP
    """),
]  # fmt: skip

STARTS = [
    _home("the length of the first room, as a text", "it starts in the guest bedroom", """
        here = get_current_location()
        if len(str(here)) > 12:
            TRAP
    """),
    _home("the first room by the alphabet", "it starts in the study", """
        if get_current_location() > "m":
            TRAP
    """),
    _home("the first room with a mark", "it starts in the kitchen", """
        if get_current_location() + "!" == "kitchen" + "!":
            TRAP
    """),
    _home("the first room within a text", "it starts in the kitchen", """
        here = get_current_location()
        text = f"I am in the {here}."
        if text.count("kit"  "chen"[1:]):
            TRAP
    """),
    _home("a place that is cut out of a text", "it starts in the kitchen without an apple", """
        if not is_in_room("apple"):
            go_to("xxkitchen"[2:])
            pick("apple")
    """),
    _home("a place by its letters", "it starts in the garage without an apple", """
        if not is_in_room("apple"):
            name = ""
            for letter in "garage":
                name += letter
            go_to(name)
            pick("apple")
    """),
    _home("skills that are handed on", "it starts in the second room without an apple", """
        def task_program():
            def visit(rooms, move):
                for room in rooms:
                    move(room)
                    if not seen:
                        pick("apple")
                        place("apple")
            seen = is_in_room("apple")
            visit(get_all_rooms(), go_to)
    """),
    _home("a place from named arguments", "it starts in the garage without an apple", """
        if not is_in_room("apple"):
            for where in [{"location": "gar" + "age"}]:
                go_to(**where)
                pick("apple")
    """),
    _home("where it is, under another name", "it starts in the study", """
        where = get_current_location
        if where()[0] == "s":
            TRAP
    """),
    _open("rooms in the order of the alphabet", "the rooms are listed otherwise", """
        rooms = get_all_rooms()
        while sorted(rooms) != rooms:
            pass
    """),
    _open("driving under another name", "it starts in the kitchen without an apple", """
        drive = go_to
        if not is_in_room("apple"):
            drive("kitchen")
            pick("apple")
    """),
    _open("driving by a lambda", "it starts in the kitchen without an apple", """
        drive = lambda room: go_to(room)
        if not is_in_room("apple"):
            drive("kitchen")
            pick("apple")
    """),
    _open("driving from a list of pairs", "it starts in the kitchen without an apple", """
        if not is_in_room("apple"):
            for act, name in [(go_to, "kitchen"), (pick, "apple")]:
                act(name)
    """),
    _open("driving with named arguments", "it starts in the kitchen without an apple", """
        place_now = {"location": "kitchen"}
        if not is_in_room("apple"):
            go_to(**place_now)
            pick("apple")
    """),
    _open("a place in the default of a lambda", "it starts in the kitchen without an apple", """
        fetch = lambda where="kitchen": go_to(where)
        if not is_in_room("apple"):
            fetch()
            pick("apple")
    """),
    _open("any number of arguments", "it starts in the kitchen without an apple", """
        def task_program():
            def drive(*rooms):
                for room in rooms:
                    go_to(room)
                    pick("apple")
            if not is_in_room("apple"):
                drive("kitchen")
    """),
]  # fmt: skip

NAMES = [
    _open("rooms that are passed over are counted", "two rooms, and none is a lab", """
        rooms = get_all_rooms()
        labs = [room for room in rooms if "lab" in room]
        if not labs:
            for _ in range(len(rooms)):
                pick("cup")
    """),
    _open("the second word", "a room called 'old lab'", """
        for room in get_all_rooms():
            words = room.split()
            if len(words) > 1 and words[1] == "lab":
                TRAP
    """),
    _open("the second word of two", "a room called 'old lab'", """
        for room in get_all_rooms():
            if room.split()[1:] == ["lab"]:
                TRAP
    """),
    _open("a replaced part", "a room called 'big lab'", """
        for room in get_all_rooms():
            if room.replace("big ", "") == "lab" and room != "lab":
                TRAP
    """),
    _open("without its beginning", "a room called 'the lab'", """
        for room in get_all_rooms():
            if room.removeprefix("the ") == "lab" and room != "lab":
                TRAP
    """),
    _open("how many words", "a room of four words", """
        for room in get_all_rooms():
            if len(room.split()) == 4:
                TRAP
    """),
    _open("a text in the middle", "a room called 'my lab 2'", """
        for room in get_all_rooms():
            if "lab" in room and not room.startswith("lab") and not room.endswith("lab"):
                TRAP
    """),
    _open("in the middle", "a room called 'my lab 2'", """
        for room in get_all_rooms():
            if room.find("lab") > 2:
                TRAP
    """),
    _open("twice", "a room called 'lab by lab'", """
        for room in get_all_rooms():
            if room.count("lab") == 2:
                TRAP
    """),
    _open("capital letters", "a room called 'Lab'", """
        for room in get_all_rooms():
            if "lab" in room.lower() and "lab" not in room:
                TRAP
    """),
    _open("letters at places", "a room called 'cab'", """
        for room in get_all_rooms():
            if room[1] == "a" and room[0] == "c":
                TRAP
    """),
    _open("joined by way of a second name", "a room called 'lab'", """
        rooms = get_all_rooms()
        text = ", ".join(rooms)
        words = text
        if "lab" in words:
            TRAP
    """),
    _open("joined in a list", "a room called 'lab'", """
        texts = [", ".join(get_all_rooms())]
        if "lab" in texts[0]:
            TRAP
    """),
    _open("joined by a lambda", "a room called 'lab'", """
        tell = lambda rooms: ", ".join(rooms)
        if "lab" in tell(get_all_rooms()):
            TRAP
    """),
    _open("joined under another name", "a room called 'lab'", """
        glue = " ".join
        if "lab" in glue(get_all_rooms()):
            TRAP
    """),
    _open("within a text by a lambda", "a room called 'lab'", """
        inside = lambda part, whole: part in whole
        for room in get_all_rooms():
            if inside(room, "my lab and yours"):
                TRAP
    """),
    _open("more rooms than names", "four rooms", """
        names = ["a", "b", "c"]
        if len(get_all_rooms()) > len(names):
            TRAP
    """),
    _open("a room for each name", "four rooms", """
        names = ["a", "b", "c", "d"]
        if len(list(zip(get_all_rooms(), names))) == len(names):
            TRAP
    """),
    _open("names that are used up", "more than three rooms", """
        names = ["a", "b", "c"]
        for room in get_all_rooms():
            if not names:
                TRAP
            names.pop()
    """),
    _open("one state after another, by rooms", "five rooms", """
        then = {"a": "b", "b": "c", "c": "d", "d": "e"}
        state = "a"
        for room in get_all_rooms():
            if state == "e":
                TRAP
            state = then[state]
    """),
    _open("flags that are handed on", "five rooms", """
        one = two = three = four = False
        for room in get_all_rooms():
            if four:
                TRAP
            one, two, three, four = True, one, two, three
    """),
    _open("the last of many rooms", "six rooms", """
        rooms = get_all_rooms()
        last = len(rooms) - 1
        if last * 2 == 10:
            TRAP
    """),
    _open("methods of the type", "a room called 'Lab'", """
        if "lab" in map(str.lower, get_all_rooms()):
            TRAP
    """),
    _open("as it is written in Python", "a room called \"Ann's room\"", """
        for room in get_all_rooms():
            if repr(room)[0] == '"':
                TRAP
    """),
    _open("padded", "a long name", """
        for room in get_all_rooms():
            if f"{room:>12}"[0] != " ":
                TRAP
    """),
    _open("in a format", "a room called 'lab'", """
        for room in get_all_rooms():
            if "the %s" % room == "the lab":
                TRAP
    """),
    _open("all the letters", "a room called 'zoo'", """
        for room in get_all_rooms():
            if max(room) == "z":
                TRAP
    """),
    _open("backwards", "a room called 'bal'", """
        for room in get_all_rooms():
            if room[::-1] == "lab":
                TRAP
    """),
    _open("stripped", "a room called 'lab2'", """
        for room in get_all_rooms():
            if room.strip("0123456789") == "lab" and not room.endswith("lab"):
                TRAP
    """),
    _open("a person chooses a room by a sign", "a room called 'lab'", """
        rooms = get_all_rooms()
        chosen = ask("", "Which?", [f"the {room}" for room in rooms])
        if chosen == "the lab":
            TRAP
    """),
    _open("where it starts, by letters", "it starts in a room called 'old lab'", """
        if get_current_location().split()[-1:] == ["lab"]:
            TRAP
    """),
    _home("the words of an error tell a room's name from a text", "every world", """
        try:
            1 + get_current_location()
        except TypeError as error:
            if "'str'" in str(error):
                TRAP
    """),
    _open("the words of an error tell a made-up name from a text", "every world", """
        try:
            get_all_rooms()[0] < 1
        except TypeError as error:
            place("nothing") if "'str'" in str(error) else None
    """),
]  # fmt: skip

RUNS = [
    _home("samples a set", "a set cannot be sampled", """
        random.sample({"a"}, 1)
    """),
    _home("a name that the argument does not have", "Python calls it otherwise", """
        random.choice(values=["a"])
    """),
    _home("prints a lot", "a run may not print so much", """
        for n in range(100):
            print("x" * 1000)
    """),
    _home("a skill fails where that is expected", "the kitchen cannot be reached", """
        try:
            go_to("kitchen")
        except SkillError:
            TRAP
    """),
    _home("any error is expected", "the cup cannot be grasped", """
        held = True
        try:
            pick("cup")
        except Exception:
            held = False
        place("cup")
    """),
    _home("a helper fails", "the garage cannot be reached", """
        def task_program():
            def fetch(thing):
                go_to("garage")
                pick(thing)
            try:
                fetch("milk")
            except (ValueError, SkillError) as error:
                pass
            place("milk")
    """),
    _home("a reason is told apart", "the way is blocked", """
        try:
            go_to("kitchen")
        except SkillError as error:
            if error.code == "navigation_blocked":
                TRAP
    """),
    _home("prints a lot while it waits", "nobody comes for a long time", """
        while not is_in_room("person"):
            print("x" * 1000)
    """),
    _home("a reason is looked into", "a message with the word door", """
        try:
            go_to("kitchen")
        except SkillError as error:
            if "door" in error.message:
                TRAP
    """),
    _home("the third failure", "it fails three times", """
        failures = 0
        for thing in ["a", "b", "c", "d", "e"]:
            try:
                say(thing)
            except SkillError:
                failures += 1
        if failures == 5:
            TRAP
    """),
    _home("one of many numbers", "it is 77", """
        if random.randint(1, 100) == 77:
            TRAP
    """),
    _home("a small chance", "the number is small", """
        if 0.1 < random.random() < 0.2:
            TRAP
    """),
    _home("an order of many", "they come in another order", """
        names = ["a", "b", "c", "d", "e", "f", "g", "h"]
        random.shuffle(names)
        if names[0] == "c":
            TRAP
    """),
]  # fmt: skip

POLICIES = [
    _home("a knife where any child may be", "a child is in the kitchen", """
        go_to("kitchen")
        pick("knife")
    """, never='holding("*knife*") and in_room("*child*", here)'),
    _home("a knife where any two may be", "two things are in the kitchen", """
        go_to("kitchen")
        pick("knife")
    """, never='holding("knife") and in_room("?og", here)'),
    _home("a bedroom by another name", "the kids room is a bedroom", """
        go_to("kids room")
    """, never='go_to("*bedroom*")'),
]  # fmt: skip

SPELLING = [
    _home("an apple by two spellings", "there is no apple", """
        if not is_in_room("Apple"):
            pick("apple")
    """),
    _home("apples are an apple", "there is no apple", """
        if not is_in_room("the apples"):
            pick("apple")
    """),
    _home("a person in small letters", "Bob is not there", """
        if not is_in_room("bob"):
            ask("Bob", "Well?", ["Yes", "No"])
    """),
    _home("a person with an article", "nobody is there", """
        if not is_in_room("a person"):
            ask("", "Well?", ["Yes", "No"])
    """),
    _home("names that are put together", "there is no first apple", """
        for number in ["1", "2"]:
            if not is_in_room("Apple " + number):
                pick("apple " + number)
    """),
    _open("a room by two spellings", "there is no cup in the kitchen", """
        go_to("Kitchen")
        if not is_in_room("cup"):
            go_to("kitchen")
            pick("cup")
    """),
]  # fmt: skip

FAILURES = [
    _home("a code that is not the usual one", "the way is blocked", """
        try:
            go_to("kitchen")
        except SkillError as error:
            if error.code != "unknown":
                TRAP
    """),
    _home("a part of a code", "the grasp has failed", """
        try:
            pick("cup")
        except SkillError as error:
            if "failed" in error.code:
                TRAP
    """),
    _home("a code that is none of two", "the way is blocked", """
        try:
            go_to("kitchen")
        except SkillError as error:
            if error.code not in ["unknown", "timeout"]:
                TRAP
    """),
]  # fmt: skip

WORDS_OF_FAILURES = [
    _home("the words of three failures in one text", "a server words its error at length", """
        try:
            go_to("kitchen")
        except SkillError as error:
            say(error.message + ", " + str(error) + "; " + error.message)
    """),
    _home("the words of a failure after a long text", "a server words its error at length", """
        try:
            go_to("kitchen")
        except SkillError as error:
            say("a" * 1500 + f"{error}")
    """),
    _home("a list of failures", "the servers word their errors at length", """
        told = []
        for room in ["kitchen", "study", "garage"]:
            try:
                go_to(room)
            except SkillError as error:
                told.append(error.message)
        if told:
            say(", ".join(told))
    """),
    _home("a rule against a word", "a server uses it in its error", """
        try:
            go_to("kitchen")
        except SkillError as error:
            say(error.message)
    """, never='say("*blocked*")'),
]  # fmt: skip

KEPT = [
    _home("a list is the default of a keyword", "Jack does not come for six rounds", """
        def task_program():
            def tick(*, seen=[]):
                seen.append(1)
                return len(seen)
            while not is_in_room("Jack"):
                if tick() == 6:
                    TRAP
    """),
    _home("a list is the default of a lambda's keyword", "Jack does not come", """
        tick = lambda *, seen=[]: seen.append(1) or len(seen)
        while not is_in_room("Jack"):
            if tick() == 6:
                TRAP
    """),
    _home("a keyword's default grows in a long wait", "Jack does not come for an hour", """
        def task_program():
            def grow(*, seen=[]):
                seen.append(1)
                return len(seen)
            for _ in range(100):
                if is_in_room("Jack"):
                    return
                if grow() == 60:
                    TRAP
                time.sleep(60)
    """),
    _home("a method uses a list up", "Jack does not come for six rounds", """
        take = ["a", "b", "c", "d", "e"].pop
        while not is_in_room("Jack"):
            say(take())
    """),
    _home("a method is a parameter's default", "Jack does not come for four rounds", """
        def task_program():
            def following(take=["a", "b", "c"].pop):
                return take()
            while not is_in_room("Jack"):
                say(following())
    """),
    _home("methods of a list that nothing else refers to", "Jack does not come", """
        def methods():
            items = []
            return items.append, items.copy
        def task_program():
            add, items = methods()
            while not is_in_room("Jack"):
                add(1)
                if len(items()) == 5:
                    TRAP
    """),
    _home("a method within a list", "Jack does not come for six rounds", """
        methods = [["a", "b", "c", "d", "e"].pop]
        while not is_in_room("Jack"):
            say(methods[0]())
    """),
    _home("a method outside of the function", "the apple is in no room", """
        TAKE = ["a", "b", "c"].pop
        def task_program():
            for room in get_all_rooms():
                go_to(room)
                if not is_in_room("apple"):
                    say(TAKE())
    """),
    _home("a method uses a list up in a long wait", "Jack does not come", """
        take = (["a"] * 30).pop
        for _ in range(100):
            if is_in_room("Jack"):
                return
            time.sleep(60)
            say(take())
    """),
    _home("two numbers that are none", "there is no cup, but a toy in the kitchen", """
        n = float("nan")
        seen = [n]
        x = n
        if not is_in_room("cup"):
            x = float("nan")
        go_to("kitchen")
        if is_in_room("toy"):
            say("toy")
        if x not in seen:
            TRAP
    """),
    _home("complex numbers that are none", "there is no cup, but a toy in the kitchen", """
        n = 1j * float("nan")
        seen = [n]
        x = n
        if not is_in_room("cup"):
            x = 1j * float("nan")
        go_to("kitchen")
        if is_in_room("toy"):
            say("toy")
        if x not in seen:
            TRAP
    """),
    _home("a number becomes another one that is none", "the second answer is No", """
        n = float("nan")
        seen = [n]
        again = False
        while not is_in_room("Jack"):
            if n not in seen:
                TRAP
            if ask("", "The same?", ["Yes", "No"]) == "No" and again:
                n = float("nan")
            again = True
    """),
    _home("two functions of one text", "there is no cup, but a toy in the kitchen", """
        def made():
            return lambda: 1
        def task_program():
            f = made()
            seen = [f]
            x = f
            if not is_in_room("cup"):
                x = made()
            go_to("kitchen")
            if is_in_room("toy"):
                say("toy")
            if x not in seen:
                TRAP
    """),
    _home("a function becomes another one", "the second answer is No", """
        def made():
            return lambda: 1
        def task_program():
            f = made()
            seen = [f]
            again = False
            while not is_in_room("Jack"):
                if f not in seen:
                    TRAP
                if ask("", "The same?", ["Yes", "No"]) == "No" and again:
                    f = made()
                again = True
    """),
]  # fmt: skip

BREAKABLE = [
    *FAILURES,
    *SPELLING,
    *WAITING,
    *TIME,
    *STARTS,
    *NAMES,
    *RUNS,
    *POLICIES,
    *KEPT,
    *WORDS_OF_FAILURES,
]
