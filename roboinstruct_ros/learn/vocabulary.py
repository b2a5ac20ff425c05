"""The vocabulary of the training instructions.

Two sets of each list: the words that training draws from, and the held-out ones that only
evaluation uses. Word lists are plain strings so that adding a word is a one-word change.
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
birthday cake, bouquet, rose, balloon, flag, banner, trophy, medal,
avocado, apricot, blueberry pie, broccoli, cabbage, cauliflower, celery, cherry, coconut, cracker,
cupcake, dumpling, eggplant, fig, garlic bread, grapefruit, hot dog, jam jar, kiwi, lettuce, lime,
mushroom, nectarine, omelette, pancake, papaya, pepper mill, plum, pretzel, pumpkin, quesadilla,
radish, raspberry tart, scone, spring roll, strawberry, sweet potato, taco, turnip, waffle,
watermelon, zucchini, espresso cup, milkshake, ginger ale, tonic, sippy cup, straw, jug, pitcher,
flask, goblet, saucer, platter, colander, sieve, grater, peeler, wok, skillet, lid, apron, dish
rack, ice tray, egg timer, kitchen scale, measuring cup, chopstick, skewer, tea towel, washcloth,
bathrobe, bath mat, shower cap, loofah, nail file, mascara, perfume, lipstick, deodorant, cotton
swab, plaster, inhaler, crutch, walking stick, wheelchair, hearing aid, blood pressure monitor, ice
pack, heating pad, face mask, rubber glove, bin liner, clothes peg, hanger, coat hanger, sewing kit,
needle, thimble, zipper, button, yarn, quilt, mattress, headboard, hammock, footstool, bookend,
bookmark, globe, atlas, encyclopedia, manual, booklet, leaflet, flyer, voucher, coupon, ledger,
diary, planner, sticky note, index card, name plate, lanyard, rubber stamp, ink cartridge, toner,
thumbtack, pushpin, rubber band, crayon, chalk, easel, canvas, palette, fountain pen, protractor,
compass, set square, lunch tray, water jug, swivel chair, footrest, desk fan, space heater,
humidifier, air purifier, dehumidifier, thermostat, smoke detector, doorbell, padlock, latch, hinge,
hook, bolt, washer, nut, spanner, chisel, mallet, clamp, vise, pulley, winch, gasket, valve, funnel,
hose, sprinkler, rake, shovel, spade, trowel, wheelbarrow, hedge trimmer, lawn mower, garden gnome,
bird feeder, seed packet, fertilizer bag, fishing rod, tent, sleeping bag, cooler, canteen bottle,
whistle, kite, yo-yo, jigsaw, dice, deck of cards, checkers board, dart, puck, hockey stick, golf
club, shuttlecock, ping pong paddle, snorkel, surfboard, life jacket, scooter, tricycle, rocking
horse, puppet, action figure, lego set, train set, marble, stencil, sticker, glitter, ribbon,
wrapping paper roll, greeting card, candle holder, ornament, wreath, figurine, statue, tapestry,
doormat, welcome mat, umbrella stand, shoe rack, bookshelf, filing cabinet, wastebasket, recycling
bin, cardboard tube, pallet, crate, barrel, basket, hamper, duffel bag, briefcase, satchel, tote
bag, fanny pack, bandana, bow tie, blazer, vest, tuxedo, kimono, sandal, flip flop, loafer, earring,
brooch, cufflink, pendant, keychain, ear bud, smartwatch, e-reader, modem, docking station, graphics
card, motherboard, hdmi cable, ethernet cable, memory card, laser pointer, megaphone, amplifier,
turntable, vinyl record, metronome, cello, clarinet, saxophone, trombone, banjo, tambourine,
xylophone, maracas, centrifuge, bunsen burner, goggles case, specimen jar, voltmeter,
resistor, capacitor, transistor, servo, gear box, propeller, lidar, gripper, battery pack, charging
dock
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
dirty dishes, leftovers, painkillers, snacks, tools, sponges, crayons, markers,
cufflinks, dumbbells, playing cards, safety gloves, work boots, hiking boots, leggings, shorts,
overalls, pajamas, grapes, strawberries, cherries, peanuts, almonds, pretzels, crackers, noodles,
pills, vitamins, stamps, invoices, receipts, blueprints, contracts, screws,
nails, bolts, cables, chargers, candles, balloons, roses, seeds, curtains, blankets
""")
HELD_PLURAL_THINGS = _words("tongs, earplugs, mittens, swim trunks, nail clippers, raisins")

MASS_THINGS = _words("""
water, milk, juice, orange juice, apple juice, coffee, tea, bread, butter, cheese, rice, pasta,
sugar, salt, flour, soap, shampoo, toothpaste, toilet paper, paper, printer paper, tape, glue,
string, medicine, sunscreen, laundry detergent, dog food, cat food, ketchup, mustard, ice cream,
honey, jam, cream, yoghurt, oatmeal, popcorn, granola, chocolate, lemonade, iced tea, sparkling
water, tomato sauce, olive oil, cinnamon, pepper, mouthwash, hand sanitizer, shaving foam, hand
cream, bleach, glitter glue, wire, duct tape, cardboard, fabric, firewood, cement, paint, varnish,
potting soil, bird seed
""")
HELD_MASS_THINGS = _words("vinegar, cocoa, mayonnaise, bubble wrap, sandpaper, oat milk")

ADJECTIVES = _words("""
red, blue, green, yellow, black, white, brown, pink, purple, orange, gray, silver, golden, big,
small, large, tiny, little, old, new, clean, dirty, empty, full, wooden, metal, plastic, glass,
leather, paper, round, square, long, short, thick, thin, heavy, light, soft, warm, cold, fresh,
spare, broken, striped, shiny, folded, wireless, electric, digital, blank, sealed, open,
amber, maroon, olive, lavender, navy, teal, ivory, bright, dark, pale, dull, huge, mini, medium,
wide, narrow, flat, curved, hollow, solid, rough, smooth, sharp, sticky, wet, dry, frozen, hot,
sweet, salty, ripe, raw, cracked, torn, worn, used, borrowed, labeled, locked, portable,
rechargeable, waterproof, woolen, cotton, linen, rubber, steel, copper, bronze, marble, bamboo,
knitted, embroidered, antique, vintage, modern, framed, heated, padded, colorful
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
checkout, bakery, butchery, north wing, south hall, east corridor, west lounge,
wardrobe, cloakroom, dressing area, breakfast nook, dining hall, mess hall, banquet hall, ballroom,
drawing room, sitting room, parlor, veranda, rooftop, roof deck, deck, carport, driveway, shed,
garden shed, tool shed, barn, stable, chapel, dormitory, infirmary, clinic, radiology, x-ray room,
dental office, maternity ward, recovery room, triage, intensive care unit, blood bank, visitor
center, information desk, help desk, service desk, mail desk, cashier, box office, foyer desk,
business center, coworking space, phone room, nap room, wellness room, mothers room, fitness center,
weight room, spa, steam room, tennis court, gymnasium, playground, arcade, cinema, museum,
exhibition hall, planetarium, aquarium, bookstore, toy store, grocery store, flower shop, barber
shop, pet shop, food court, snack bar, coffee corner, tea kitchen, wine bar, brewery, pantry closet,
freezer room, boot room, linen closet, broom closet, utility closet, electrical room, battery room,
generator room, pump room, engine room, control center, dispatch office, call center, newsroom,
recording studio, photo studio, dark room, editing suite, print shop, makerspace, woodshop, metal
shop, paint shop, welding bay, assembly line, packing station, shipping area, receiving area, cold
storage, hangar, garage bay, charging station, dock, platform, ticket counter, departure hall,
arrivals hall, gate area, security checkpoint, customs, lost and found, dean's office, registrar,
faculty lounge, student center, reading corner, seminar hall, debate hall, music hall, dance studio,
rehearsal space, costume room, green room, backstage, balcony lounge, judge's chambers, courtroom,
evidence room, interview room, holding cell, fire station, east stairs, west stairs, upper floor,
ground floor, second floor, third floor, top floor
""")
HELD_ROOMS = _words("""
greenhouse, conservatory, wine cellar, observatory, screening room, scullery, boiler room,
courtyard, gallery, press room, test bench area, vestibule, mezzanine, crafts room, day care
""")

ROOM_KINDS = _words("""
bedroom, bathroom, classroom, meeting room, conference room, office, lab, printer room, guest
room, exam room, waiting room, storage room, lounge, study room, hallway, restroom, kitchen, ward,
lecture hall, break room, workshop, closet, patient room, training room, dorm room, hotel room,
server room, seminar room, studio, locker room,
nursery, ballroom, gym, stairwell, elevator, pantry, balcony, theater, recovery room, interview
room, music room, sitting room, ticket counter, cabin, suite, cell, dressing room, courtroom, dorm,
operating room, kitchenette, garage, shop, stall, hall, apartment, booth, chamber, clinic
""")
HELD_ROOM_KINDS = _words("phone booth, treatment room, reading room, cubicle, project room")

FEMALE = _words("""
Alice, Anna, Emma, Eve, Sarah, Maria, Julia, Laura, Linda, Lisa, Emily, Olivia, Sophia, Mia, Amelia,
Grace, Chloe, Ella, Zoe, Lily, Hannah, Nora, Lucy, Clara, Ruth, Rachel, Priya, Aisha, Fatima, Mei,
Yuki, Sakura, Ingrid, Astrid, Elena, Natasha, Olga, Carmen, Lucia, Rosa, Isabella, Camila, Nadia,
Leila, Amina, Zara, Kavya, Ananya, Diya, Helen, Karen, Susan, Nancy, Diane, Jane, Kate, Megan,
Rebecca, Victoria, Wendy, Yvonne, Mom, Grandma, Aunt May, Mrs. Lee, Ms. Brown, Dr. Novak,
Abigail, Ada, Adriana, Agnes, Aiko, Alba, Alma, Amanda, Amber, Amira, Anastasia, Andrea, Angela,
Anika, Annika, April, Ariel, Ashley, Audrey, Aurora, Ava, Barbara, Beatrice, Bella, Bianca, Birgit,
Bonnie, Brenda, Bridget, Caroline, Cassandra, Catherine, Cecilia, Celine, Charlotte, Chiara, Claire,
Colette, Cora, Daisy, Daniela, Daphne, Deborah, Delia, Diana, Dolores, Dorothy, Edith, Eileen,
Elaine, Eleanor, Elise, Eliza, Ellen, Esther, Eugenia, Faith, Farah, Felicia, Fiona, Florence,
Freya, Gabriela, Gemma, Georgia, Gina, Gloria, Greta, Gwen, Hailey, Hana, Harper, Hazel, Heidi, Ida,
Ines, Irene, Iris, Ivy, Jasmine, Jennifer, Joan, Josephine, Joy, Judith, Juliet, June, Katarina,
Keiko, Kiara, Kim, Kirsten, Lakshmi, Lea, Lena, Liv, Lola, Lorena, Louise, Luna, Mabel, Madison,
Manuela, Margaret, Marina, Marta, Matilda, Maya, Melissa, Mercedes, Mila, Mina, Miranda, Miriam,
Molly, Monica, Naomi, Natalie, Nicole, Nina, Noor, Odette, Paige, Pamela, Paula, Pearl, Penelope,
Petra, Phoebe, Quinn, Ramona, Renee, Rita, Robin, Roxanne, Ruby, Sabine, Samantha, Sandra, Sara,
Selma, Shanti, Sharon, Sheila, Silvia, Simone, Sonia, Stella, Stephanie, Sunita, Sylvia, Tamara,
Tanya, Tara, Teresa, Thea, Tina, Ursula, Valentina, Vanessa, Vera, Viola, Violet, Vivian, Wanda,
Willow, Xenia, Yasmin, Yara, Yelena, Zelda, Zuzana, Auntie, Mum, Nana, Sister Agnes
""")
MALE = _words("""
Bob, Tom, Jack, John, James, David, Daniel, Michael, Peter, Paul, Mark, Luke, Sam, Ben, Max, Leo,
Noah, Liam, Ethan, Oliver, Lucas, Henry, Jason, Kevin, Brian, Eric, Frank, George, Harry, Ian, Karl,
Arjun, Aiden, Ravi, Raj, Amir, Omar, Hassan, Ali, Yusuf, Kenji, Hiroshi, Wei, Chen, Jin, Ivan,
Dmitri, Sergei, Pablo, Diego, Carlos, Luis, Mateo, Marco, Luca, Pierre, Hans, Lars, Erik, Sven,
Victor, Walter, William, Zachary, Dad, Grandpa, Uncle Joe, Mr. Smith, Mr. Chen, Dr. Patel,
Aaron, Abdul, Abel, Adam, Adrian, Ahmed, Alan, Albert, Alejandro, Alex, Alfred, Andre, Andrew, Andy,
Anthony, Anton, Antonio, Archie, Arnold, Arthur, Axel, Barry, Basil, Benedict, Bernard, Bill, Boris,
Brandon, Bruce, Bruno, Caleb, Calvin, Cameron, Carl, Cedric, Charles, Charlie, Chris, Christian,
Clement, Colin, Connor, Cyrus, Damian, Darius, Dean, Dennis, Derek, Dominic, Donald, Douglas,
Duncan, Dylan, Eddie, Edgar, Edward, Elias, Elliot, Emil, Enrique, Ernest, Ezra, Fabian, Farid,
Felix, Fernando, Finn, Francis, Fred, Gabriel, Gary, Gerald, Giovanni, Glenn, Gordon, Graham, Greg,
Gustav, Hamid, Harold, Hector, Herbert, Hugh, Hugo, Ibrahim, Ignacio, Igor, Imran, Isaac, Ismail,
Jacob, Jake, Jamal, Jan, Javier, Jeff, Jerome, Jesse, Jim, Joe, Joel, Jonas, Jonathan, Jordan,
Jorge, Joseph, Joshua, Juan, Julian, Justin, Kai, Keith, Ken, Khalid, Kofi, Kurt, Kwame, Kyle,
Lawrence, Leon, Leonard, Levi, Lewis, Lionel, Logan, Louis, Magnus, Malcolm, Manuel, Marcel, Mario,
Martin, Mason, Matthew, Maurice, Maxim, Miguel, Milan, Mohammed, Morgan, Murray, Nathan, Neil,
Nicholas, Nigel, Nikolai, Norman, Oscar, Osman, Otto, Owen, Pascal, Patrick, Pavel, Pedro, Percy,
Philip, Rafael, Ralph, Ramesh, Raul, Raymond, Reggie, Ricardo, Richard, Robert, Rodrigo, Roger,
Roland, Roman, Ronald, Rory, Roy, Rupert, Russell, Ryan, Samir, Samuel, Santiago, Sanjay, Scott,
Sean, Sebastian, Seth, Simon, Spencer, Stanley, Stefan, Steve, Suresh, Tariq, Ted, Theo, Thomas,
Tim, Tobias, Toby, Tony, Travis, Tyler, Umberto, Uwe, Vikram, Vincent, Vladimir, Warren, Wesley,
Winston, Xavier, Yan, Yannick, Zain, Uncle Ted, Captain Hook, Brother Paul
""")
ROLES = _words("""
receptionist, nurse, doctor, manager, secretary, janitor, librarian, teacher, security guard, chef,
cook, technician, assistant, student, professor, principal, driver, visitor, intern,
plant manager, accountant, baker, bartender, cashier, cleaner, coach, cleaning lady, delivery
driver, dentist, director, engineer, gardener, guard, guest, head nurse, host, hostess, landlord,
lawyer, mechanic, neighbor, office manager, painter, patient, pharmacist, photographer, pilot,
researcher, supervisor, surgeon, tour guide, tutor, waiter, waitress
""")
HELD_FEMALE = _words("Beatrix, Tamsin, Xiomara, Svetlana, Philippa, Oluchi, Mrs. Whitaker")
HELD_MALE = _words("Gideon, Thaddeus, Rasheed, Ngozi, Bartholomew, Quentin, Mr. Oyelaran")
HELD_ROLES = _words("plumber, electrician, caretaker, lab manager")

SURNAMES = _words("""
Smith, Jones, Brown, Miller, Davis, Garcia, Wilson, Lee, Kim, Park, Chen, Wang, Li, Patel, Singh,
Kumar, Novak, Meyer, Schmidt, Rossi, Silva, Costa, Tanaka, Sato, Young, Hall, Clark, Baker, Cook,
Adams, Alvarez, Andersson, Becker, Bianchi, Carter, Cohen, Diaz, Evans, Fischer, Fernandez, Fujita,
Gonzalez, Gupta, Hansen, Harris, Hoffmann, Ivanov, Jackson, Jensen, Johnson, Kaya, Khan, Kowalski,
Larsen, Lopez, Martin, Moreau, Murphy, Nakamura, Nguyen, Nielsen, Okafor, Olsen, Pereira, Popov,
Ramirez, Reyes, Robinson, Sanchez, Scott, Suzuki, Taylor, Thompson, Tran, Turner, Walker, Weber,
White, Wong, Wright, Yamamoto, Zhang
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
please turn off the lights, please clean up the table, everybody should come downstairs,
the keys are on the counter, the shower is free, visitors are waiting downstairs, your ride is here,
the mail has come, somebody left the lights on, the oven is on, the meeting is cancelled, the
presentation begins at ten, lunch is in the garden today, the backup is complete, the water is off
until noon, the road is closed, there is a phone call for you, the package is for you, the floor is
wet, the copier is out of toner, it is going to rain, the train leaves at 6, the concert is sold
out, everyone is invited, no smoking please, please wash your hands, please sign the list, please
keep to the left, please take a seat, please follow the signs, have fun, good luck, good evening,
good afternoon, hi everyone, hey there, sorry for the delay, thank you, thanks for coming, goodbye,
merry christmas, happy new year, congratulations, well done, time for lunch, time is up, doors open
at nine, coffee break, we are closed, I will be back soon, I have a surprise for you, I am on my
way, you forgot your umbrella, your mother called, your visitor is here, your taxi is waiting
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
set the table, prepare the room, restart the server, reply to the email,
iron the shirts, mop the floor, empty the dishwasher, sort the mail, renew the badge, back up the
laptop, refill the printer, answer the phone, sweep the hallway, polish the shoes, wrap the
presents, bake a cake, buy some milk, pick up the dry cleaning, take a break, take a nap, go home,
go for a walk, stretch, eat something, put on a coat, wear the badge, wash the car, change the
sheets, dust the shelves, vacuum the carpet, move the car, cancel the order, confirm the booking,
reserve a table, invite the neighbors, thank the sponsors, write the minutes, sign up for the
course, proofread the letter, pay the rent, fill in the form, check the schedule, test the alarm,
switch off the computer, turn down the music, open the blinds, unpack the boxes, label the samples,
calibrate the sensor, charge the batteries, meet the client, prepare the slides, give a speech,
practice the violin, study for the exam, read a story, brush the dog, clean the fish tank
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
    _words("yes please, no thanks, maybe later, ask me tomorrow"),
    _words("now, later, never, in an hour, after lunch"),
    _words("one, two, three, four, none"),
    _words("9 am, 10 am, noon, 2 pm, 4 pm"),
    _words("good, bad, okay, great, not so good"),
    _words("cats, dogs, birds, fish, no pets"),
    _words("the movie, the game, the concert, the museum, staying home"),
    _words("sofa, bed, armchair, floor"),
    _words("milk, sugar, both, black"),
    _words("hot, cold, lukewarm"),
    _words("pen, pencil, marker, crayon"),
    _words("summer, winter, spring, autumn"),
    _words("English, Spanish, French, German, Hindi, Chinese"),
    _words("aluminum, wood, glass, plastic, stone"),
    _words("left, right, middle, front, back"),
    _words("cheese, ham, turkey, tuna, egg"),
    _words("north, south, east, west"),
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
tidy {his} desk, walk {his} dog, eat {his} lunch, return {his} key, put on {his} coat, wear {his}
glasses, brush {his} teeth, pay {his} bill, renew {his} license, park {his} car, send {his} slides,
update {his} profile, hand in {his} timesheet, turn off {his} lamp, lock {his} bike
""")

NEEDS = _words("""
help, a hand, anything, something to drink, something to eat, company, a ride, a break, more time,
assistance, anything from the store, support, a new computer, advice, anything else, a refill,
something sweet, a snack, a lift, someone to talk to, medical help, a doctor, a blanket or a pillow,
more coffee, a second opinion, directions, change, room service
""")
