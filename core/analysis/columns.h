#pragma once
// Descriptions of every column of every table of an analysis: name, unit, range, help. They are defined once,
// with the functions that fill the columns, in core/analysis/tables/.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plastiscope {

struct MetricInfo {
  std::string title = {};  // for menus: "AP drop"
  std::string label = {};  // with <sub>, <sup> and <i>, for axes and cards: "AP<sub>drop</sub>"
  std::string unit = {};   // "" = a pure number
  std::string group = {};  // "Plasticity", "Position axis", ...: sections of menus and cards
  std::optional<std::pair<double, double>> range = {};  // natural limits of the quantity, if any
  std::string meaning = {};                             // one sentence
  std::string formula = {};                             // plain text; may be empty
  std::string caveat = {};                              // may be empty
  std::string sign = {};                                // meaning of a positive value; empty: unsigned
  std::string thesis = {};  // place in the thesis; empty: defined by this program, or by the work it names
  bool isText = false;
  bool isSigned = false;  // diverging colours around zero, symmetric range
  std::string column = {};
  std::vector<std::string> tables = {};  // tables with the column, the defining one first
};

// Replaces each placeholder by its word in all texts of the column.
MetricInfo filledIn(MetricInfo metric, const std::vector<std::pair<std::string, std::string>>& words);
// Number k of `count`: # becomes k, {from} and {to} the part of the window in percent.
MetricInfo numberedInfo(MetricInfo metric, int k, int count);

struct TableInfo {
  std::string name, rows, text;  // rows: "one row per head"
};

// Suffixes of derived columns: ap_drop_low, r_q_heads.
inline constexpr const char *kLowEnding = "_low", *kHighEnding = "_high", *kPlainEnding = "_plain",
                            *kMedianEnding = "_median", *kHeadsEnding = "_heads", *kMeanEnding = "_mean",
                            *kSpreadEnding = "_sd", *kPositiveEnding = "_positive",
                            *kNegativeEnding = "_negative", *kByIntervalEnding = "_by_interval";

// Prefix of the mean absolute value over heads: abs_r_k_a.
inline constexpr const char* kSizeBeginning = "abs_";

struct MetricSuffix {
  std::string suffix, title, meaning;  // title: with {title}
  bool isCount = false;
};

// Places in the thesis, by its own numbering, that define and print the values of a column.
struct ThesisPlace {
  std::string_view table, column;        // "x#": any number
  const char *equations, *printed = "";  // "equation 4.6", "figures 6.5 and A.2; table 6.2"
};
std::span<const ThesisPlace> thesisPlaces();

struct MetricCatalogue {
  std::vector<TableInfo> tables;
  std::vector<MetricInfo> metrics;  // numbered ones (ap_decile_#) one by one, open ones (x#) once
  std::vector<MetricSuffix> suffixes;

  const TableInfo* table(std::string_view name) const;
  // The entry of a table's column. For summaries of heads.csv and for suffixes it is made from the entry of
  // the base column.
  std::optional<MetricInfo> find(std::string_view table, std::string_view column) const;
};

const MetricCatalogue& metricCatalogue();

// The columns of heads.csv that have an interval, in its order: every measured one except residual_pos_r,
// which is a rounding check.
const std::vector<std::string>& sampledColumns();

// Whether the column has an interval over texts in every analysis.
bool isOverTexts(std::string_view column);

// Whether this column of heads.csv is summarised by medians in addition to means.
bool isHeavyTailed(std::string_view column);

}  // namespace plastiscope
