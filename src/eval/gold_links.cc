#include "eval/gold_links.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/files.h"
#include "base/numbers.h"

namespace heed {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (size_t begin = 0; begin < line.size();) {
    begin = line.find_first_not_of(" \t", begin);
    if (begin == std::string_view::npos) break;
    const size_t end = std::min(line.find_first_of(" \t", begin), line.size());
    words.push_back(line.substr(begin, end - begin));
    begin = end;
  }
  return words;
}

struct Mark {
  Link link;
  bool sure = true;
};

std::optional<int64_t> position(std::string_view text) {
  const auto number = parse_int(text);
  return number && *number >= 0 ? number : std::nullopt;
}

// Parses "3-4", "3p4" or "3?4".
std::optional<Mark> parse_pharaoh(std::string_view word) {
  const size_t at = word.find_first_not_of("0123456789");
  if (at == std::string_view::npos) return std::nullopt;
  const char sign = word[at];
  if (sign != '-' && sign != 'p' && sign != '?') return std::nullopt;
  const auto source = position(word.substr(0, at));
  const auto target = position(word.substr(at + 1));
  if (!source || !target) return std::nullopt;
  return Mark{{*source, *target}, sign == '-'};
}

void add_gold(GoldFile& gold, GoldLinks& sentence, const Mark& mark, int64_t base) {
  const Link link{mark.link.first - base, mark.link.second - base};
  if (link.first < 0 || link.second < 0) {
    ++gold.dropped;
    return;
  }
  if (mark.sure) sentence.sure.insert(link);
  sentence.possible.insert(link);
}

GoldFile read_pharaoh(const std::string& path, int64_t base, int64_t sentences) {
  GoldFile gold;
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    auto& sentence = gold.sentences.emplace_back();
    for (std::string_view word : words_of(line)) {
      const auto mark = parse_pharaoh(word);
      if (!mark) {
        fail("{}:{}: '{}' is not a gold link: write 3-4 for a sure, 3p4 or 3?4 for a possible one",
             path, reader.line_number(), word);
      }
      add_gold(gold, sentence, *mark, base);
    }
  }
  const auto lines = static_cast<int64_t>(gold.sentences.size());
  if (lines != sentences) {
    fail("{} has {} {}, the links have {}; they must match", path, lines,
         lines == 1 ? "line" : "lines", sentences);
  }
  return gold;
}

struct NaaclLink {
  int64_t sentence = 0;
  Mark mark;
};

std::optional<NaaclLink> parse_naacl(const std::vector<std::string_view>& words) {
  if (words.size() < 3 || words.size() > 5) return std::nullopt;
  NaaclLink link;
  const auto sentence = position(words[0]);
  const auto source = position(words[1]);
  const auto target = position(words[2]);
  if (!sentence || !source || !target) return std::nullopt;
  link.sentence = *sentence;
  link.mark.link = {*source, *target};
  if (words.size() > 3) {
    const bool possible = words[3] == "P" || words[3] == "p";
    if (!possible && words[3] != "S" && words[3] != "s") return std::nullopt;
    link.mark.sure = !possible;
  }
  return link;
}

// The files of the shared tasks number sentences from 1 and keep the numbers if sentences are left
// out. If there is a sentence 0, numbers start at 0.
std::map<int64_t, size_t> lines_of_sentences(const std::map<int64_t, std::vector<Mark>>& marks,
                                             const std::string& path, int64_t sentences) {
  std::map<int64_t, size_t> lines;
  if (marks.empty()) return lines;
  const int64_t least = marks.begin()->first;
  const int64_t most = marks.rbegin()->first;
  const int64_t base = least == 0 ? 0 : 1;
  const bool in_order = static_cast<int64_t>(marks.size()) == sentences;
  if (!in_order && most - base >= sentences) {
    fail(
        "{} has links of {} sentences numbered {} to {}, which do not match the {} lines of the "
        "links",
        path, marks.size(), least, most, sentences);
  }
  size_t next = 0;
  for (const auto& entry : marks) {
    lines[entry.first] = in_order ? next++ : static_cast<size_t>(entry.first - base);
  }
  return lines;
}

GoldFile read_naacl(const std::string& path, int64_t base, int64_t sentences) {
  std::map<int64_t, std::vector<Mark>> marks;
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    const auto words = words_of(line);
    if (words.empty()) continue;
    const auto link = parse_naacl(words);
    if (!link)
      fail("{}:{}: expected 'sentence i j [S|P]', found '{}'", path, reader.line_number(), line);
    marks[link->sentence].push_back(link->mark);
  }
  GoldFile gold;
  gold.sentences.resize(static_cast<size_t>(sentences));
  for (const auto& [sentence, line] : lines_of_sentences(marks, path, sentences)) {
    for (const Mark& mark : marks[sentence]) add_gold(gold, gold.sentences[line], mark, base);
  }
  return gold;
}

}  // namespace

std::vector<Links> read_links(const std::string& path) {
  std::vector<Links> result;
  LineReader reader(path);
  for (std::string line; reader.next(line);) {
    auto& links = result.emplace_back();
    for (std::string_view word : words_of(line)) {
      const auto mark = parse_pharaoh(word);
      if (!mark || !mark->sure) {
        fail("{}:{}: '{}' is not a link: expected source-target positions such as 3-4", path,
             reader.line_number(), word);
      }
      links.insert(mark->link);
    }
  }
  return result;
}

GoldFile read_gold(const std::string& path, const std::string& format, int64_t base,
                   int64_t sentences) {
  check(base == 0 || base == 1, "[read_gold] base is 0 or 1. Received {}", base);
  if (format == "pharaoh") return read_pharaoh(path, base, sentences);
  if (format == "naacl") return read_naacl(path, base, sentences);
  fail("unknown gold format '{}': there are pharaoh, naacl", format);
}

}  // namespace heed
