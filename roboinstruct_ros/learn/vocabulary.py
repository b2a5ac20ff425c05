"""The words the training instructions are built from.

Two sets of each: the ones training draws from, and the held-out ones that only evaluation sees.
Word lists are plain strings so that adding a word is a one-word change.
"""

from __future__ import annotations


def _words(text: str) -> tuple[str, ...]:
    return tuple(" ".join(part.split()) for part in text.split(",") if part.strip())


THINGS = _words("""
apple, banana, orange, pear, peach, lemon, mango, sandwich, bagel, muffin, cookie, cake, pizza,
burger, donut, salad, carrot, tomato, potato, onion, egg, yogurt, cereal bar, granola bar,
chocolate bar, bottle of water, bottle of milk, bottle of juice, bottle of wine, water bottle,
glass of water, cup of coffee, cup of tea, coffee cup, coffee mug, teapot, mug, cup, glass, bowl,
plate, fork, knife, spoon, pan, pot, kettle, toaster, blender, tray, can of soda, soda can,
diet coke, energy drink, lunch box, snack, bag of chips, box of cereal, carton of milk, jar of
honey, loaf of bread, towel, bath towel, napkin, paper towel, sponge, dish cloth, broom, mop,
bucket, dustpan, vacuum cleaner, trash bag, trash can, laundry basket, iron, ironing board, bed
sheet, blanket, pillow, pillow case, duvet, curtain, rug, carpet, lamp, desk lamp, light bulb,
candle, vase, flower pot, plant, watering can, picture frame, painting, mirror, clock, alarm
clock, calendar, book, notebook, textbook, dictionary, magazine, newspaper, comic book, novel,
letter, envelope, package, parcel, postcard, stamp, box, cardboard box, folder, binder, file,
document, report, form, contract, invoice, receipt, clipboard, poster, map, pen, pencil, marker,
red marker, whiteboard marker, highlighter, eraser, ruler, stapler, paper clip, hole puncher,
tape dispenser, roll of tape, glue stick, calculator, laptop, tablet, phone, phone charger,
laptop charger, charger, power bank, adapter, cable, extension cord, power strip, keyboard, mouse,
monitor, projector, printer, scanner, speaker, microphone, camera, tripod, webcam, headset, router,
hard drive, usb stick, battery, flashlight, remote control, tv remote, remote, game controller,
board game, chess set, puzzle, toy car, toy truck, teddy bear, doll, ball, football, basketball,
tennis ball, tennis racket, baseball bat, yoga mat, dumbbell, skateboard, helmet, bicycle pump,
umbrella, raincoat, jacket, coat, sweater, hoodie, shirt, t-shirt, dress, skirt, scarf, hat, cap,
belt, tie, sock, shoe, boot, backpack, handbag, suitcase, wallet, purse, watch, ring, necklace, key,
key card, badge, name tag, ticket, passport, id card, hammer, screwdriver, wrench, drill, saw,
nail, tool box, toolbox, tape measure, ladder, paint brush, paint can, rope, first aid kit,
bandage, thermometer, pill box, vitamin, toothbrush, hair brush, hair dryer, comb, razor, bottle
of shampoo, bar of soap, soap dispenser, tissue box, box of tissues, roll of toilet paper,
microscope, test tube, beaker, petri dish, pipette, lab coat, multimeter, soldering iron, circuit
board, sensor, motor, drone, robot arm, sample, whiteboard, chair, table, stool, fire
extinguisher, doorstop, coaster, wine glass, corkscrew, bottle opener, cutting board, rolling pin,
spatula, whisk, ladle, baking tray, oven mitt, lunch bag, thermos, baby bottle, stroller, leash,
dog bowl, cat toy, guitar, violin, flute, drum, trumpet, music stand, gift, present, gift card,
birthday cake, bouquet, rose, balloon, flag, banner, trophy, medal
""")

HELD_THINGS = _words("""
pineapple, croissant, burrito, cucumber, smoothie, can opener, frying pan, salt shaker, hand
towel, cushion, lantern, sketchbook, brochure, paintbrush, stopwatch, walkie talkie, joystick,
frisbee, poncho, cardigan, bracelet, crowbar, stethoscope, syringe, oscilloscope, harmonica,
bottle of lemonade, jar of pickles, box of crayons, roll of foil, tin of beans, ukulele
""")

PLURAL_THINGS = _words("""
keys, car keys, glasses, reading glasses, sunglasses, scissors, headphones, earphones, gloves,
slippers, shoes, sneakers, socks, pants, jeans, pliers, tweezers, binoculars, safety goggles,
batteries, cookies, apples, napkins, tissues, documents, notes, papers, flowers, groceries,
dirty dishes, leftovers, painkillers, snacks, tools, sponges, crayons, markers
""")
HELD_PLURAL_THINGS = _words("tongs, earplugs, mittens, swim trunks, nail clippers, raisins")

MASS_THINGS = _words("""
water, milk, juice, orange juice, apple juice, coffee, tea, bread, butter, cheese, rice, pasta,
sugar, salt, flour, soap, shampoo, toothpaste, toilet paper, paper, printer paper, tape, glue,
string, medicine, sunscreen, laundry detergent, dog food, cat food, ketchup, mustard, ice cream
""")
HELD_MASS_THINGS = _words("vinegar, cocoa, mayonnaise, bubble wrap, sandpaper, oat milk")

ADJECTIVES = _words("""
red, blue, green, yellow, black, white, brown, pink, purple, orange, gray, silver, golden, big,
small, large, tiny, little, old, new, clean, dirty, empty, full, wooden, metal, plastic, glass,
leather, paper, round, square, long, short, thick, thin, heavy, light, soft, warm, cold, fresh,
spare, broken, striped, shiny, folded, wireless, electric, digital, blank, sealed, open
""")
HELD_ADJECTIVES = _words("turquoise, crimson, beige, rusty, dotted, foldable, ceramic, velvet")

ROOMS = _words("""
kitchen, living room, dining room, study, bathroom, laundry room, garage, hallway, bedroom, main
bedroom, guest bedroom, kids bedroom, master bedroom, guest room, family room, playroom, nursery,
attic, basement, cellar, pantry, closet, balcony, terrace, patio, garden, backyard, porch, entrance,
entryway, foyer, den, library, home office, game room, music room, sunroom, mudroom, gym, sauna,
workshop, storage room, utility room, lobby, reception, front desk, elevator, stairwell, corridor,
main office, supply room, mail room, copy room, printer room, server room, break room, lunch room,
cafeteria, canteen, conference room, main conference room, meeting room, board room, training
room, lecture hall, classroom, auditorium, lounge, staff room, waiting room, exam room, operating
room, pharmacy, nurse station, emergency room, ward, lab, chemistry lab, robotics lab, physics lab,
biology lab, computer lab, clean room, workshop area, loading dock, warehouse, tool room, machine
shop, storage closet, janitor closet, cold room, archive, control room, security office,
reception area, hot desk area, quiet room, prayer room, art room, art studio, theater, stage,
dressing room, locker room, swimming pool, parking garage, bike room, coat room, restroom, women's
restroom, men's restroom, kitchenette, bar, restaurant, cafe, shop, gift shop, ticket office,
checkout, bakery, butchery, north wing, south hall, east corridor, west lounge
""")
HELD_ROOMS = _words("""
greenhouse, conservatory, wine cellar, observatory, screening room, scullery, boiler room,
courtyard, gallery, press room, test bench area, vestibule, mezzanine, crafts room, day care
""")

ROOM_KINDS = _words("""
bedroom, bathroom, classroom, meeting room, conference room, office, lab, printer room, guest
room, exam room, waiting room, storage room, lounge, study room, hallway, restroom, kitchen, ward,
lecture hall, break room, workshop, closet, patient room, training room, dorm room, hotel room,
server room, seminar room, studio, locker room
""")
HELD_ROOM_KINDS = _words("phone booth, treatment room, reading room, cubicle, project room")

FEMALE = _words("""
Alice, Anna, Emma, Eve, Sarah, Maria, Julia, Laura, Linda, Lisa, Emily, Olivia, Sophia, Mia, Amelia,
Grace, Chloe, Ella, Zoe, Lily, Hannah, Nora, Lucy, Clara, Ruth, Rachel, Priya, Aisha, Fatima, Mei,
Yuki, Sakura, Ingrid, Astrid, Elena, Natasha, Olga, Carmen, Lucia, Rosa, Isabella, Camila, Nadia,
Leila, Amina, Zara, Kavya, Ananya, Diya, Helen, Karen, Susan, Nancy, Diane, Jane, Kate, Megan,
Rebecca, Victoria, Wendy, Yvonne, Mom, Grandma, Aunt May, Mrs. Lee, Ms. Brown, Dr. Novak
""")
MALE = _words("""
Bob, Tom, Jack, John, James, David, Daniel, Michael, Peter, Paul, Mark, Luke, Sam, Ben, Max, Leo,
Noah, Liam, Ethan, Oliver, Lucas, Henry, Jason, Kevin, Brian, Eric, Frank, George, Harry, Ian, Karl,
Arjun, Aiden, Ravi, Raj, Amir, Omar, Hassan, Ali, Yusuf, Kenji, Hiroshi, Wei, Chen, Jin, Ivan,
Dmitri, Sergei, Pablo, Diego, Carlos, Luis, Mateo, Marco, Luca, Pierre, Hans, Lars, Erik, Sven,
Victor, Walter, William, Zachary, Dad, Grandpa, Uncle Joe, Mr. Smith, Mr. Chen, Dr. Patel
""")
ROLES = _words("""
receptionist, nurse, doctor, manager, secretary, janitor, librarian, teacher, security guard, chef,
cook, technician, assistant, student, professor, principal, driver, visitor, intern
""")
HELD_FEMALE = _words("Beatrix, Tamsin, Xiomara, Svetlana, Philippa, Oluchi, Mrs. Whitaker")
HELD_MALE = _words("Gideon, Thaddeus, Rasheed, Ngozi, Bartholomew, Quentin, Mr. Oyelaran")
HELD_ROLES = _words("plumber, electrician, caretaker, lab manager")

SURNAMES = _words("""
Smith, Jones, Brown, Miller, Davis, Garcia, Wilson, Lee, Kim, Park, Chen, Wang, Li, Patel, Singh,
Kumar, Novak, Meyer, Schmidt, Rossi, Silva, Costa, Tanaka, Sato, Young, Hall, Clark, Baker, Cook
""")

ANNOUNCEMENTS = _words("""
dinner is ready, lunch is ready, breakfast is served, the meeting starts in five minutes, the
meeting has been moved to room 3, it is time to go, it is time for bed, the bus is here, the taxi
has arrived, the pizza is here, the guests have arrived, we are leaving soon, the party starts at
8, the printer is working again, the printer is broken, the wifi is down, the game is on, the
movie is about to start, the fire drill starts at noon, the building closes at 6 pm, the cake is
in the kitchen, the package has arrived, the doctor is ready, class starts in ten minutes, the
library is closing, there is coffee in the lounge, the elevator is out of order, hello, good
morning, good night, welcome home, happy birthday, welcome, have a nice day, see you tomorrow,
thank you for your help, I am running late, the laundry is done, your order is ready, the exam is
over, we need more paper, please be quiet, please keep the door closed, please come to the lobby,
please turn off the lights, please clean up the table, everybody should come downstairs
""")
HELD_ANNOUNCEMENTS = _words("""
the plumber will come at 4, the soup is getting cold, our flight leaves at nine, please water the
plants, the results are in, the workshop was cancelled
""")

CHORES = _words("""
take the medicine, take out the trash, feed the dog, feed the cat, water the plants, call the
doctor, call the office, lock the door, close the windows, turn off the stove, send the report,
sign the form, submit the timesheet, bring an umbrella, charge the phone, do the homework, clean
the room, pick up the kids, return the book, join the meeting, drink some water, book a flight,
pay the bill, check the mail, wash the dishes, finish the slides, print the tickets, review the
document, update the calendar, walk the dog, make the bed, order lunch, go to bed, come downstairs,
set the table, prepare the room, restart the server, reply to the email
""")
HELD_CHORES = _words("""
renew the passport, mow the lawn, defrost the freezer, upload the photos, rehearse the speech
""")

CHOICES = (
    _words("pizza, pasta, salad, soup, sushi, tacos, a sandwich, a burger, curry, noodles"),
    _words("coffee, tea, water, juice, milk, hot chocolate, soda, lemonade"),
    _words("red, blue, green, yellow, black, white, purple, pink"),
    _words("small, medium, large"),
    _words("morning, afternoon, evening, night"),
    _words("Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday"),
    _words("bus, train, car, bike, taxi, plane"),
    _words("apple, banana, orange, pear, grapes, melon, mango"),
    _words("football, tennis, chess, swimming, basketball, golf"),
    _words("vanilla, chocolate, strawberry, lemon, caramel"),
    _words("jazz, rock, pop, classical, folk"),
    _words("window, aisle"),
    _words("chicken, fish, beef, vegetarian, vegan"),
)
HELD_CHOICES = (
    _words("falafel, ramen, risotto, quiche"),
    _words("ferry, tram, scooter, subway"),
    _words("copper, nickel, bronze, zinc"),
)

#: Chores of one's own: {his} is the person's pronoun in the instruction, "your" when spoken.
OWN_CHORES = _words("""
do {his} homework, take {his} medicine, call {his} mother, clean {his} room, charge {his} phone,
check {his} email, finish {his} report, close {his} window, bring {his} badge, water {his} plants,
wash {his} hands, pack {his} bag, drink {his} tea, sign {his} contract, feed {his} cat,
tidy {his} desk
""")

NEEDS = _words("""
help, a hand, anything, something to drink, something to eat, company, a ride, a break, more time,
assistance, anything from the store, support, a new computer, advice
""")
