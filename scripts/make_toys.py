#!/usr/bin/env python3
"""Makes the two toy translation tasks of data/, with the right word alignment of each sentence.

reverse: a sequence of letters and the same sequence backwards.
bank:    a small English-like language and a French-like one. It shows what attention is for: words in another
         order, verbs at the end of a clause, one word for two and two for one, agreement, and nouns
         whose translation depends on a distant word.

The same seed gives the same bytes with every Python 3, because this file has its own random number generator.
Alignments are Pharaoh lines: source-target, 0-based.
"""
import argparse
import collections
import hashlib
import os
import sys

SEED = 20240229
SPLITS = {
    "reverse": {"train": 20000, "valid": 500, "test": 500},
    "bank": {"train": 10000, "valid": 300, "test": 500},
}
TASKS = list(SPLITS)
Pair = collections.namedtuple("Pair", "source target links")


class Random:
    """SplitMix64: integer arithmetic only, so no version of Python can change it."""

    def __init__(self, seed):
        self.state = seed & 0xFFFFFFFFFFFFFFFF

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
        return z ^ (z >> 31)

    def below(self, n):
        return self.bits() % n

    def chance(self, percent):
        return self.below(100) < percent

    def pick(self, items):
        return items[self.below(len(items))]


# ---------------------------------------------------------------------------------------------- reverse

ALPHABET = "abcdefghijklmnopqrstuvwx"


def reverse_pair(random):
    length = 3 + random.below(28)
    source = [random.pick(ALPHABET) for _ in range(length)]
    return Pair(source, source[::-1], [(i, length - 1 - i) for i in range(length)])


# ------------------------------------------------------------------------------------------------- bank
# A noun is (English singular, plural, French singular, plural, gender). A word that is two words in the
# other language is written with a space. No French word here has an initial vowel that would shorten the word before it.

Noun = collections.namedtuple("Noun", "en en_plural fr fr_plural gender")


def nouns(text):
    return [Noun(*[part.strip() for part in line.split("/")]) for line in text.strip().splitlines()]


PLAIN = nouns("""
dog / dogs / chien / chiens / m
cat / cats / chat / chats / m
woman / women / femme / femmes / f
boy / boys / garçon / garçons / m
girl / girls / fille / filles / f
house / houses / maison / maisons / f
garden / gardens / jardin / jardins / m
table / tables / table / tables / f
key / keys / clef / clefs / f
flower / flowers / fleur / fleurs / f
postcard / postcards / carte postale / cartes postales / f
goldfish / goldfishes / poisson rouge / poissons rouges / m
apple tree / apple trees / pommier / pommiers / m
living room / living rooms / salon / salons / m
""")

# An ambiguous noun is (English, [(French, gender, the nouns that require it), ...]). It is used in the singular only.
AMBIGUOUS = [
    ("bank", [
        ("rive", "f", nouns("""
            river / rivers / rivière / rivières / f
            boat / boats / bateau / bateaux / m
            fisherman / fishermen / pêcheur / pêcheurs / m
            bridge / bridges / pont / ponts / m""")),
        ("banque", "f", nouns("""
            coin / coins / pièce / pièces / f
            cashier / cashiers / caissier / caissiers / m
            loan / loans / prêt / prêts / m
            purse / purses / bourse / bourses / f""")),
    ]),
    ("bat", [
        ("batte", "f", nouns("""
            ball / balls / balle / balles / f
            player / players / joueur / joueurs / m
            team / teams / formation / formations / f""")),
        ("roussette", "f", nouns("""
            cave / caves / grotte / grottes / f
            owl / owls / chouette / chouettes / f
            moth / moths / papillon / papillons / m""")),
    ]),
    ("seal", [
        ("phoque", "m", nouns("""
            penguin / penguins / manchot / manchots / m
            whale / whales / baleine / baleines / f
            beach / beaches / plage / plages / f""")),
        ("sceau", "m", nouns("""
            king / kings / roi / rois / m
            contract / contracts / contrat / contrats / m
            queen / queens / reine / reines / f""")),
    ]),
]

# French forms in the order masculine, feminine, masculine plural, feminine plural.
DETERMINERS = [
    ("the", "the", "le la les les"),
    ("the", "the", "le la les les"),
    ("a", "some", "un une des des"),
    ("this", "these", "ce cette ces ces"),
    ("my", "my", "mon ma mes mes"),
]
ADJECTIVES_BEFORE = [
    ("big", "grand grande grands grandes"),
    ("small", "petit petite petits petites"),
    ("pretty", "joli jolie jolis jolies"),
]
ADJECTIVES_AFTER = [
    ("white", "blanc blanche blancs blanches"),
    ("green", "vert verte verts vertes"),
    ("black", "noir noire noirs noires"),
    ("heavy", "lourd lourde lourds lourdes"),
    ("clean", "propre propre propres propres"),
    ("famous", "connu connue connus connues"),
]
# English third person singular and plural, French the same.
VERBS = [
    ("sees", "see", "voit", "voient"),
    ("paints", "paint", "peint", "peignent"),
    ("finds", "find", "trouve", "trouvent"),
    ("watches", "watch", "regarde", "regardent"),
    ("hides", "hide", "cache", "cachent"),
    ("sells", "sell", "vend", "vendent"),
    ("pushes", "push", "pousse", "poussent"),
    ("looks for", "look for", "cherche", "cherchent"),
]
ADVERBS = [("often", "souvent"), ("always", "toujours"), ("quickly", "très vite")]
PREPOSITIONS = [("behind", "derrière"), ("with", "avec"), ("under", "sous"), ("without", "sans")]
CONJUNCTIONS = [("because", "parce que"), ("when", "quand"), ("while", "tandis que"), ("if", "si")]


class Sentence:
    """Builds a pair from units: a unit is some English words, some French words and all links between them."""

    def __init__(self, random):
        self.random = random
        self.units = []  # (English words, French words)

    def unit(self, english, french):
        self.units.append((english.split(), french.split()))
        return len(self.units) - 1

    def noun_phrase(self, noun):
        """Returns (units in English order, units in French order, plural)."""
        random = self.random
        plural = noun.en != noun.en_plural and random.chance(35)
        form = (2 if plural else 0) + (1 if noun.gender == "f" else 0)
        singular, several, french = random.pick(DETERMINERS)
        determiner = self.unit(several if plural else singular, french.split()[form])
        before, after = [], []
        kind = random.below(10)
        if kind < 3 or kind == 9:
            english, forms = random.pick(ADJECTIVES_BEFORE)
            before = [self.unit(english, forms.split()[form])]
        if kind >= 5:
            english, forms = random.pick(ADJECTIVES_AFTER)
            after = [self.unit(english, forms.split()[form])]
        head = self.unit(noun.en_plural if plural else noun.en, noun.fr_plural if plural else noun.fr)
        return [determiner, *before, *after, head], [determiner, *before, head, *after], plural

    def clause(self, subject, object_, place, verb_last):
        """Subject verb object [preposition place]; an adverb comes before the English verb and after the French one."""
        random = self.random
        subject_en, subject_fr, plural = self.noun_phrase(subject)
        object_en, object_fr, _ = self.noun_phrase(object_)
        place_en = place_fr = []
        if place:
            phrase_en, phrase_fr, _ = self.noun_phrase(place)
            preposition = self.unit(*random.pick(PREPOSITIONS))
            place_en, place_fr = [preposition, *phrase_en], [preposition, *phrase_fr]
        forms = random.pick(VERBS)
        verb = self.unit(forms[plural], forms[2 + plural])
        adverb = [self.unit(*random.pick(ADVERBS))] if not verb_last and random.chance(20) else []
        english = [*subject_en, *adverb, verb, *object_en, *place_en]
        if verb_last:
            return english, [*subject_fr, *object_fr, *place_fr, verb]
        return english, [*subject_fr, verb, *adverb, *object_fr, *place_fr]

    def pair(self, english_order, french_order):
        """Lays the units out in both orders and links every word of a unit with every word of its translation."""
        source, target, source_at, target_at = [], [], {}, {}
        for unit in english_order:
            source_at[unit] = range(len(source), len(source) + len(self.units[unit][0]))
            source += self.units[unit][0]
        for unit in french_order:
            target_at[unit] = range(len(target), len(target) + len(self.units[unit][1]))
            target += self.units[unit][1]
        links = sorted((i, j) for unit in source_at for i in source_at[unit] for j in target_at[unit])
        return Pair(source, target, links)


def choose_nouns(random, count):
    """Nouns of one sentence, at most one of them ambiguous; its cues all support the same sense."""
    roll = random.below(100)
    word = 0 if roll < 40 else 1 if roll < 50 else 2 if roll < 60 else None
    allowed = [random.pick(senses)[2] for _, senses in AMBIGUOUS]  # one kind of cue for each ambiguous noun
    chosen = []
    if word is not None:
        english, senses = AMBIGUOUS[word]
        french, gender, _ = next(sense for sense in senses if sense[2] is allowed[word])
        chosen = [Noun(english, english, french, french, gender), random.pick(allowed[word])]
    while len(chosen) < count:
        noun = random.pick(PLAIN if random.chance(55) else random.pick(allowed))
        if noun not in chosen:
            chosen.append(noun)
    for i in range(len(chosen) - 1, 0, -1):
        j = random.below(i + 1)
        chosen[i], chosen[j] = chosen[j], chosen[i]
    return chosen


def bank_sentence(random):
    sentence = Sentence(random)
    two_clauses = random.chance(55)
    place = [random.chance(30), random.chance(20)]
    queue = choose_nouns(random, 2 + place[0] + (2 + place[1] if two_clauses else 0))

    def clause(which, verb_last):
        subject, object_ = queue.pop(), queue.pop()
        return sentence.clause(subject, object_, queue.pop() if place[which] else None, verb_last)

    english, french = clause(0, False)
    stop = sentence.unit(".", ".")
    if two_clauses:
        side_en, side_fr = clause(1, True)
        conjunction = sentence.unit(*random.pick(CONJUNCTIONS))
        side_en, side_fr = [conjunction, *side_en], [conjunction, *side_fr]
        if random.chance(40):
            comma = sentence.unit(",", ",")
            english, french = [*side_en, comma, *english], [*side_fr, comma, *french]
        else:
            english, french = [*english, *side_en], [*french, *side_fr]
    return sentence.pair([*english, stop], [*french, stop])


def cue_is_far(pair):
    """An ambiguous noun is at least three words away from the nearest word that determines its sense."""
    for english, senses in AMBIGUOUS:
        if english not in pair.source:
            continue
        at = pair.source.index(english)
        cues = {form for _, _, words in senses for noun in words for form in (noun.en, noun.en_plural)}
        return all(abs(at - i) >= 3 for i, word in enumerate(pair.source) if word in cues)
    return True


def bank_pair(random):
    while True:
        pair = bank_sentence(random)
        if 5 <= len(pair.source) <= 20 and len(pair.target) <= 20 and cue_is_far(pair):
            return pair


# ------------------------------------------------------------------------------------------------ files


def make_splits(make_pair, sizes, random):
    """No source sentence occurs twice, neither within a split nor across splits."""
    seen, splits = {}, {}
    for split in ("test", "valid", "train"):
        pairs = []
        while len(pairs) < sizes[split]:
            pair = make_pair(random)
            source = " ".join(pair.source)
            if source not in seen:
                seen[source] = pair.target
                pairs.append(pair)
            elif seen[source] != pair.target:
                sys.exit(f"make_toys.py: two translations of '{source}'; the grammar must give one")
        splits[split] = pairs
    return splits


def leave_out(pairs, percent, random):
    """Removes words from the sources, but never all words of one; the translations stay complete."""
    for pair in pairs if percent else ():
        pair.source[:] = [word for word in pair.source if not random.chance(percent)] or pair.source[:1]


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8", newline="\n") as out:
        out.writelines(line + "\n" for line in lines)


def write_task(folder, task, make_pair, languages, options):
    os.makedirs(os.path.join(folder, task), exist_ok=True)
    sizes = dict(SPLITS[task], train=options.training_pairs or SPLITS[task]["train"])
    splits = make_splits(make_pair, sizes, Random(options.seed + TASKS.index(task)))
    leave_out(splits["train"], options.leave_out, Random(options.seed - 1 - TASKS.index(task)))
    for split, pairs in splits.items():
        stem = os.path.join(folder, task, split)
        write_lines(f"{stem}.{languages[0]}", (" ".join(pair.source) for pair in pairs))
        write_lines(f"{stem}.{languages[1]}", (" ".join(pair.target) for pair in pairs))
        if split != "train":
            write_lines(f"{stem}.align", (" ".join(f"{i}-{j}" for i, j in pair.links) for pair in pairs))


def print_checksums(folder, tasks):
    for task in sorted(tasks):
        for name in sorted(os.listdir(os.path.join(folder, task))):
            with open(os.path.join(folder, task, name), "rb") as data:
                print(f"{hashlib.sha256(data.read()).hexdigest()}  {task}/{name}")


def number_from(least, most):
    """Parses an option that must be an integer within these bounds."""
    def read(text):
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text} is no number from {least} to {most:,}")
        return int(text)
    return read


def main():
    data = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "data")
    parser = argparse.ArgumentParser(description="Makes the toy data and prints the SHA-256 of each file.")
    parser.add_argument("--output", default=data, help="folder (default: data/)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"seed (default: {SEED})")
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=TASKS, help="default: all")
    parser.add_argument("--training-pairs", type=number_from(1, 10**7), metavar="N", help="pairs per task; the first ones, test and "
                        "validation stay the same (default: as in data/)")
    parser.add_argument("--leave-out", type=number_from(0, 99), default=0, metavar="PERCENT",
                        help="share of the words of training sources to remove; translations stay complete (default: 0)")
    options = parser.parse_args()
    if (options.training_pairs or options.leave_out) and os.path.realpath(options.output) == os.path.realpath(data):
        parser.error("--training-pairs and --leave-out need --output as well: the tests count on the files of data/")
    makers = {"reverse": (reverse_pair, ("source", "target")), "bank": (bank_pair, ("en", "fr"))}
    try:
        for task in options.tasks:
            write_task(options.output, task, *makers[task], options)
        print_checksums(options.output, options.tasks)
    except OSError as error:
        sys.exit(f"make_toys.py: {error.filename}: {error.strerror}")


if __name__ == "__main__":
    main()
