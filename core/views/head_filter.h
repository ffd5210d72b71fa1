#pragma once
// Filter expressions over the heads table, such as `ap_drop > 0.2 && layer < 10`, or another table.
//
//   numbers and columns      + - * /   abs(x) min(x, y) max(x, y)
//   < <= > >= == = !=        chains such as 0.2 < ap_drop < 0.5
//   && || ! and or not ( )
//   texts                    taxonomy == mixed, attention != "full"
//   name                     "L12H6";  starred  is true for marked heads,  group:induction  for heads of a
//   group
//
// A single word that is not a column is searched in the head's name and all text columns: `L12`, `mixed`.
// A comparison with a missing value is false.
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.h"
#include "core/base/table.h"
#include "core/views/head_group.h"

namespace plastiscope {

// Error in an expression, with its byte index.
struct FilterError : UsageError {
  FilterError(const std::string& sentence, std::size_t where) : UsageError(sentence), position(where) {}
  std::size_t position;
};

// Sets of heads that an expression can name.
struct HeadSets {
  std::function<bool(std::size_t row)> starred = {};  // empty: no head is marked
  HeadGroups groups = {};
};

class HeadFilter {
 public:
  using Starred = std::function<bool(std::size_t row)>;

  HeadFilter() = default;  // matches every row
  // `heads` must outlive the filter; `starred` may be empty. FilterError.
  HeadFilter(std::string_view expression, const Table& heads, Starred starred = {})
      : HeadFilter(expression, heads, HeadSets{std::move(starred), {}}) {}
  HeadFilter(std::string_view expression, const Table& heads, HeadSets sets);

  bool empty() const { return !m_matches; }
  bool matches(std::size_t row) const { return !m_matches || m_matches(row); }

 private:
  std::function<bool(std::size_t)> m_matches;
};

}  // namespace plastiscope
