"""The English of The Sample Courier: words and sentence patterns, with slots in braces.

A slot `{thing}` is filled from the list of that name; a topic's own list comes before the common one.
"""

from collections.abc import Mapping
from typing import Final

COMMON: Final[Mapping[str, tuple[str, ...]]] = {
    "d": ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"),
    "nz": ("1", "2", "3", "4", "5", "6", "7", "8", "9"),
    "few": ("4", "5", "6", "7", "8", "9"),
    "number": ("{nz}{d}", "{nz}{d}{d}", "{nz},{d}{d}{d}", "{nz}{d},{d}{d}{d}"),
    "percent": ("{nz}.{d} percent", "{nz}{d} percent", "{nz}{d}.{d} percent"),
    "money": ("£{nz}{d} million", "£{nz}.{d} billion", "£{nz},{d}00", "£{nz}{d}{d},000"),
    "first": (
        "Agatha", "Alaric", "Beatrix", "Barnaby", "Cordelia", "Crispin", "Dorothea", "Desmond", "Edwina",
        "Eustace", "Florence", "Ferdinand", "Gwendolyn", "Gideon", "Harriet", "Horatio", "Imogen", "Ignatius",
        "Jemima", "Jasper", "Keziah", "Kenelm", "Lavinia", "Leopold", "Matilda", "Montague", "Nerys",
        "Norbert", "Octavia", "Osbert", "Prudence", "Percival", "Rosalind", "Rupert", "Sybil", "Silas",
        "Thomasina", "Tobias", "Winifred", "Zoë",
    ),
    "last": (
        "Ashgrove", "Barrowclough", "Birdsall", "Blackmantle", "Brackenbury", "Cattermole", "Coldstream",
        "Copperthwaite", "Dunnock", "Elderfield", "Fairweather", "Fenwright", "Gathercole", "Greatorex",
        "Hallowby", "Hawksmere", "Honeychurch", "Inglethorpe", "Jessamy", "Kettleburn", "Larkspur",
        "Lightfoot", "Mallowfield", "Merriweather", "Nettleship", "Oakenshaw", "Otterburn", "Pennywell",
        "Pickersgill", "Quillfeather", "Ravensdale", "Rushbrooke", "Saltonstall", "Silverlock",
        "Thackthwaite", "Thistlewood", "Underhay", "Vellacott", "Wainscott", "Whitterick", "Windlass",
        "Woolnough", "Yarborough", "Yewtree",
    ),
    "person": ("{first} {last}", "{first} {nick} {last}"),
    "nick": (
        "A.", "B.", "C.", "D.", "E.", "F.", "G.", "H.", "J.", "K.", "L.", "M.", "N.", "P.", "R.", "S.", "T.",
        "W.",
    ),
    "root": (
        "Apple", "Barrow", "Black", "Cold", "Crow", "Elm", "Fern", "Gold", "Hazel", "Kings", "Long", "Mill",
        "North", "Otter", "Raven", "Stone", "Thorn", "Wind",
    ),
    "end": (
        "bridge", "bury", "combe", "dale", "field", "ford", "gate", "ham", "hurst", "ley", "mere", "minster",
        "mouth", "port", "ridge", "stead", "ton", "wick",
    ),
    "place": ("{root}{end}", "{root}{end}-on-{river}", "Upper {root}{end}", "Little {root}{end}"),
    "hill": ("Beacon", "Common", "Heath", "Moor", "Hollow", "Down", "Marsh", "Warren"),
    "river": ("Arrel", "Brindle", "Cawder", "Esket", "Lune", "Marl", "Tavey", "Wensum"),
    "field": (
        "Health", "Housing", "Transport", "Education", "Revenue", "Farming", "Tourism", "Youth", "Energy",
        "Justice", "Science", "Fisheries", "Water", "Heritage", "Consumer Affairs", "Ports",
    ),
    "body": (
        "{place} Town Council", "the Department of {field}", "the {last} Institute",
        "{last} & {last} Chambers", "the University of {place}", "the {field} Watchdog",
        "the {river} Valley Trust", "the Board of {field}", "the {place} Residents’ League",
        "the Guild of {place} Surveyors", "the Save {place} campaign", "the {place} Chamber of Trade",
        "the United {field} Union", "the {last} Foundation", "the {field} Agency",
    ),
    "role": (
        "a crossbench spokeswoman", "a professor of law", "the mayor of {place}", "a resident of {place}",
        "director of the {last} Institute", "a bridge engineer", "an emergency doctor", "a retired teacher",
        "who chairs the {river} Valley Trust", "a local historian", "permanent secretary for {field}",
        "an independent analyst", "leader of the opposition in {place}", "who runs a garage in {place}",
        "a researcher at the University of {place}", "an expert witness", "a former clerk of {body}",
    ),
    "source": ("{person}, {role},", "{body}", "{person}", "a spokesman for {body}", "{person} of {body}"),
    "said": (
        "explained", "insisted", "warned", "recalled", "conceded", "argued", "acknowledged", "said", "noted",
        "revealed", "announced", "confirmed", "complained", "replied", "told this newspaper", "joked",
    ),
    "thatsaid": (
        "explained that", "insisted that", "warned that", "recalled that", "conceded that", "argued that",
        "made it plain that", "confirmed that", "took it for granted that", "let it be known that",
        "estimated that", "repeated that",
    ),
    "weekday": (
        "on Monday", "on Tuesday", "on Wednesday", "on Thursday", "on Friday", "on Saturday", "on Sunday",
    ),
    "month": (
        "January", "February", "March", "April", "May", "June", "July", "September", "October", "November",
    ),
    "when": (
        "{weekday} morning", "late {weekday}", "in the middle of {month}", "by the end of {month}",
        "before the summer recess", "after {few} hours of talks", "as this edition went to press",
        "for the {few}th year running", "in the small hours", "after a wait of {nz}{d} days",
        "at {few} o’clock", "for the first time since {month}", "shortly before noon",
        "at the height of {month}",
    ),
    "why": (
        "for want of a deal with {body}", "in order to save {money}", "after complaints from {place}",
        "at the request of {person}", "owing to a slip in the {field} figures",
        "despite the doubts of {person}", "with the blessing of {body}", "in exchange for {money}",
        "without waiting for {body} to report", "to placate the people of {place}",
        "because {body} demanded it", "while {person} asked for more time",
        "although {body} advised against it", "over the objections of {person}",
    ),
    "where": (
        "in {place}", "on the edge of {place}", "at the offices of {body}", "between {place} and {place}",
        "in the old quarter of {place}", "beside the {river}", "at {place} station", "across the county",
        "in {place} market", "on a trading estate near {place}", "up on {root}{end} {hill}",
    ),
    "opinion": (
        "This isn’t about haste, it is about reaching {month} in one piece", "Nobody here was asked a thing",
        "You cannot mend half of it for {money}", "What looks like a cost today will be a relief tomorrow",
        "Anyone who knows {place} could see it coming",
        "I’d take a poor bargain over {few} months of silence", "We are short of hands and buried in paper",
        "We went from {number} to {number} and no one blinked",
        "If {body} won’t keep its word, we shall see it in court",
        "My grandmother told me, and I tell my own", "It is the first time {body} has opened its door to us",
        "Money was never the trouble; hurry was", "They have owed {place} an answer since {month}",
        "Patience has a sell-by date, too", "Neither the sums nor the dates add up",
        "The usual people will foot the bill", "We will go through every one of the {number} applications",
        "I don’t sign what I have not read", "There are {nz}{d} families waiting by the telephone",
        "Tomorrow we open at the usual time",
    ),
    "comment": (
        "I have been saying this about {place} for {few} years.", "And who pays for it? Us, as ever.",
        "Decent piece, but you forgot {body}.", "Same thing happened in our village in {month}.",
        "Less talk and more work, please, Mr {last}.",
        "I don’t agree with {person}, but thanks for the figures.",
        "Would someone explain where the {money} went?",
        "I live by the {river} and can vouch for every word.",
    ),
    "sentence": (
        "{source} {thatsaid} {thing} {fate} {when}.", "{source} {thatsaid} {thing} {fate}, {why}.",
        "{when}, {source} {act} {where}.", "{source} {act} {why}.", "“{opinion},” {said} {source} {where}.",
        "“{opinion},” {said} {person}. “{opinion},” came the answer {when}.",
        "According to {body}, {thing} {fate}.",
        "Figures from {body} show {number} people following {thing} closely.",
        "The decision, which touches {number} households in {place}, came {when} and {why}.",
        "The bill stands at {money}, some {percent} above the estimate drawn up by {body}.",
        "{where}, {thing} {fate} {when}; {where}, by contrast, little has changed.",
        "Nobody {where} expected {person} to take that step {when}.",
        "What will become of {thing}? {source} would not be drawn {when}.",
        "The document — {number} pages and {few} appendices — sets out why {thing} {fate}.",
        "{person} and {person} differ: one believes {thing} {fate}, the other has doubts.",
        "It is not the first time {body} {act}: it happened {where}, too, {when}.",
        "There were {number} cases {where}, against {number} back in {month}.",
        "In the view of {person}, the “{last} effect” weighs more than {thing}.",
        "Of the {number} affected, {percent} live {where} and the rest {where}.",
        "Meanwhile {body} {act} {when}, {why}.",
        "File {number}/{nz}{d}, seen by this newspaper, concludes that {thing} {fate}.",
        "{person} proved the surprise of the day: the visitor {act} {why}.",
        "Even so, {source} {thatsaid} {few} questions remain {where}.",
        "It all began {when}, when {person} {act} {where}.",
        "The nearest precedent lies {where}, where {thing} {fate} {when}.",
        "People close to {body} reckon on {money} and some {few} months of work.",
        "{body} declined to comment; {person} did not: “{opinion}.”",
        "The last word belongs to {body}, due to meet {where} {when}.",
    ),
    "subhead": (
        "What is still unknown", "A precedent in {place}", "The sums of {body}", "The view of {person}",
        "{number} reasons and one doubt", "From {place} to {place}", "What comes in {month}",
        "The {last} factor", "A wait of {few} years", "Who wins and who loses", "Voices {where}",
    ),
    "listitem": (
        "{month}: {body} {act}.", "{number} places {where}.", "{money} for {body}.",
        "A panel with {person} in the chair.", "A review of {thing} {when}.",
        "Closure of the office {where}.", "A free helpline on 0800 {d}{d}{d} {d}{d}{d}.",
    ),
    "lead": (
        "{source} {thatsaid} {thing} {fate}, {why}",
        "{body} {act} {where}, opening a quarrel that {person} hopes to settle {when}",
        "The measure will cost {money} and reach {number} people {where}",
        "{person} and {body} test their strength {where}: {thing} {fate}",
        "A study by {body} puts at {number} those affected {where}",
    ),
    "caption": (
        "{person}, {when} {where}.", "A view of {place}. Photograph: {person}",
        "The home of {body}, in a file picture.", "{person} greets {person} {where}.",
    ),
    "tag": ("{place}", "{last}", "{field}", "{river}"),
    "correction": (
        "Correction: an earlier version of this article put the number affected at {number}. "
        "The right figure, according to {body}, is {number}.",
    ),
    "update": ("{source} {act} {when}, after this article was first published.",),
    "advert": (
        "Save {percent} on your insurance", "Fly to {place} from £{nz}9", "{last} mattresses: sleep well",
    ),
}

TOPICS: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "politics": {
        "thing": (
            "the {field} bill", "the {field} order", "the motion against {person}", "the {place} pact",
            "the select committee", "the share-out of seats", "the reform of standing orders",
            "the {field} budget", "the candidacy of {person}", "the recount in {place}", "clause {nz}{d}",
            "the succession to {person}", "the referendum on {field}", "the electoral roll of {place}",
        ),
        "fate": (
            "will pass by {nz}{d} votes", "is bound for a drawer", "needs the backing of {body}",
            "has split the friends of {person}", "will run into {body}", "goes to the vote unchanged",
            "must wait until {month}", "hangs on a single abstention", "redraws the map {where}",
        ),
        "act": (
            "tabled a wrecking amendment", "defied the whips", "summoned {person} to give evidence",
            "gathered the mayors of the county", "resigned the seat", "agreed the agenda with {body}",
            "called in the executive", "brought {thing} to the floor", "sacked {person}",
            "demanded a full debate",
        ),
        "title": (
            "{person} breaks with {body} over {thing}", "{body} frees {thing}",
            "{place} left without a mayor", "{thing} divides {body}",
            "{person} set to win {nz}{d} seats, says {body}", "A vote cast in error saves {thing} in {place}",
        ),
    },
    "world": {
        "country": (
            "Norvania", "Estelia", "Marganza", "Ulterra", "Boreslavia", "Cantaria", "Drovia", "Islandar",
            "Pelagia",
        ),
        "thing": (
            "the truce in {country}", "the border between {country} and {country}", "the mission of {body}",
            "the {country} summit", "the relief corridor in {country}", "the treaty of {place}",
            "the embassy in {country}", "the embargo on {country}", "the transition in {country}",
            "the exodus to {country}", "the good offices of {person}",
        ),
        "fate": (
            "holds in spite of the fighting", "broke down without warning",
            "is being haggled over in {place}", "rests with {country}",
            "will reopen under {number} observers", "has displaced {number} people",
            "annoys the government of {country}", "is on the agenda of {body}", "took {few} years of talks",
        ),
        "act": (
            "flew to {country} without an escort", "withdrew its envoy from {country}",
            "crossed into {country}", "offered shelter to {number} people",
            "protested at the arrest of {person}", "sent {nz}{d} lorries of aid",
            "signed an armistice with {country}", "halted flights to {country}",
            "condemned the coup in {country}",
        ),
        "title": (
            "{country} and {country} reopen their border", "{person} to mediate in {country}",
            "{country} shuts down {thing}", "Thousands flee {country} for {country}",
            "{body} sounds alarm over {thing}", "The night {country} changed its flag",
        ),
    },
    "economy": {
        "firm": (
            "{last} Steel", "{place} Bank", "{last} & Daughters", "{last} Group", "{river} Mills",
            "{last} Lines",
        ),
        "thing": (
            "the merger of {firm}", "the price of oats", "the debt of {firm}", "the metalworkers’ deal",
            "the barley harvest", "rent in {place}", "the {place} exchange", "the levy on the self-employed",
            "the {firm} works in {place}", "the tax on scrap", "the order book of {firm}",
            "joblessness in {place}",
        ),
        "fate": (
            "rose {percent}", "fell {percent} in {month}", "costs more for the {few}th month in a row",
            "has passed {money}", "drags down the whole trade", "is close to the record set in {month}",
            "will force {number} people out of work", "refuses to recover", "will create {number} jobs",
        ),
        "act": (
            "bought {firm} for {money}", "sold {percent} of {firm}", "gave notice to {number} staff",
            "cut the forecast to {percent}", "closed the year {money} in the red",
            "raised wages by {percent}", "opened a plant with {firm}", "refinanced {money}",
            "took {firm} to court", "paid a dividend",
        ),
        "title": (
            "{firm} buys {firm} for {money}", "{thing} up {percent}", "{firm} to shed {number} jobs",
            "{place} wins back the jobs lost in {month}", "{person} steps down as chair of {firm}",
            "{body} cuts its forecast to {percent}",
        ),
    },
    "sport": {
        "club": (
            "{place} Rovers", "{place} Wanderers", "Athletic {place}", "{river} Rangers", "{hill} United",
        ),
        "thing": (
            "the derby with {club}", "the injury to {person}", "the signing of {person}", "the {place} final",
            "the fives league", "the comeback of {club}", "the penalty by {person}", "the {place} stage",
            "the record over {nz},000 metres", "the promotion of {club}", "the {river} regatta",
        ),
        "fate": (
            "was settled in the {nz}{few}th minute", "leaves the dressing room shaken",
            "ended with {few} goals", "brought the stand to its feet", "is worth half a season",
            "will be played in {place}", "turns the table upside down", "went to extra time",
            "drew {number} supporters", "cost {money}",
        ),
        "act": (
            "put {few} goals past {club}", "missed a penalty in the {nz}{few}th minute",
            "signed on until {month}", "took the stage by {nz}{d} seconds",
            "left on a stretcher against {club}", "dismissed {person}", "asked to come off before the break",
            "lifted the cup against {club}", "beat the mark set by {person}",
        ),
        "title": (
            "{person} rescues a point against {club}", "{person} takes the mountain stage in {place}",
            "{person} leaves the dugout", "{place} dreams of {thing}", "{nz}-{nz}: goals rain in {place}",
            "{person} out for {few} weeks",
        ),
    },
    "culture": {
        "work": (
            "‘The Quiet {hill}’", "‘A {river} Notebook’", "‘The Sons of {last}’", "‘{nz} Nights in {place}’",
            "‘Music for {place}’", "‘The Winter of {first}’", "‘Letter to {first}’", "‘No News from {place}’",
        ),
        "thing": (
            "the novel {work}", "the {place} festival", "the {last} exhibition", "the papers of {person}",
            "the film {work}", "the {place} altarpiece", "the tour by {person}", "the première of {work}",
            "the {last} prize", "the opera {work}", "the {place} museum", "the translation of {work}",
        ),
        "fate": (
            "comes to {place} at last", "sold {number} tickets", "rescues a forgotten voice",
            "returns to the stage", "portrays a family from {place}", "blends essay and ballad",
            "surprised the jury in {place}", "will travel to {nz}{d} towns", "fills {few} rooms",
            "has won praise and the odd yawn",
        ),
        "act": (
            "opened {work}", "gave {number} letters to {body}", "won the {last} prize",
            "restored a canvas by {person}", "read from {work}", "sang a duet with {person}",
            "published {work} with a press in {place}", "shot {work} for {money}",
            "unearthed a manuscript by {person}", "translated {work}",
        ),
        "title": (
            "{person} wins the {last} prize for {work}", "{work}, or the memory of {place}",
            "{place} discovers {thing}", "Lost manuscript by {person} turns up", "{person}: “{opinion}”",
            "{work} packs out {place}",
        ),
    },
}
