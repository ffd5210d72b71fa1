#pragma once
// Every column of every table of an analysis as a person meets it: name, unit, range, help. What fills it
// stands beside these words in core/analysis/tables/: that is the one list.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plastiscope {

struct MetricInfo {
  std::string title = {};  // plain words for menus: "AP drop"
  std::string label = {};  // with <sub>, <sup> and <i>, for axes and cards: "AP<sub>drop</sub>"
  std::string unit = {};   // "" = a pure number
  std::string group = {};  // "Plasticity", "Position axis", ...: sections of menus and cards
  std::optional<std::pair<double, double>> range = {};  // natural limits of the quantity, when it has any
  std::string meaning = {};                             // one sentence
  std::string formula = {};                             // plain text; may be empty
  std::string caveat = {};                              // what to beware of; may be empty
  std::string sign = {};                                // what positive means; empty: the number has no sign
  std::string thesis = {};  // place in the thesis; empty: defined by this program, or by the work it names
  bool isText = false;
  bool isSigned = false;  // diverging colours around zero, symmetric range
  std::string column = {};
  std::vector<std::string> tables = {};  // that have the column, its home first
};

struct TableInfo {
  std::string name, rows, text;  // rows: "one row a head"
};

// Endings of columns that are made of another one: ap_drop_low, r_q_heads.
inline constexpr const char *kLowEnding = "_low", *kHighEnding = "_high", *kPlainEnding = "_plain",
                            *kMedianEnding = "_median", *kHeadsEnding = "_heads", *kMeanEnding = "_mean",
                            *kSpreadEnding = "_sd";

struct MetricSuffix {
  std::string suffix, title, meaning;  // title: with {title}
  bool isCount = false;
};

// Where the thesis defines and prints what a column holds, by its own numbers.
struct ThesisPlace {
  std::string_view table, column;        // "x#": of any number
  const char *equations, *printed = "";  // "equation 4.6", "figures 6.5 and A.2; table 6.2"
};
std::span<const ThesisPlace> thesisPlaces();

struct MetricCatalogue {
  std::vector<TableInfo> tables;
  std::vector<MetricInfo> metrics;  // numbered ones (ap_decile_#) one by one, open ones (x#) once
  std::vector<MetricSuffix> suffixes;

  const TableInfo* table(std::string_view name) const;
  // The entry of a table's column; for columns that summaries make of those of heads.csv, and for suffixes,
  // one made from the entry of the base.
  std::optional<MetricInfo> find(std::string_view table, std::string_view column) const;
};

const MetricCatalogue& metricCatalogue();

// The columns of heads.csv that have an interval, in its order: every measured one but residual_pos_r, which
// tests rounding.
const std::vector<std::string>& sampledColumns();

// Those of them that have an interval over texts in every analysis.
bool isOverTexts(std::string_view column);

// Whether means over heads of this column of heads.csv stand beside medians.
bool isHeavyTailed(std::string_view column);

}  // namespace plastiscope
