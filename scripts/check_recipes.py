"""The recipes of docs/adding.md name files; this compares them with what an entry that exists needed. Part of check_docs.

A recipe ends in lines that a program can read:

    Files: `src/nn/attention/NAME.cc`, `src/config/schema.cc`
    Example: `general`, found by `make_general|"general"`
    Also: `src/other.cc` (why it mentions the example without being part of the recipe)

With the example in the place of NAME, every file exists; those of src/ that mention it (comments aside) are exactly the
ones of Files and Also; and each file outside of src/ mentions it.
"""
import re


def code(path):
    text = path.read_text(encoding="utf-8")
    return re.sub(r"//[^\n]*", "", text) if path.suffix in (".cc", ".h") else text


def fields(recipe):
    """The lines Files, Example and Also, each with the lines that continue it."""
    found, name = {}, None
    for line in recipe.splitlines():
        start = re.match(r"(Files|Example|Also): ", line)
        name = start[1] if start else name if line.strip() else None
        if name:
            found[name] = found.get(name, "") + " " + line
    return {name: re.findall(r"`([^`]+)`", text) for name, text in found.items()}


def check(root, fail):
    document = root / "docs/adding.md"
    sources = {path.relative_to(root).as_posix(): code(path) for path in sorted(root.glob("src/**/*"))
               if path.suffix in (".cc", ".h")}
    for recipe in re.split(r"^## ", document.read_text(encoding="utf-8"), flags=re.M)[1:]:
        where, found = f"docs/adding.md: {recipe.splitlines()[0]}", fields(recipe)
        if "Files" not in found or len(found.get("Example", [])) != 2:
            fail(where, "needs a line Files: and a line Example: `NAME`, found by `PATTERN`")
            continue
        name, pattern = found["Example"]
        files = {path.replace("NAME", name) for path in found["Files"]}
        also = set(found.get("Also", []))
        for path in sorted(files | also):
            if not (root / path).exists():
                fail(where, f"{path} does not exist")
            elif not path.startswith("src/") and not re.search(f"{pattern}|{name}", code(root / path), re.I):
                fail(where, f"{path} does not mention {name}")
        mentioning = {path for path, text in sources.items() if re.search(pattern, text)}
        listed = {path for path in files | also if path.startswith("src/")}
        for path in sorted(mentioning - listed):
            fail(where, f"{path} mentions {name} and is not listed")
        for path in sorted(listed - mentioning):
            fail(where, f"{path} is listed and does not mention {name}")
