#include "core/views/table_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/latex_text.h"
#include "core/views/metric_info.h"

namespace plastiscope {

namespace {

constexpr std::size_t kLongestCell = 2000;  // bytes
constexpr int kMostDecimals = 8;

// Columns that low and high without a prefix belong to: the first of these that a table has.
constexpr const char* kWithBareInterval[] = {"mean_difference", "difference", "pearson", "value"};

// A column as shown: its values, and the ends of its intervals where it has some.
struct ShownColumn {
  const Column* values = nullptr;
  const std::vector<double>*low = nullptr, *high = nullptr;
  int decimals = 0;  // of numbers without an interval
  bool isText() const { return std::holds_alternative<std::vector<std::string>>(values->values); }
};

const std::vector<double>* numbersOf(const Table& table, const std::string& name) {
  const Column* column = table.find(name);
  return column == nullptr ? nullptr : std::get_if<std::vector<double>>(&column->values);
}

// Prefix of the columns of the interval: "ap_drop_", "" for low and high, nothing without an interval.
std::optional<std::string> intervalPrefix(const Table& table, const std::string& name) {
  const auto has = [&](const std::string& prefix) {
    return numbersOf(table, prefix + "low") != nullptr && numbersOf(table, prefix + "high") != nullptr;
  };
  if (numbersOf(table, name) == nullptr) return std::nullopt;
  if (has(name + "_")) return name + "_";
  const auto* owner = std::ranges::find_if(
      kWithBareInterval, [&](const char* each) { return numbersOf(table, each) != nullptr; });
  return owner != std::end(kWithBareInterval) && name == *owner && has("") ? std::optional<std::string>("")
                                                                           : std::nullopt;
}

// Decimals of a column: enough for printed numbers; 3 if all were computed.
int decimalsOf(const Table& table, std::size_t column) {
  constexpr std::size_t kMaximum = 4;
  int decimals = -1;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::string text = table.cellText(column, row);
    const std::size_t point = text.find('.'),
                      count = point == std::string::npos ? 0 : text.size() - point - 1;
    if (!text.empty() && count <= kMaximum) decimals = std::max(decimals, static_cast<int>(count));
  }
  return decimals < 0 ? 3 : decimals;
}

std::vector<ShownColumn> shownColumns(const Table& table) {
  std::vector<ShownColumn> shown;
  std::vector<const std::vector<double>*> ends;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    ShownColumn column{&table.columns[i]};
    column.decimals = decimalsOf(table, i);
    if (const auto prefix = intervalPrefix(table, table.columns[i].name)) {
      column.low = numbersOf(table, *prefix + "low");
      column.high = numbersOf(table, *prefix + "high");
      ends.insert(ends.end(), {column.low, column.high});
    }
    shown.push_back(column);
  }
  std::erase_if(shown, [&](const ShownColumn& column) {
    return std::ranges::find(ends, std::get_if<std::vector<double>>(&column.values->values)) != ends.end();
  });
  return shown;
}

// Two significant digits of the half width.
int decimalsOfInterval(double low, double high) {
  const double half = (high - low) / 2;
  if (!(half > 0)) return 3;
  return std::clamp(1 - static_cast<int>(std::floor(std::log10(half))), 0, kMostDecimals);
}

// "0.312", "1.3 · 10^-4" (as LaTeX or with superscript digits of Markdown) for a number that would read
// 0.000.
std::string numberCell(double value, int decimals, TableFormat format) {
  const std::string text = fixedText(value, decimals);
  if (value == 0 || text.find_first_of("123456789") != std::string::npos) return text;
  const auto power = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const std::string mantissa = fixedText(value / std::pow(10, power), 1);
  return format == TableFormat::Latex ? mantissa + " \\cdot 10^{" + std::to_string(power) + "}"
                                      : mantissa + "e" + std::to_string(power);
}

// Text of a cell before escaping; LaTeX numbers are in math mode.
std::string cellOf(const ShownColumn& column, std::size_t row, TableFormat format) {
  if (const auto* words = std::get_if<std::vector<std::string>>(&column.values->values))
    return sanitized((*words)[row], kLongestCell);
  if (const auto* whole = std::get_if<std::vector<std::int64_t>>(&column.values->values))
    return std::to_string((*whole)[row]);
  const double value = std::get<std::vector<double>>(column.values->values)[row];
  if (!std::isfinite(value)) return "\u2013";
  const double low = column.low ? (*column.low)[row] : kMissing,
               high = column.high ? (*column.high)[row] : kMissing;
  if (!std::isfinite(low) || !std::isfinite(high)) return numberCell(value, column.decimals, format);
  const int decimals = decimalsOfInterval(low, high);
  return fixedText(value, decimals) + " [" + fixedText(low, decimals) + ", " + fixedText(high, decimals) +
         "]";
}

std::string latexCell(const ShownColumn& column, std::size_t row) {
  const std::string text = cellOf(column, row, TableFormat::Latex);
  if (text.find("\\cdot") == std::string::npos || column.isText()) return latexText(text);
  const bool negative = text.starts_with("\u2212");
  return "$" + (negative ? "-" + text.substr(std::string_view("\u2212").size()) : text) + "$";
}

std::string markdownText(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("\\|`*_<").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string toMarkdown(const Table& table) {
  const std::vector<ShownColumn> columns = shownColumns(table);
  std::string header = "|", rule = "|", body;
  for (const ShownColumn& column : columns) {
    header += " " + markdownText(sanitized(column.values->name)) + " |";
    rule += column.isText() ? " :-- |" : " --: |";
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    body += "|";
    for (const ShownColumn& column : columns) {
      const std::string text = cellOf(column, row, TableFormat::Markdown);
      body += " " + (column.isText() ? markdownText(text) : text) + " |";
    }
    body += "\n";
  }
  return header + "\n" + rule + "\n" + body;
}

// Scales a table that is too wide to the text width.
constexpr const char* kNoWiderThanText =
    "  \\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%\n";

}  // namespace

const char* extensionOf(TableFormat format) {
  return format == TableFormat::Csv ? "csv" : format == TableFormat::Latex ? "tex" : "md";
}

std::string toLatex(const Table& table, const std::string& caption, const std::string& label) {
  const std::vector<ShownColumn> shown = shownColumns(table);
  std::string columns, header, body;
  for (const ShownColumn& column : shown) {
    columns += column.isText() ? 'l' : 'r';
    header += (header.empty() ? "" : " & ") + latexText(sanitized(column.values->name));
  }
  for (std::size_t row = 0; row < table.rows(); ++row) {
    body += "    ";
    for (std::size_t i = 0; i < shown.size(); ++i) body += (i == 0 ? "" : " & ") + latexCell(shown[i], row);
    body += " \\\\\n";
  }
  std::string tabular = "  \\begin{tabular}{" + columns + "}\n    \\toprule\n    " + header +
                        " \\\\\n    \\midrule\n" + body + "    \\bottomrule\n  \\end{tabular}";
  const bool floats = !caption.empty();
  if (floats)
    tabular = "\\begin{table}\n  \\centering\n  \\caption{" + latexText(caption) + "}\n  \\label{" + label +
              "}\n" + kNoWiderThanText + tabular + "}\n\\end{table}";
  const bool letters = tabular.find("\\otherletter") != std::string::npos;
  return std::string("% needs \\usepackage{booktabs") + (floats ? ",graphicx" : "") + "}\n" +
         (letters ? std::string(kOtherLetter) + "\n" : "") + tabular + "\n";
}

std::string tableText(const Table& table, TableFormat format) {
  switch (format) {
    case TableFormat::Csv:
      return toCsv(table);
    case TableFormat::Latex:
      return toLatex(table);
    case TableFormat::Markdown:
      return toMarkdown(table);
  }
  throw Error(ErrorKind::Internal, "unknown format of a table");
}

}  // namespace plastiscope
