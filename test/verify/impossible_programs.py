"""Programs that some world stops: full hands, nothing there, errors, loops without an end."""

from __future__ import annotations

from programs import case

WRONG_HANDS = [
    case("the same thing twice", 'pick("cup")\npick("cup")', "hand_full", 3),
    case("there is more of it, but one hand", """
        pick("cup")
        if is_in_room("cup"):
            pick("cup")
    """, "hand_full", 4),
    case("a helper that is called twice", """
        def take(thing):
            pick(thing)
        take("cup")
        take("hat")
    """, "hand_full", 3),
    case("in a comprehension", '[pick(thing) for thing in ["cup", "hat"]]', "hand_full", 2),
    case("a skill that is mapped", 'list(map(pick, ["cup", "hat"]))', "hand_full", 2),
    case("after a branch that did not put down", """
        pick("cup")
        if ask("", "Take it?", ["Yes", "No"]) == "Yes":
            place("cup")
        pick("hat")
    """, "hand_full", 5),
    case("a room further on", 'pick("cup")\ngo_to("hall")\npick("hat")', "hand_full", 4),
    case("in a helper that stands outside", """
        #raw
        def take(thing):
            pick(thing)
        def task_program():
            take("cup")
            take("hat")
    """, "hand_full", 2),
    case("the flag is never set", """
        holding = False
        for thing in ["cup", "hat"]:
            if is_in_room(thing) and not holding:
                pick(thing)
    """, "hand_full", 5),
    case("in finally", 'try:\n    pick("cup")\nfinally:\n    pick("hat")', "hand_full", 5),
    case("puts down where it never picked up", """
        if is_in_room("cup"):
            pick("cup")
        go_to("den")
        place("cup")
    """, "hand_empty", 5),
    case("puts down before picking up", 'place("cup")\npick("cup")', "hand_empty", 2),
    case("puts one thing down in two rooms", """
        pick("cup")
        for room in ["den", "hall"]:
            go_to(room)
            place("cup")
    """, "hand_empty", 5),
    case("after a break the hand is empty", """
        for thing in ["cup", "hat"]:
            if is_in_room(thing):
                pick(thing)
                break
        place(thing)
    """, "hand_empty", 6),
    case("another word for what is held", 'pick("red cup")\nplace("cup")', "not_held", 3),
    case("the other of two things", """
        thing = random.choice(["cup", "hat"])
        pick(thing)
        place("cup")
    """, "not_held", 4),
    case("the loop variable has moved on", """
        for thing in ["cup", "hat"]:
            if thing == "cup":
                pick(thing)
        place(thing)
    """, "not_held", 5),
]  # fmt: skip

ABSENT = [
    case("it looked and turned the answer round", """
        here = is_in_room("cup")
        if here == False:
            pick("cup")
    """, "object_absent", 4),
    case("the room where it began may be the one it comes to", """
        if not is_in_room("cup"):
            go_to("den")
            pick("cup")
    """, "object_absent", 4),
    case("back in the room where it was not", """
        go_to("den")
        seen = is_in_room("cup")
        go_to("hall")
        if not seen:
            go_to("den")
            pick("cup")
    """, "object_absent", 7),
    case("things that it knows do not come while it sleeps", """
        pick("cup")
        if not is_in_room("cup"):
            go_to("hall")
            place("cup")
            go_to("den")
            cup_in_den = is_in_room("cup")
            time.sleep(600)
            if not cup_in_den:
                pick("cup")
    """, "object_absent", 10),
    case("a room and its alias have the same things", """
        go_to("lounge")
        if not is_in_room("vase"):
            go_to("living room")
            pick("vase")
    """, "object_absent", 5, closed=True),
    case("the last of the things that are missing", """
        missing = [thing for thing in ["cup", "hat"] if not is_in_room(thing)]
        if missing:
            pick(missing[-1])
    """, "object_absent", 4),
    case("asks whom it just missed", """
        if is_in_room("Ann"):
            say("hello")
        else:
            ask("Ann", "Where are you?", ["here"])
    """, "person_absent", 5),
    case("asks nobody while it waits for somebody", """
        while not is_in_room("person"):
            ask("", "Is anybody there?", ["Yes"])
    """, "person_absent", 3),
    case("people leave while the robot sleeps", """
        if is_in_room("person"):
            time.sleep(60)
            if not is_in_room("someone"):
                ask("", "Still here?", ["Yes"])
    """, "person_absent", 5),
    case("back where nobody was", """
        go_to("den")
        empty = not is_in_room("anybody")
        go_to("hall")
        go_to("den")
        if empty:
            ask("Bo", "Since when?", ["now"])
    """, "person_absent", 7),
]  # fmt: skip

ENDLESS = [
    case("looks once and waits for ever", """
        here = is_in_room("person")
        while not here:
            time.sleep(1)
    """, "non_termination", 3),
    case("sleeps for ever", "while True:\n    time.sleep(60)", "non_termination", 2),
    case("undoes what it waits for", """
        go_to("hall")
        pick("toy")
        while True:
            place("toy")
            if not is_in_room("toy"):
                break
            pick("toy")
    """, "non_termination", 4),
    case("break leaves the inner loop only, for ever", """
        while True:
            for room in ["den", "hall"]:
                if room == "hall":
                    break
    """, "non_termination", 2),
    case("continue leaps over the counting", """
        n = 0
        while n < 3:
            if n == 1:
                continue
            n += 1
    """, "non_termination", 3),
    case("counts something else", """
        tries = count = 0
        while tries < 3:
            count = tries + 1
    """, "non_termination", 3),
    case("there are not so many rooms", """
        found = []
        while len(found) < 20:
            for room in get_all_rooms():
                if room not in found:
                    found.append(room)
    """, "non_termination", 3, closed=True),
    case("a million steps", """
        for x in range(1000):
            for y in range(1000):
                pass
    """, "step_budget", 2),
    case("the list grows as it is gone through", """
        things = ["cup"]
        for thing in things:
            things.append(thing)
    """, "step_budget", 3),
    case("more than any memory", 'x = [0] * 10 ** 13', "memory_budget", 2),
]  # fmt: skip

PYTHON_ERRORS = [
    case("the mean of nothing", """
        ages = []
        if is_in_room("Ann"):
            ages.append(int(ask("Ann", "How old are you?", ["30", "40"])))
        say(str(sum(ages) / len(ages)))
    """, "python_error", 5),
    case("an option without an entry", """
        prices = {"tea": 2, "coffee": 3}
        say(str(prices[ask("", "What?", ["tea", "coffee", "milk"])]))
    """, "python_error", 3),
    case("the largest of nothing", """
        seen = [t for t in ["cup", "hat"] if is_in_room(t)]
        say(max(seen))
    """, "python_error", 3),
    case("no such room in the list", 'i = get_all_rooms().index("lab")', "python_error", 2),
    case("removes a room of another house", 'get_all_rooms().remove("lab")', "python_error", 2,
         closed=True),
    case("the second of one room", 'say(get_all_rooms()[1])', "python_error", 2),
    case("two names for whatever rooms match", """
        a, b = [room for room in get_all_rooms() if "lab" in room]
    """, "python_error", 2),
    case("a variable that one branch sets", """
        if is_in_room("cup"):
            found = "cup"
        say(found)
    """, "python_error", 4),
    case("a counter of the outer function", """
        count = 0
        def tick():
            count += 1
        tick()
    """, "python_error", 4),
    case("the name of an error after its handler", """
        try:
            raise ValueError("x")
        except ValueError as error:
            pass
        say(str(error))
    """, "python_error", 6),
    case("an assertion that some world breaks", 'assert is_in_room("cup"), "no cup"',
         "python_error", 2),
    case("a helper without its argument", "def take(thing):\n    pick(thing)\ntake()",
         "python_error", 4),
    case("nothing to choose from", """
        rooms = [room for room in get_all_rooms() if "lab" in room]
        go_to(random.choice(rooms))
    """, "python_error", 3),
    case("next of nothing", """
        rooms = (room for room in get_all_rooms() if room == "lab")
        go_to(next(rooms))
    """, "python_error", 3),
    case("a dict that changes as it is gone through", """
        stock = {"cup": 1, "hat": 2}
        for thing in stock:
            if is_in_room(thing):
                del stock[thing]
    """, "python_error", 3),
    case("sorting texts and numbers", 'sorted(["cup", 3])', "python_error", 2),
    case("in place means None", 'things = ["b", "a"].sort()\nsay(things[0])', "python_error", 3),
    case("a number that is no number", 'n = int("three")', "python_error", 2),
    case("the wrong error is caught", """
        try:
            say([][0])
        except KeyError:
            say("none")
    """, "python_error", 3),
    case("an error in a handler", """
        try:
            raise ValueError("x")
        except ValueError:
            {}["y"]
    """, "python_error", 5),
    case("a helper's error at its own line", """
        def half(n):
            return n / 0
        half(4)
    """, "python_error", 3),
    case("an error that is raised for nobody", """
        if not is_in_room("Ann"):
            raise SkillError("nobody", "Ann is away")
    """, "python_error", 3),
    case("a list as a key", 'seen = {["cup"]: True}', "python_error", 2),
    case("a letter in a text is set", 'name = "cup"\nname[0] = "C"', "python_error", 3),
    case("chance without room", "random.randint(3, 1)", "python_error", 2),
    case("three things of two", 'random.sample(["cup", "hat"], 3)', "python_error", 2),
    case("an error before the program begins", "#raw\nX = [][0]\ndef task_program():\n    pass",
         "python_error", 1),
    case("two parts of an answer of one word", """
        drink, size = ask("", "What?", ["large tea", "water"]).split()
    """, "python_error", 2),
]  # fmt: skip

MISUSED = [
    case("a number of whatever was answered", """
        count = int(ask("", "How many?", ["1", "2", "3 or more"]))
    """, "misused_result", 2),
    case("counts to an answer", """
        n = ask("", "How many?", ["1", "2"])
        for i in range(n):
            say("hello")
    """, "misused_result", 3),
    case("adds to an answer", 'say(ask("", "Age?", ["3", "4"]) + 1)', "misused_result", 2),
    case("compares an answer with a number", """
        age = ask("", "Age?", ["3", "14"])
        if age >= 10:
            say("hello")
    """, "misused_result", 3),
    case("goes through the rooms of going", """
        rooms = go_to("den")
        for room in rooms:
            say(room)
    """, "misused_result", 3),
    case("the kitchen of all rooms", 'kitchen = get_all_rooms()["kitchen"]', "misused_result", 2),
    case("all rooms in lower case", "rooms = get_all_rooms().lower()", "misused_result", 2),
    case("a truth value in a sentence", 'say("cup: " + is_in_room("cup"))', "misused_result", 2),
    case("how many cups are there", 'len(is_in_room("cup"))', "misused_result", 2),
    case("where the robot is as a list", 'get_current_location().append("den")',
         "misused_result", 2),
    case("picking gives no thing to ask", 'cup = pick("cup")\nsay(cup.upper())',
         "misused_result", 3),
]  # fmt: skip
