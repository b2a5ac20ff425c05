"""Tasks as a language model writes them for this robot."""

from __future__ import annotations

from programs import case

TASKS = [
    case("lay the table for as many guests as come", """
        start = get_current_location()
        answer = ask("", "How many guests are coming tonight?", ["1", "2", "3"])
        guests = int(answer)
        for guest in range(guests):
            for item in ["plate", "wine glass"]:
                go_to("kitchen")
                pick(item)
                go_to("dining room")
                place(item)
        go_to(start)
        say(f"The table is laid for {guests} guest{'s' if guests > 1 else ''}.")
    """, closed=True),
    case("bring Grandma her blanket and ask whether she is well", """
        go_to("living room")
        if not is_in_room("blanket"):
            go_to("guest bedroom")
            say("I could not find the blanket, sorry.")
            return
        pick("blanket")
        go_to("guest bedroom")
        place("blanket")
        if is_in_room("Grandma"):
            mood = ask("Grandma", "Are you well?", ["Yes", "So-so", "No"])
            if mood != "Yes":
                go_to("living room")
                say("Please look after Grandma. She answered: " + mood)
    """, closed=True),
    case("a vote on the film for tonight", """
        votes = {}
        for person, room in {"Alice": "living room", "Bob": "study"}.items():
            go_to(room)
            if not is_in_room(person):
                continue
            film = ask(person, "Which film tonight?", ["Comedy", "Thriller"])
            votes[film] = votes.get(film, 0) + 1
        go_to("living room")
        if not votes:
            say("Nobody voted.")
        elif len(set(votes.values())) == 1 and len(votes) > 1:
            say("It is a draw.")
        else:
            winner, count = max(votes.items(), key=lambda vote: vote[1])
            say(f"{winner} wins with {count} vote(s).")
    """, closed=True),
    case("find the keys and bring them to the one who asked", """
        start_loc = get_current_location()
        found = False
        for room in get_all_rooms():
            go_to(room)
            if is_in_room("keys"):
                pick("keys")
                found = True
                break
        go_to(start_loc)
        if found:
            place("keys")
        say("Here are your keys" if found else "Your keys are nowhere")
    """),
    case("take the visitor to the right office", """
        offices = {"Ms Lee": "office 1", "Mr Diaz": "office 2"}
        go_to("reception")
        while not is_in_room("visitor"):
            time.sleep(30)
        host = ask("visitor", "Whom would you like to see?", list(offices.keys()))
        say(f"Please follow me to {host}.")
        go_to(offices[host])
        if is_in_room(host):
            say("Here is your visitor.")
        else:
            say(f"{host} is not here yet, please take a seat.")
        go_to("reception")
    """),
    case("deliver the post and bring back what nobody takes", """
        undelivered = []
        for name in ["Ann", "Bo"]:
            go_to("post room")
            if not is_in_room(f"letter for {name}"):
                continue
            pick(f"letter for {name}")
            go_to(f"{name}'s office")
            if is_in_room(name):
                say(f"Hello {name}, there is a letter for you.")
            else:
                undelivered.append(name)
                go_to("post room")
            place(f"letter for {name}")
        go_to("post room")
        say("All delivered" if not undelivered else "Not there: " + ", ".join(undelivered))
    """),
    case("a reminder that gives up after three rounds", """
        go_to("guest bedroom")
        taken = False
        for attempt in range(3):
            if is_in_room("Grandma"):
                answer = ask("Grandma", "Have you taken your medicine?", ["Yes", "Not yet"])
                if answer == "Yes":
                    taken = True
                    break
            time.sleep(600)
        go_to("living room")
        say("Grandma took her medicine." if taken else "Please check on Grandma.")
    """, closed=True),
    case("a quiz with a score", """
        questions = [
            ("What is two times three?", ["5", "6"], "6"),
            ("Which is a fruit?", ["hammer", "banana"], "banana"),
        ]
        score = 0
        for question, options, right in questions:
            if ask("", question, options) == right:
                score += 1
                say("Right!")
            else:
                say(f"No, it is {right}.")
        say(f"You have {score} of {len(questions)} points ({100 * score // len(questions)} %).")
    """),
    case("orders with prices", """
        menu = {"tea": 1.5, "coffee": 2.25}
        total, orders = 0.0, []
        go_to("meeting room")
        for guest in range(2):
            order = ask("", "What may I bring you?", [*menu, "nothing"])
            if order != "nothing":
                orders.append(order)
                total += menu[order]
        for order in orders:
            go_to("kitchen")
            pick(order)
            go_to("meeting room")
            place(order)
        say(f"That is {total:.2f} euros.")
    """),
    case("lend the hammer if Bob agrees", """
        go_to("study")
        if is_in_room("Bob") and ask("Bob", "May Alice have a hammer?", ["Yes", "No"]) == "Yes":
            go_to("garage")
            if is_in_room("hammer"):
                pick("hammer")
                go_to("living room")
                place("hammer")
        else:
            go_to("living room")
            say("Bob did not agree.")
    """, closed=True),
    case("what is missing in the kitchen", """
        shopping_list = []
        go_to("kitchen")
        for item in ("milk", "bread", "banana"):
            if not is_in_room(item):
                shopping_list.append(item)
        go_to("hallway")
        if shopping_list:
            say("Please buy " + " and ".join(shopping_list) + ".")
        else:
            say("Nothing is missing.")
    """, closed=True),
    case("swap the book and the magazine", """
        def move(thing, source, target):
            go_to(source)
            if not is_in_room(thing):
                say(f"There is no {thing} in the {source}.")
                return False
            pick(thing)
            go_to(target)
            place(thing)
            return True

        if move("book", "study", "living room"):
            move("magazine", "living room", "study")
    """, closed=True),
    case("tidy up by where things belong", """
        belongs = {"cup": "kitchen", "shirt": "laundry room", "toy car": "kids bedroom"}
        moved = 0
        for thing, home in belongs.items():
            go_to("lounge")
            if is_in_room(thing):
                pick(thing)
                go_to(home)
                place(thing)
                moved += 1
        go_to("lounge")
        say(f"I tidied up {moved} of {len(belongs)} things.")
    """, closed=True),
    case("the first meeting room that is free", """
        candidates = sorted(room for room in get_all_rooms() if "meeting" in room)
        free = None
        for room in candidates:
            go_to(room)
            if not is_in_room("person"):
                free = room
                break
        go_to("lobby")
        if free is None:
            say("All meeting rooms are taken" if candidates else "There are no meeting rooms")
        else:
            say(free + " is free")
    """),
    case("hide and seek", """
        for number in range(5, 0, -1):
            say(str(number))
            time.sleep(1)
        for room in [r for r in get_all_rooms() if r != get_current_location()]:
            go_to(room)
            if is_in_room("Emma"):
                say("Found you, Emma!")
                break
        else:
            say("I give up, you can come out!")
    """),
    case("the drink that is there", """
        preferences = ["lemonade", "juice", "bottle of water"]
        go_to("kitchen")
        drink = next((d for d in preferences if is_in_room(d)), None)
        if drink:
            pick(drink)
            go_to("living room")
            place(drink)
        say("Here you are: " + drink if drink else "There is nothing to drink.")
    """, closed=True),
    case("fetch help until somebody says yes", """
        helper = None
        people = ["Ann", "Bo", "Cy"]
        while people and helper is None:
            person = people.pop(0)
            go_to(f"{person}'s desk")
            if is_in_room(person):
                if ask(person, "Can you help in the lab?", ["Yes", "No"]) == "Yes":
                    helper = person
        go_to("lab")
        say(f"{helper} is coming." if helper else "Nobody can come.")
    """),
    case("count the chairs of the classrooms", """
        report = {}
        for room in get_all_rooms():
            if "class" in room.lower():
                go_to(room)
                report[room] = ask("", "How many chairs are here?", ["10", "20"])
        total = sum(int(chairs) for chairs in report.values())
        lines = [f"{room}: {chairs}" for room, chairs in sorted(report.items())]
        say("; ".join([*lines, f"together {total}"]))
    """),
    case("hand out the cake to whoever is in the offices", """
        served = set()
        offices = [room for room in get_all_rooms() if room.endswith("office")]
        for office in offices:
            go_to("kitchen")
            pick("piece of cake")
            go_to(office)
            if is_in_room("person") and ask("", "Would you like cake?", ["Yes", "No"]) == "Yes":
                served.add(office)
                place("piece of cake")
            else:
                go_to("kitchen")
                place("piece of cake")
        say(f"{len(served)} of {len(offices)} offices had cake.")
    """),
    case("wait at the door until both children are home", """
        children = ["Emma", "Max"]
        home = []
        go_to("hallway")
        while len(home) < len(children):
            for child in children:
                if child not in home and is_in_room(child):
                    say(f"Welcome home, {child}!")
                    home.append(child)
            time.sleep(60)
        go_to("study")
        say(" and ".join(sorted(home)) + " are home.")
    """, closed=True),
    case("a story of Emma's choice", """
        stories = {"dragons": ["Once there was a dragon.", "It was friendly.", "The end."],
                   "pirates": ["Far out at sea ...", "The end."]}
        go_to("kids bedroom")
        if not is_in_room("Emma"):
            say("Emma, where are you?")
            return
        told = 0
        again = True
        while again and told < 2:
            topic = ask("Emma", "Which story?", [*stories, "none"])
            if topic == "none":
                break
            for sentence in stories[topic]:
                say(sentence)
                time.sleep(2)
            told += 1
            again = ask("Emma", "Another one?", ["Yes", "No"]) == "Yes"
        say("Good night, Emma.")
    """, closed=True),
]  # fmt: skip
