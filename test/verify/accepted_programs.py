"""Programs that no world stops; most of them would break a rule if they were read wrongly."""

from __future__ import annotations

from programs import ANSWER, case

PYTHON = [
    case("a variable called time", """
        time = "9:30"
        say("It is " + time)
        for random in ["a", "b"]:
            say(random)
        assert time.split(":") == ["9", "30"]
    """),
    case("a builtin's name in one function, the builtin in another", """
        def total(numbers):
            sum = 0
            for number in numbers:
                sum += number
            return sum
        assert total([1, 2]) == sum([1, 2])
    """),
    case("a function waits while another has a variable called time", """
        def say_it(time):
            say(f"It is {time}")
        time.sleep(1)
        say_it("nine")
    """),
    case("a thing by two spellings", """
        pick("the Cup")
        place("cup")
    """),
    case("formats", """
        here = get_current_location()
        say("I am in {}".format(here))
        say("{0} and {0}, {name:>8}".format(1, name="Bob"))
        say("%s has %d legs, 100%%" % ("it", 4))
        assert "{:>3}|{!r}".format(1, "a") == "  1|'a'"
    """),
    case("imports of what is there", """
        import time
        import math, random
        time.sleep(math.ceil(0.5))
        assert random.choice([1]) == 1
    """),
    case("keywords of chance", """
        assert random.sample(population=["a"], k=1) == ["a"]
        assert random.randint(a=1, b=1) == 1
        assert random.choice(seq=["a"]) == "a"
    """),
    case("a counter of all functions", """
        count = 0
        def note():
            global count
            count += 1
        def task_program():
            note()
            note()
            assert count == 2
    """),
    case("a thing that is called as a room's alias", """
        if is_in_room("guest room"):
            say("a book of that name")
    """, closed=True),
    case("the else of a while runs when it ends by itself", """
        n = 0
        while n < 3:
            n += 1
            if n == 5:
                break
        else:
            pick("cup")
        place("cup")
    """),
    case("the else of a for is left out after break", """
        for thing in ["cup", "plate"]:
            if is_in_room(thing):
                pick(thing)
                break
        else:
            pick("spoon")
    """),
    case("break leaves the inner loop only", """
        visited = []
        for room in ["den", "attic"]:
            go_to(room)
            for thing in ["cup", "ball"]:
                if is_in_room(thing):
                    break
            visited.append(room)
        assert visited == ["den", "attic"]
    """),
    case("continue goes on with the next one", """
        for thing in ["cup", "ball", "hat"]:
            if thing == "ball":
                continue
            pick(thing)
            if thing == "cup":
                place(thing)
    """),
    case("try, else and finally in their order", """
        order = []
        try:
            order.append("try")
        except SkillError:
            order.append("except")
        else:
            order.append("else")
        finally:
            order.append("finally")
        assert order == ["try", "else", "finally"]
    """),
    case("a helper raises and the caller catches", """
        def take(thing):
            if not is_in_room(thing):
                raise LookupError(thing)
            pick(thing)
        try:
            take("cup")
            place("cup")
        except LookupError as error:
            say("no " + str(error))
    """),
    case("a missing key is a lookup error", """
        prices = {"tea": 2}
        try:
            say(str(prices["milk"]))
        except (IndexError, LookupError):
            pick("milk")
        place("milk")
    """),
    case("finally puts down what an error left in the hand", """
        pick("cup")
        try:
            say("is there a table?")
            raise RuntimeError("no table")
        except RuntimeError:
            say("no table here")
        finally:
            place("cup")
        pick("plate")
    """),
    case("finally knows what a failed skill has left undone", """
        held = False
        try:
            pick("cup")
            held = True
        finally:
            if held:
                place("cup")
            else:
                say("I could not take the cup")
        pick("plate")
    """),
    case("the program's own SkillError has a code and a message", """
        try:
            raise SkillError("too_heavy", "the box is too heavy")
        except SkillError as error:
            assert error.code == "too_heavy"
            say(error.message)
    """),
    case("an error is raised again to the handler outside", """
        try:
            try:
                raise ValueError("inner")
            except ValueError:
                raise
        except ValueError as error:
            say(str(error))
    """),
    case("functions made in a loop see its last value", """
        takes = [lambda: n for n in range(3)]
        assert [take() for take in takes] == [2, 2, 2]
    """),
    case("nonlocal counts across calls", """
        held = 0
        def take(thing):
            nonlocal held
            if held == 0:
                pick(thing)
                held += 1
        for thing in ["cup", "plate", "fork"]:
            take(thing)
    """),
    case("recursion that ends", """
        def visit(rooms):
            if not rooms:
                return 0
            go_to(rooms[0])
            return 1 + visit(rooms[1:])
        assert visit(["den", "attic", "hall"]) == 3
    """),
    case("default and keyword arguments", """
        def bring(thing, where="hall", *, loud=True):
            pick(thing)
            go_to(where)
            place(thing)
            return loud
        assert bring("cup")
        assert not bring(thing="hat", loud=False)
    """),
    case("helpers with *args and **kwargs", """
        def tell(*parts, **ends):
            say(" ".join(parts) + ends.get("end", "."))
        tell("two", "words", end="!")
        tell("none")
    """),
    case("a skill's arguments out of a dict and a list", """
        request = {"person": "Ann", "question": "Tea?", "options": ["Yes", "No"]}
        if ask(**request) == "Yes":
            go_to(*["kitchen"])
    """),
    case("a lambda sorts", """
        things = [("cup", 3), ("hat", 1), ("pen", 2)]
        things.sort(key=lambda pair: -pair[1])
        assert [name for name, _ in things] == ["cup", "pen", "hat"]
        assert min(things, key=lambda pair: pair[1])[0] == "hat"
        assert sorted(["Bo", "al"], key=str.lower) == ["al", "Bo"]
    """),
    case("what a dict can do", """
        stock = {"cup": 1}
        stock.setdefault("hat", []).append("red")
        stock.update({"pen": 2})
        assert stock.pop("cup") == 1 and stock.get("cup", 0) == 0
        assert list(stock.items()) == [("hat", ["red"]), ("pen", 2)]
        assert {v: k for k, v in {"a": 1}.items()} == {1: "a"}
    """),
    case("what a set can do", """
        have, want = {"cup", "pen"}, {"pen", "hat"}
        assert want - have == {"hat"} == want.difference(have)
        assert have & want == {"pen"} and len(have | want) == 3
        have.discard("sock")
        for thing in sorted(want - have):
            pick(thing)
    """),
    case("what a list can do", """
        things = ["b", "a"]
        things.insert(0, "c")
        things.extend(["d"])
        things.remove("a")
        assert things.pop() == "d" and things.index("b") == 1
        things.reverse()
        assert things == ["b", "c"] and things * 2 == ["b", "c", "b", "c"]
    """),
    case("two names of one list", """
        a = b = []
        a.append("cup")
        if not b:
            place("cup")
        c = a.copy()
        c.clear()
        assert a == ["cup"]
    """),
    case("a comprehension keeps its name to itself", """
        thing = "cup"
        labels = [thing.upper() for thing in ["hat", "pen"]]
        pick(thing)
        place("cup")
        assert labels == ["HAT", "PEN"]
    """),
    case("nested comprehensions", """
        pairs = [(room, thing) for room in ["den", "hall"] for thing in ["cup", "pen"]]
        grid = {room: [t for r, t in pairs if r == room] for room, _ in pairs}
        assert len(pairs) == 4 and grid["hall"] == ["cup", "pen"]
    """),
    case("any stops at the first that is there", """
        looked = []
        def sees(thing):
            looked.append(thing)
            return is_in_room(thing)
        if any(sees(thing) for thing in ["cup", "hat"]):
            pick(looked[-1])
    """),
    case("all stops at the first that is missing", """
        looked = []
        def sees(thing):
            looked.append(thing)
            return is_in_room(thing)
        if not all(sees(thing) for thing in ["cup", "hat"]) and len(looked) == 2:
            pick("cup")
    """),
    case("and stops at what is false", """
        if is_in_room("cup") and pick("cup") is None:
            place("cup")
    """),
    case("or gives the first that is something", """
        name = "" or None or "cup"
        pick(name)
        place("cup")
    """),
    case("a chained comparison asks its middle once", """
        if 1 < int(ask("", "How many?", ["1", "2", "3"])) <= 2 < 3:
            pick("second cup")
        assert not 1 < 3 < 2
    """),
    case("a walrus keeps the answer", """
        while (answer := ask("", "Another song?", ["Yes", "No"])) == "Yes":
            say("la la la")
        assert answer == "No"
    """),
    case("a conditional expression and None", """
        thing = "cup" if is_in_room("cup") else None
        if thing is not None:
            pick(thing)
    """),
    case("unpacking with a star, and swapping", """
        first, *rest, last = ["a", "b", "c", "d"]
        first, last = last, first
        assert (first, rest, last) == ("d", ["b", "c"], "a")
        for (x, y), *z in [((1, 2), 3, 4)]:
            assert [x, y, *z] == [1, 2, 3, 4]
    """),
    case("slices with steps and from the end", """
        letters = ["a", "b", "c", "d", "e"]
        assert letters[::-2] == ["e", "c", "a"] and letters[-2:] == ["d", "e"]
        assert letters[1:99:2] == ["b", "d"] and "kitchen"[-3:] == "hen"
        letters[1:3] = []
        del letters[0]
        assert letters == ["d", "e"]
    """),
    case("texts built in four ways", """
        n, price = 2, 3.456
        assert f"{n:>3}|{price:.1f}|{n!r}" == "  2|3.5|2"
        assert "%d cups, %s" % (n, "tea") == "2 cups, tea"
        assert ", ".join(str(i) for i in range(n)) == "0, 1"
        say("-" * n + "!")
    """),
    case("what a text can do", """
        name = " ann's Office \\n".strip()
        assert name.title() == "Ann'S Office" and name.split("'")[0] == "ann"
        assert name.partition("'")[2] == "s Office" and name.find("x") == -1
        assert "7".zfill(2) == "07" and not "7a".isdigit()
        assert name.removesuffix("Office").endswith("s ") and name.count("f") == 2
    """),
    case("a bad answer for a number is caught", """
        try:
            number = int(ask("", "How many cups?", ["2", "a few"]))
        except ValueError:
            number = 3
        for n in range(number):
            pick(f"cup {n + 1}")
            place(f"cup {n + 1}")
    """),
    case("answers with a decimal point", """
        litres = float(ask("", "How much water?", ["0.5", "1.5"]))
        assert round(litres * 4) in (2, 6)
    """),
    case("only answers of digits are made numbers", """
        answer = ask("", "How many?", ["1", "none"])
        count = int(answer) if answer.isdigit() else 0
        assert count == len(["x"] * count)
    """),
    case("enumerate, zip, range and reversed", """
        for n, (room, thing) in enumerate(zip(["den", "hall"], ["cup", "pen", "hat"]), start=1):
            assert f"{n}{room}{thing}" in ["1dencup", "2hallpen"]
        assert list(range(5, 0, -2)) == [5, 3, 1] == list(reversed([1, 3, 5]))
    """),
    case("whole and broken numbers", """
        assert -7 // 2 == -4 and -7 % 3 == 2 and 2 ** -1 == 0.5
        assert 0.1 + 0.2 != 0.3 and math.isclose(0.1 + 0.2, 0.3)
        assert round(2.5) == 2 and int(-2.7) == -2 and divmod(17, 5) == (3, 2)
        assert math.ceil(7 / 2) == 4 and abs(-3) == max(1, 3) and sum([0.5] * 4) == 2
    """),
    case("a skill that only acts gives None", """
        assert go_to("den") is None
        assert not say("hello")
    """),
    case("a list is true while something is in it", """
        things = ["cup", "hat"]
        while things:
            thing = things.pop(0)
            pick(thing)
            place(thing)
        if things or "" or 0 or {}:
            place("nothing")
    """),
    case("a parameter hides the name outside", """
        thing = "cup"
        def take(thing):
            pick(thing)
        take("hat")
        place("hat")
        assert thing == "cup"
    """),
    case("nothing after a return", """
        pick("cup")
        place("cup")
        return
        place("cup")
    """),
    case("a helper returns from two loops at once", """
        def first_seen():
            for room in ["den", "hall"]:
                go_to(room)
                for thing in ["cup", "pen"]:
                    if is_in_room(thing):
                        return thing
            return ""
        found = first_seen()
        if found:
            pick(found)
    """),
    case("what no condition reaches", """
        if len("cup") > 3:
            place("cup")
        while False:
            place("cup")
    """),
    case("constants, types and texts in the margin", '''
        #raw
        """Bring the post."""
        ROOMS: list[str] = ["den", "hall"]
        def carry(thing: str, where: str) -> None:
            """Carry it there."""
            pick(thing)
            go_to(where)
            place(thing)
        def task_program() -> None:
            """Bring the post to every room."""
            for room in ROOMS:
                go_to("post room")
                carry("letter", room)
    '''),
    case("filter, map and the kinds of values", """
        words = list(map(str.strip, [" cup", "hat "]))
        assert list(filter(lambda w: w != "hat", words)) == ["cup"]
        assert isinstance(words, list) and not isinstance("cup", (int, float))
    """),
    case("next with something for the empty case", """
        seen = next((t for t in ["cup", "hat"] if is_in_room(t)), None)
        if seen:
            pick(seen)
    """),
    case("answers are counted in a dict", f"""
        votes = {{"Yes": 0, "No": 0}}
        for person in ["Ann", "Bo", "Cy"]:
            votes[ask(person, "Pizza?", {ANSWER})] += 1
        winner = max(votes, key=votes.get)
        assert votes[winner] >= 2
    """),
    case("printing does nothing", 'print("debug", 3, sep="-")'),
]  # fmt: skip
