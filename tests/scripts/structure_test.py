#!/usr/bin/env python3
"""scripts/check_structure.py: what it takes for a function, a circle and a short comment."""

import importlib
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "scripts"))
structure = importlib.import_module("check_structure")


def found(code):
    """Name, lines (0 for a declaration) and parameters of each function."""
    return [(f.name, f.lines, f.parameters) for f in structure.functions_of(code)]


class Functions(unittest.TestCase):
    def test_definitions_and_declarations(self):
        self.assertEqual(found("int f(int a, std::map<int, int> b);\n"), [("f", 0, 2)])
        self.assertEqual(found("void g() {\n  if (a) { b(); }\n}\nvoid h(void) {}\n"),
                         [("g", 3, 0), ("h", 1, 0)])
        self.assertEqual(found("template <class T>\nvoid g(T a,\n       T b) {\n}\n"), [("g", 4, 2)])

    def test_members(self):
        code = """namespace n {
class X : public Y {
 public:
  explicit X(int a) : a_(a), b_{1} {
  }
  ~X();
  bool operator==(const X& x) const { return true; }
  int operator()(int a, int b) const;
 private:
  int a_ = f(1, 2), b_{0};
};
X::~X() {}
int x = f(1);
}  // namespace n
"""
        self.assertEqual(found(code), [("X", 2, 1), ("~X", 0, 0), ("=", 1, 1), (")", 0, 2),
                                       ("~X", 1, 0)])

    def test_what_looks_like_code_in_comments_and_texts(self):
        code = """// void f(int a) {
const char* text = "{ } ( \\" //";
char32_t c = U'{', d = '\\'';
int thousands = 1'000'000;
const char* raw = R"(
{ )";
#define MACRO(a) \\
  { a(
void g() {
  /* } */
}
"""
        self.assertEqual(found(code), [("g", 3, 0)])

    def test_lambdas_belong_to_their_function(self):
        code = "void f() {\n  const auto g = [](int a, int b) {\n    return a;\n  };\n}\n"
        self.assertEqual(found(code), [("f", 5, 0)])
        self.assertEqual(found("const auto g = [](int a) {\n  return a;\n};\nint f();\n"),
                         [("f", 0, 0)])


class Circles(unittest.TestCase):
    def test_a_header_and_its_source_count_as_one(self):
        files = {"src/r/a.h": "", "src/r/a.cc": '#include "r/a.h"\n#include "r/b.h"\n',
                 "src/r/b.h": '#include "r/a.h"\n', "src/r/c.h": '#include "r/b.h"\n'}
        self.assertEqual(structure.circles(files), [("src/r/a", "src/r/b")])

    def test_own_headers_and_other_rooms_make_none(self):
        files = {"src/r/a.cc": '#include "r/a.h"\n', "src/r/a.h": '#include "s/b.h"\n',
                 "src/s/b.h": "#include <r/a.h>\n"}
        self.assertEqual(structure.circles(files), [])


class Program(unittest.TestCase):
    def breaches(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            run = subprocess.run([sys.executable, ROOT / "scripts/check_structure.py", "--root", folder],
                                 capture_output=True, text=True, check=False)
        self.assertEqual(run.stderr, "")
        lines = [line for line in run.stdout.splitlines() if "is not needed" not in line]
        self.assertEqual(run.returncode, 1 if run.stdout else 0)
        return lines

    def test_finds_what_is_too_much(self):
        body = "void {}() {{\n" + "  a();\n" * 59 + "}}\n"
        self.assertEqual(self.breaches({"src/r/a.cc": body.format("f")}),
                         ["src/r/a.cc:1: f has 61 lines; at most 60 are allowed"])
        eight = "\nvoid f(" + ", ".join(["int"] * 8) + ");\n"
        self.assertEqual(self.breaches({"src/r/a.h": eight}),
                         ["src/r/a.h:2: f has 8 parameters; at most 7 are allowed: make a struct of some"])
        self.assertEqual(self.breaches({"src/r/a.h": eight.replace("int, ", "", 1)}), [])

    def test_counts_short_comment_lines(self):
        text = "// Two words\n" + "// Here are three.\n" * 5
        (line,) = self.breaches({"tests/r/a.cc": text})
        self.assertIn("1 of 6 comment lines have only one or two words (16.7 %)", line)
        self.assertIn("tests/r/a.cc (1)", line)
        self.assertEqual(self.breaches({"tests/r/a.cc": text.replace("Two words", "All of these")}), [])

    def test_this_tree_has_no_breach_and_no_idle_exception(self):
        run = subprocess.run([ROOT / "scripts/check_structure.py"], capture_output=True, text=True, check=False)
        self.assertEqual((run.returncode, run.stdout, run.stderr), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
