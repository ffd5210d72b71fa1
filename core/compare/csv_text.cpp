#include "core/compare/csv_text.h"

#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/parsed_number.h"

namespace plastiscope {

namespace {

std::string lineText(std::size_t line) {
  return "line " + std::to_string(line);
}

// Splits text into cells and counts lines.
class Scanner {
 public:
  Scanner(std::string_view text, const std::filesystem::path& file) : m_text(text), m_file(file) {}

  bool atEnd() const { return m_place >= m_text.size(); }
  std::size_t line() const { return m_line; }

  // The cells of one record; a record may span lines inside quotes.
  std::vector<std::string> record() {
    std::vector<std::string> cells;
    do cells.push_back(!atEnd() && m_text[m_place] == '"' ? quotedCell() : plainCell());
    while (skipComma());
    skipLineEnd();
    return cells;
  }

 private:
  std::string plainCell() {
    const std::size_t end = std::min(m_text.find_first_of(",\r\n", m_place), m_text.size());
    std::string cell(m_text.substr(m_place, end - m_place));
    m_place = end;
    return cell;
  }

  std::string quotedCell() {
    const std::size_t opened = m_line;
    std::string cell;
    for (++m_place; !atEnd(); ++m_place) {
      const char c = m_text[m_place];
      if (c == '\n') ++m_line;
      if (c != '"') {
        cell += c;
      } else if (m_text.substr(m_place + 1, 1) == "\"") {
        cell += c;
        ++m_place;
      } else {
        ++m_place;
        if (!atEnd() && m_text.find_first_of(",\r\n", m_place) != m_place)
          throw InputError({m_file, lineText(m_line), "a comma or the end of the line after a quote",
                            std::string(1, m_text[m_place])});
        return cell;
      }
    }
    throw InputError({m_file, lineText(opened), "a closing quote", "the end of the file"});
  }

  bool skipComma() {
    if (atEnd() || m_text[m_place] != ',') return false;
    ++m_place;
    return true;
  }

  void skipLineEnd() {
    if (!atEnd() && m_text[m_place] == '\r') ++m_place;
    if (!atEnd() && m_text[m_place] == '\n') ++m_place;
    ++m_line;
  }

  std::string_view m_text;
  const std::filesystem::path& m_file;
  std::size_t m_place = 0, m_line = 1;
};

void requireHeader(const CsvText& csv) {
  std::set<std::string> seen;
  for (std::size_t c = 0; c < csv.header.size(); ++c) {
    const std::string& name = csv.header[c];
    if (name.empty())
      throw InputError({csv.file, "line 1, column " + std::to_string(c + 1), "a column name", "nothing"});
    if (!seen.insert(name).second)
      throw InputError({csv.file, "line 1, column " + std::to_string(c + 1), "column names that differ",
                        "\"" + sanitized(name) + "\" twice"});
  }
}

// Parses a number; nothing if it is not finite or not a number.
std::optional<double> numberOf(std::string_view text) {
  return parsedFinite(text.substr(text.starts_with('+') ? 1 : 0));
}

std::vector<double> numbersOf(const CsvText& csv, std::size_t column) {
  std::vector<double> numbers;
  bool any = false;
  for (const auto& row : csv.rows) {
    const std::optional<double> number = numberOf(row[column]);
    if (!number && !row[column].empty()) return {};
    any = any || number;
    numbers.push_back(number.value_or(kMissing));
  }
  return any ? numbers : std::vector<double>{};
}

}  // namespace

std::optional<std::size_t> CsvText::column(std::string_view name) const {
  const auto found = std::ranges::find(header, name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
}

CsvText parseCsv(std::string_view text, const std::filesystem::path& file) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.remove_prefix(kMark.size());
  if (text.find('\0') != std::string_view::npos)
    throw InputError({file, "", "text with commas (CSV)", "zero bytes"});
  CsvText csv{file, {}, {}, {}};
  Scanner scanner(text, csv.file);
  while (!scanner.atEnd()) {
    const std::size_t line = scanner.line();
    std::vector<std::string> cells = scanner.record();
    for (std::string& cell : cells) cell = std::string(withoutFormulaMark(cell));
    if (cells.size() == 1 && cells.front().empty()) continue;
    if (csv.header.empty()) {
      csv.header = std::move(cells);
      requireHeader(csv);
      continue;
    }
    if (cells.size() != csv.header.size())
      throw InputError({file, lineText(line), std::to_string(csv.header.size()) + " columns as in the header",
                        std::to_string(cells.size())});
    csv.rows.push_back(std::move(cells));
    csv.lines.push_back(line);
  }
  if (csv.header.empty()) throw InputError({file, "line 1", "a header line with column names", "nothing"});
  return csv;
}

double numberCell(const CsvText& csv, std::size_t row, std::size_t column) {
  const std::string& cell = csv.rows.at(row).at(column);
  const std::optional<double> number = numberOf(cell);
  if (!number && !cell.empty())
    throw InputError({csv.file, lineText(csv.lines.at(row)) + ", column " + csv.header.at(column), "a number",
                      "\"" + sanitized(cell) + "\""});
  return number.value_or(kMissing);
}

Table tableOf(const CsvText& csv, std::string name) {
  Table table{std::move(name), {}};
  for (std::size_t c = 0; c < csv.header.size(); ++c) {
    std::vector<double> numbers = numbersOf(csv, c);
    if (!numbers.empty()) {
      table.columns.push_back({csv.header[c], std::move(numbers)});
      continue;
    }
    std::vector<std::string> texts;
    for (const auto& row : csv.rows) texts.push_back(row[c]);
    table.columns.push_back({csv.header[c], std::move(texts)});
  }
  return table;
}

}  // namespace plastiscope
