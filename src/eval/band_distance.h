// Edit distance in a band, as the translation edit rate needs it: many times over between one
// reference and slightly changed orders of the same words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed {

// Where the words of the two sides end up when one is edited into the other.
struct EditPath {
  int64_t distance = 0;
  // For each word of the reference the word of the hypothesis beside it, or the last before it
  // where it has none (-1: none before either).
  std::vector<int64_t> beside;
  std::vector<bool> reference_wrong;   // the word is inserted or replaces another
  std::vector<bool> hypothesis_wrong;  // the word is left out or replaced
};

// Words inserted, left out or replaced, each at a cost of 1. Row i of the table (i words of the
// hypothesis) holds only the columns near i * |reference| / |hypothesis|.
class BandDistance {
 public:
  // length: words of every hypothesis to come.
  BandDistance(const std::vector<int>& reference, size_t length);

  // Makes this the hypothesis that distance_of compares with.
  EditPath follow(const std::vector<int>& hypothesis);

  // The distance of a hypothesis whose first `same` words are those given to follow() last, whose
  // rows are taken over.
  int64_t distance_of(const std::vector<int>& hypothesis, size_t same);

 private:
  enum class Edit : uint8_t { kNone, kKeep, kReplace, kLeaveOut, kInsert };
  struct Cell {
    int64_t cost;
    Edit edit;
  };
  using Table = std::vector<std::vector<Cell>>;

  void fill_row(const std::vector<int>& hypothesis, size_t i, const std::vector<Cell>& above,
                std::vector<Cell>& row) const;

  std::vector<int> reference_;
  size_t length_;
  Table rows_;     // of follow()
  Table scratch_;  // of distance_of()
};

}  // namespace heed
