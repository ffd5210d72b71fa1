#include "widgets/capture/record_facets.h"

#include <algorithm>

namespace plastiscope {

bool passes(const RecordEntry& record, const RecordChoice& choice, int except) {
  for (std::size_t field = 0; field < choice.wanted.size(); ++field) {
    const auto& wanted = choice.wanted[field];
    if (static_cast<int>(field) != except && !wanted.empty() && !wanted.contains(record.values[field]))
      return false;
  }
  return true;
}

std::vector<std::int64_t> countsOf(const RecordList& list, const RecordChoice& choice, int field) {
  const auto place = static_cast<std::size_t>(field);
  std::vector<std::int64_t> counts(list.fields[place].values.size(), 0);
  for (const RecordEntry& record : list.records) {
    const int value = record.values[place];
    if (value >= 0 && passes(record, choice, field)) ++counts[static_cast<std::size_t>(value)];
  }
  return counts;
}

std::vector<std::pair<std::string, std::string>> selectionOf(const RecordList& list,
                                                             const RecordChoice& choice) {
  std::vector<std::pair<std::string, std::string>> select;
  const bool byHand = std::ranges::any_of(
      choice.left, [&](std::size_t record) { return passes(list.records[record], choice); });
  if (byHand) {
    for (std::size_t i = 0; i < list.records.size(); ++i) {
      if (passes(list.records[i], choice) && !choice.left.contains(i))
        select.emplace_back(list.idField, list.records[i].id);
    }
    return select;
  }
  for (std::size_t field = 0; field < choice.wanted.size(); ++field) {
    for (const int value : choice.wanted[field])
      select.emplace_back(list.fields[field].name,
                          list.fields[field].values[static_cast<std::size_t>(value)]);
  }
  return select;
}

}  // namespace plastiscope
