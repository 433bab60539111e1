#!/usr/bin/env python3
"""Checks the structure of the C++ sources. Prints file:line for each breach and exits with 1 if
there is one.

  scripts/check_structure.py [--root FOLDER]

  cycles      within a room (a folder of src), files do not include each other in a circle; a header
              and its source count as one
  functions   no function has more than 60 lines, but data tables
  parameters  no function has more than 7 parameters
  comments    in src and in tests, less than 2 % of the comment lines have only one or two words:
              these are left over from reflowed comments

Only the standard library is used. Nothing is compiled: the code is cut into tokens, without comments
and texts."""
import argparse
import re
import sys
from pathlib import Path

MOST_LINES = 60
MOST_PARAMETERS = 7
MOST_SHORT_COMMENTS = 0.02  # of the comment lines of a tree
TREES = ["src", "tests"]

# What is allowed all the same. An entry that no longer applies is a breach, so that the tables only
# shrink.
DATA_TABLES = {"rows"}  # functions over MOST_LINES that are tables
LONG_LISTS = {  # functions with more than MOST_PARAMETERS
    "additive_gradient", "gru_backward_row", "lstm_backward_row"}
CYCLES = set()  # circles of files, without endings
SHORT_COMMENTS = {}  # bounds of trees above MOST_SHORT_COMMENTS

TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.']*|->|::|\n|\S")
LITERAL = re.compile(
    r'R"(?P<mark>[^\s()\\]*)\(.*?\)(?P=mark)"|//[^\n]*|/\*.*?\*/'
    r"|\"(?:[^\"\\\n]|\\.)*\"|(?:(?<![0-9A-Za-z_])|\b(?:u8|[uUL]))'(?:[^'\\\n]|\\.)+'|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*",
    re.DOTALL | re.MULTILINE)
NOT_FUNCTIONS = {"namespace", "class", "struct", "union", "enum", "extern"}


def without_literals(text):
    """The code without comments, preprocessor lines, texts and characters, in the same lines."""
    def blank(match):
        literal = match.group()
        filler = '""' if literal[0] in "\"'R" else " "
        return filler + "\n" * literal.count("\n")
    return LITERAL.sub(blank, text)


def tokens_of(text):
    """Pairs of a token and its line, from 1."""
    line, tokens = 1, []
    for token in TOKEN.findall(without_literals(text)):
        if token == "\n":
            line += 1
        else:
            tokens.append((token, line))
    return tokens


CLOSING = {"(": ")", "[": "]", "{": "}"}


def end_of_group(tokens, begin):
    """The index of the bracket that closes the one at `begin`."""
    depth = 0
    for i in range(begin, len(tokens)):
        if tokens[i][0] in CLOSING:
            depth += 1
        elif tokens[i][0] in CLOSING.values():
            depth -= 1
            if depth == 0:
                return i
    return len(tokens) - 1


def parameter_count(words):
    """The parameters in a list of tokens between parentheses."""
    if not words or words == ["void"]:
        return 0
    depth, count = 0, 1
    for word in words:
        if word in "([{<":
            depth += 1
        elif word in ")]}>":
            depth -= 1
        elif word == "," and depth == 0:
            count += 1
    return count


class Function:
    """A definition or declaration: name, first and last line, number of parameters."""

    def __init__(self, head, end_line, is_body):
        words = [token for token, _ in head]
        begin = parameters_begin(words)
        name = words[begin - 1]
        if begin >= 2 and words[begin - 2] == "~":
            name = "~" + name
        self.name = name
        self.line = head[begin - 1][1]
        self.lines = end_line - head[0][1] + 1 if is_body else 0
        self.parameters = parameter_count(words[begin + 1:end_of_group(head, begin)])


def parameters_begin(words):
    """The index of the parenthesis that opens the parameters, or -1 for what is no function."""
    depth = 0  # of template arguments
    for i, word in enumerate(words):
        if word == "<" and i > 0 and words[i - 1] != "operator":
            depth += 1
        elif word == ">" and words[i - 1] != "operator" and depth > 0:
            depth -= 1
        elif depth == 0 and word in ("=", "{"):
            if "operator" not in words[:i]:
                return -1
        elif depth == 0 and word == "(" and i > 0 and words[i - 1] not in ("decltype", "alignas"):
            if words[i - 1] == "operator" and words[i + 1:i + 2] == [")"]:
                continue  # operator()(...)
            return i
    return -1


def is_member_value(head):
    """Whether a brace after this head gives a member its value, as in X::X() : a_{1} {}."""
    words = [token for token, _ in head]
    begin = parameters_begin(words)
    if begin < 0:
        return False
    rest = words[end_of_group(head, begin) + 1:]
    return ":" in rest and (re.match(r"\w", rest[-1]) is not None or rest[-1] == ">")


def functions_of(text):
    """Every function defined or declared outside of functions."""
    tokens = tokens_of(text)
    functions, head, i = [], [], 0
    while i < len(tokens):
        token, line = tokens[i]
        words = [word for word, _ in head]
        if token in "([":
            end = end_of_group(tokens, i)
            head += tokens[i:end + 1]
            i = end
        elif token == "{":
            end = end_of_group(tokens, i)
            is_scope = any(word in NOT_FUNCTIONS for word in words) and ")" not in words
            if is_scope and "enum" not in words:
                head = []  # and go on inside
            elif parameters_begin(words) > 0 and not is_member_value(head):
                functions.append(Function(head, tokens[end][1], True))
                head, i = [], end
            else:
                head += tokens[i:end + 1]
                i = end
        elif token in ";}":
            if token == ";" and parameters_begin(words) > 0 and "typedef" not in words:
                functions.append(Function(head, line, False))
            head = []
        elif token == ":" and words and words[-1] in ("public", "private", "protected"):
            head = []
        else:
            head.append((token, line))
        i += 1
    return functions


def check_functions(files, report):
    tables, lists = set(DATA_TABLES), set(LONG_LISTS)
    for name, text in files.items():
        for function in functions_of(text):
            key = function.name
            where = f"{name}:{function.line}: {function.name}"
            if function.lines > MOST_LINES:
                if key not in DATA_TABLES:
                    report(f"{where} has {function.lines} lines; at most {MOST_LINES} are allowed")
                tables.discard(key)
            if function.parameters > MOST_PARAMETERS:
                if key not in LONG_LISTS:
                    report(f"{where} has {function.parameters} parameters; at most "
                           f"{MOST_PARAMETERS} are allowed: make a struct of some")
                lists.discard(key)
    for function in sorted(tables | lists):
        report(f"scripts/check_structure.py:1: the exception for {function} is not needed")


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def stem(name):
    return re.sub(r"\.(cc|cu|h)$", "", name)


def circles(files):
    """Circles of files of a room that include each other: lists of names without endings."""
    edges = {}
    for name, text in files.items():
        if not name.startswith("src/"):
            continue
        of = edges.setdefault(stem(name), set())
        room = name.split("/")[1]
        for included in INCLUDE.findall(text):
            if included.split("/")[0] == room and stem("src/" + included) != stem(name):
                of.add(stem("src/" + included))

    def reached(start):
        seen, waiting = set(), [start]
        while waiting:
            for other in edges.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    reach = {name: reached(name) for name in edges}
    found = {tuple(sorted(other for other in reach[name] if name in reach.get(other, ())))
             for name in edges if name in reach[name]}
    return sorted(found)


def check_cycles(files, report):
    found = circles(files)
    for circle in found:
        if circle not in CYCLES:
            report(f"{circle[0]}.h:1: these include each other in a circle: {', '.join(circle)}")
    for circle in sorted(CYCLES - set(found)):
        report(f"scripts/check_structure.py:1: the exception for the circle of {', '.join(circle)} "
               "is not needed")


def comment_lines(text):
    """The words of each line that is a comment and nothing else."""
    return [line.strip()[2:].split() for line in text.splitlines() if line.strip().startswith("//")]


def check_comments(files, report):
    for tree in TREES:
        lines, short = 0, {}
        for name, text in files.items():
            if name.startswith(tree + "/"):
                comments = comment_lines(text)
                lines += len(comments)
                short[name] = sum(1 <= len(words) <= 2 for words in comments)
        count = sum(short.values())
        if lines and count / lines >= SHORT_COMMENTS.get(tree, MOST_SHORT_COMMENTS):
            worst = sorted(short, key=lambda name: (-short[name], name))[:5]
            report(f"{tree}:1: {count} of {lines} comment lines have only one or two words "
                   f"({100 * count / lines:.1f} %): reflow them, first in "
                   + ", ".join(f"{name} ({short[name]})" for name in worst))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent,
                        help="the folder that has src and tests")
    root = parser.parse_args().root
    files = {str(path.relative_to(root)): path.read_text(encoding="utf-8")
             for tree in TREES for path in sorted((root / tree).rglob("*"))
             if path.suffix in (".cc", ".h", ".cu")}
    breaches = []
    for check in (check_cycles, check_functions, check_comments):
        check(files, breaches.append)
    for breach in breaches:
        print(breach)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
