"""Programs with the verdict that each must get."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

from roboinstruct_ros.generate.prompts.examples import EXAMPLES

ANSWER = '["Yes", "No"]'


@dataclass(frozen=True)
class Case:
    """A program in the open world or, with `closed`, on the map of the shipped home.

    Attributes:
        code: of a violation that must be found; empty when the program is accepted.
        line: of that violation.
    """

    name: str
    body: str
    code: str = ""
    line: int = 0
    closed: bool = False

    @property
    def source(self) -> str:
        body = textwrap.dedent(self.body).strip("\n")
        if "def task_program" in body or body.startswith("#raw\n"):
            return body.removeprefix("#raw\n") + "\n"
        return source_of(body)


def source_of(body: str) -> str:
    """The program with this body, of any indentation."""
    return f"def task_program():\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n"


def case(name: str, body: str, code: str = "", line: int = 0, closed: bool = False) -> Case:
    return Case(name, body, code, line, closed)


SEED_EXAMPLES = [
    case(example.partition("\n")[0].removeprefix("# Instruction: "), example.partition("\n")[2])
    for example in EXAMPLES
]

PAPER_ERRORS = [
    case("figure 4.1: asks somebody who may be absent", """
        go_to("game room")
        if is_in_room("Jack"):
            say("Hello Jack")
        response = ask("Jack", "Want to play a game?", ["Yes", "No"])
    """, "person_absent", 5),
    case("figure 4.2: takes a truth value for a list", """
        list_of_rooms = get_all_rooms()
        rooms_with_robots = []
        for room in list_of_rooms:
            if "robot" in is_in_room("robot"):
                go_to(room)
    """, "misused_result", 5),
    case("figure 4.3: picks a room up", """
        go_to("item storage room")
        pick("item storage room")
    """, "entity_type_conflict", 3),
    case("figure 4.4: picks a second toy", """
        for room in get_all_rooms():
            if room != "living room":
                go_to(room)
                pick("toy")
                go_to("living room")
                if not is_in_room("toy"):
                    place("toy")
    """, "hand_full", 5),
]  # fmt: skip

PAPER_LONG_TASKS = [
    case("appendix A.6: double the money", '''
        start_loc = get_current_location()
        list_of_rooms = ["A", "B", "C", "D", "E", "F", "G"]
        money = 1
        for room in list_of_rooms:
            go_to(room)
            if is_in_room("person"):
                say("I have $" + str(money))
                response = ask("", """Would you like to take the money now
        or double the amount and give it to the next person?""",
                    ["Take now", "Double and give"])
                if response == "Take now":
                    go_to(start_loc)
                    say("The game is over, I gave the money to " + room)
                    return
                else:
                    money *= 2
        go_to(start_loc)
        say("No one took the money, I still have $" + str(money))
    '''),
    case("appendix A.6: furnish my office", """
        start_loc = get_current_location()
        go_to("my office")
        table_found = is_in_room("table")
        chair_found = is_in_room("chair")
        monitor_found = is_in_room("monitor")
        if not table_found:
            go_to("Jason's office")
            if is_in_room("Jason"):
                response = ask("Jason", "Can I borrow the table from you?",
                    ["Yes", "No"])
                if response == "Yes":
                    go_to("Jason's office")
                    pick("table")
                    go_to("my office")
                    place("table")
                else:
                    go_to(start_loc)
                    say("Jason said no")
            else:
                go_to(start_loc)
                say("Jason is not in his office")
        if not chair_found:
            go_to("Jason's office")
            if is_in_room("Jason"):
                response = ask("Jason", "Can I borrow the chair from you?",
                    ["Yes", "No"])
                if response == "Yes":
                    go_to("Jason's office")
                    pick("chair")
                    go_to("my office")
                    place("chair")
                else:
                    go_to(start_loc)
                    say("Jason said no")
            else:
                go_to(start_loc)
                say("Jason is not in his office")
        if not monitor_found:
            go_to("Jason's office")
            if is_in_room("Jason"):
                response = ask("Jason", "Can I borrow the monitor from you?",
                    ["Yes", "No"])
                if response == "Yes":
                    go_to("Jason's office")
                    pick("monitor")
                    go_to("my office")
                    place("monitor")
                else:
                    go_to(start_loc)
                    say("Jason said no")
            else:
                go_to(start_loc)
                say("Jason is not in his office")
        go_to(start_loc)
        say("task is completed")
    """),
]  # fmt: skip

ACCEPTED = [
    case("nothing", "pass"),
    case("carries what is there", """
        go_to("kitchen")
        if is_in_room("apple"):
            pick("apple")
            go_to("living room")
            place("apple")
    """, closed=True),
    case("an alias of the map is a room", 'go_to("Kitchen")', closed=True),
    case("may wait for ever", """
        go_to("kitchen")
        while not is_in_room("person"):
            time.sleep(5)
        say("welcome")
    """, closed=True),
    case("waits until everybody has left", """
        while is_in_room("person"):
            time.sleep(5)
        say("alone")
    """),
    case("looks, fetches, puts down again and again", """
        for _ in range(3):
            go_to("pantry")
            pick("bottle of water")
            go_to("lobby")
            place("bottle of water")
    """),
    case("a helper function", """
        def task_program():
            def carry(thing, place_name):
                pick(thing)
                go_to(place_name)
                place(thing)
            for thing in ["cup", "plate"]:
                go_to("kitchen")
                carry(thing, "dining room")
    """),
    case("a skill's failure is caught", """
        try:
            go_to("kitchen")
        except SkillError as error:
            say("sorry: " + error.message)
    """),
    case("strings, lists and dicts behave as in Python", """
        rooms = sorted(get_all_rooms())
        count = {room: len(room) for room in rooms if room.startswith("h")}
        say(f"{sum(count.values())} letters, {', '.join(count)!s} and more")
    """),
    case("place leaves the object there", """
        go_to("study")
        pick("book")
        place("book")
        if not is_in_room("book"):
            pick("nothing at all")
            pick("twice")
    """),
    case("looks at the clock", """
        start = time.time()
        while time.time() - start < 3600:
            if is_in_room("Bob"):
                break
            time.sleep(60)
        say("done")
    """),
    case("a question with three options, again and again", """
        while ask("", "Enough?", ["no", "maybe", "yes"]) != "yes":
            say("then more")
    """),
    case("waits through a function", """
        def door_is_open():
            return is_in_room("open door")
        while not door_is_open():
            say("Please open the door")
    """),
    case("somebody may have come while the robot slept", """
        if not is_in_room("person"):
            time.sleep(60)
            ask("", "Is it warm?", ["Yes", "No"])
    """),
    case("a word that is compared with an answer makes no room", """
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("apple") == True:
                say("an apple")
    """),
    case("a word that is compared with a thing makes no room", """
        for room in get_all_rooms():
            go_to(room)
            for thing in ["apple", "cup"]:
                if thing == "apple" and is_in_room(thing):
                    say("an apple")
    """),
    case("what the robot put down is there", """
        go_to("hall")
        while not is_in_room("toy"):
            go_to("shop")
            pick("toy")
            go_to("hall")
            place("toy")
        pick("toy")
    """),
    case("cleans up at the end", """
        try:
            go_to("kitchen")
        finally:
            for _ in range(2):
                say("done")
    """),
    case("any room will do", 'go_to(random.choice(get_all_rooms()))'),
    case("Jack present means that somebody is", """
        if is_in_room("Jack"):
            ask("", "All well?", ["Yes", "No"])
    """),
]  # fmt: skip
