// Edit distance restricted to a band around the diagonal, made for the translation edit rate: one
// reference is compared with many hypotheses that are slight reorderings of the same words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heed {

// How the words of both sides are aligned when the hypothesis is edited into the reference.
struct EditPath {
  int64_t distance = 0;
  // For each word of the reference, the hypothesis word aligned with it; if there is none, the last
  // hypothesis word before that position (-1: none).
  std::vector<int64_t> beside;
  std::vector<bool> reference_wrong;   // the word is inserted or substituted
  std::vector<bool> hypothesis_wrong;  // the word is deleted or substituted
};

// Words are inserted, deleted or substituted, each at a cost of 1. Row i of the table (i words of
// the hypothesis) holds only the columns near i * |reference| / |hypothesis|.
class BandDistance {
 public:
  // length: the number of words of every later hypothesis.
  BandDistance(const std::vector<int>& reference, size_t length);

  // Computes the table of a hypothesis, from which distance_of() then starts.
  EditPath follow(const std::vector<int>& hypothesis);

  // The distance of a hypothesis whose first `same` words are those last given to follow(); their
  // rows of the table are reused.
  int64_t distance_of(const std::vector<int>& hypothesis, size_t same);

 private:
  enum class Edit : uint8_t { none, keep, replace, leave_out, insert };
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
