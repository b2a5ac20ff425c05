"""Words that carry a command or no content, and so do not distinguish instructions.

Verbs that become skills or control flow, and function words. Collected from a few thousand
instruction/program pairs (a word is listed if most correct programs omit it) and extended by common
synonyms.
"""

from __future__ import annotations

_WORDS = """
    a about above after afterwards again ago agree agreed agrees ahead alert all along already
    also always am an and announce announces another answer answered answers any anybody anyone
    anything anywhere appear appears are aren't around arrive arrived arrives as ask asked asking
    asks at away back be because become been before being below beside between borrow both bring
    bringing brings brought building but by call called can can't cannot carries carry case check
    checked checking checks choice choose chooses chose chosen circle collect come comes coming
    confirm contain contains continue could couldn't count cross decide declare declines deliver
    delivered delivery deposit did didn't discover distribute do does doesn't doing don't done
    down draw drive driving drop dropped dump during each either else empty enough ensure enter
    escort even ever every everybody everyone everyplace everything everywhere exactly examine
    except explore fetch few figure finally find finding finds finish first five follow following
    for found four free from further gather get gets getting give given gives go goes going gone
    got grab greet guide had half hand handed handing happen has haul have having he head hear
    hello her here hers hey hi him his hold house how hunt hurry i i'd i'll i'm i've identify if
    immediately in including inform informed inside inspect instead into inventory investigate
    invite is isn't it it's its just keep kind kindly kinds know knows lack lacking lacks last
    lastly later lay lead least leave leaves leaving less let lets like likes listen locate look
    looking looks lost lot make makes making many may maybe me meet mine miss missing more most
    move moved moves moving much must my myself name named navigate near nearby need needed needs
    neither never next nice no nobody none nor not nothing notice noticed notify now nowhere
    number obtain occupied of off offer offered offering offers ok okay on once one ones only onto
    option options or order other others otherwise our out over own pass patrol pause pay people
    per perhaps permission person pick picked picking place please poll pop pops possible possibly
    presence present pretty proceed provide pull push put puts query question quick quickly quite
    rather reach really refuse refuses relay remember remind repeat replied replies reply report
    request respond responds response rest result results retrieve return returned returning
    returns right robot roll room rooms run said same saw say saying says scan scout search
    searching see seek seen select send set several shall share she shift should shouldn't show
    shows simply since sits situate six so some somebody someone something somewhere soon speak
    spot spots spotted stand stands stay step stop stopped stops store straight such sure survey
    swing take taken takes taking task tell telling tells ten than thank thanks that that's the
    their theirs them themselves then there there's these they thing things this those three
    through till time times to too took tour toward towards track transfer transport travel turn
    turns two under unless until up update upon us use used using verify very via visit visited
    visiting visits wait waiting waits walk wander want wanted wants was wasn't way we well went
    were what what's whatever whatsoever wheel when whenever where whereabouts wherever whether
    which while who who's whoever whole whom whose why will wish with within without won't would
    wouldn't yell yes yet yield you you'd you'll your yourself zoom
"""

COMMAND_WORDS = frozenset(_WORDS.split())
