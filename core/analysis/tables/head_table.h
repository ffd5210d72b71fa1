#pragma once
// What the functions that make tables have in common.
#include <string>
#include <vector>

#include "core/analysis/head_analysis.h"
#include "core/base/table.h"

namespace plastiscope {

using Integers = std::vector<std::int64_t>;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

// A table under construction whose first columns are layer and head.
class HeadTable {
 public:
  explicit HeadTable(std::string name) { m_table.name = std::move(name); }
  void startRow(const HeadResult& head) {
    m_layer.push_back(head.place.layer);
    m_head.push_back(head.place.head);
  }
  Table finish(std::vector<Column> columns) {
    m_table.columns = {{"layer", std::move(m_layer)}, {"head", std::move(m_head)}};
    for (Column& column : columns) m_table.columns.push_back(std::move(column));
    return std::move(m_table);
  }

 private:
  Table m_table;
  Integers m_layer, m_head;
};

}  // namespace plastiscope
