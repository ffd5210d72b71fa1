#include "core/jobs/head_metrics.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "core/analysis/columns.h"
#include "core/base/checked_json.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/base/joined.h"
#include "core/base/json.h"
#include "core/base/parsed_number.h"
#include "core/base/path_text.h"
#include "core/compare/csv_text.h"
#include "core/store/table_columns.h"
#include "core/views/study_facts.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

constexpr std::int64_t kMaxIndex = 1 << 20;                     // largest accepted layer or head
constexpr std::size_t kMaxColumns = 500, kLongestColumn = 100;  // names must fit into an HDF5 attribute
constexpr const char *kLayer = "layer", *kHead = "head";
constexpr const char *kScatterData = "scatter_data.json", *kColumns = "columns";

// Values per head as read from a file.
struct MetricSheet {
  fs::path file;
  std::string sha256 = {};
  std::vector<HeadName> heads = {};
  std::vector<std::string> places = {};  // [heads] place in the file
  std::map<std::string, std::vector<double>> columns = {};
  std::vector<std::string> leftOut = {};
};

bool isPlace(const std::string& name) {
  return name == kLayer || name == kHead;
}

bool hasNumber(const std::vector<double>& values) {
  return std::ranges::any_of(values, [](double value) { return value == value; });
}

void leaveOutEmpty(MetricSheet& sheet) {
  std::erase_if(sheet.columns, [&](const auto& column) {
    if (hasNumber(column.second)) return false;
    sheet.leftOut.push_back(column.first);
    return true;
  });
}

MetricSheet sheetOfJson(const fs::path& file, const std::string& text) {
  const CheckedJson list(parseJson(text, file, true), file);
  if (!list.json().is_array())
    list.refuse("a list with one object per head, as scatter_data.json of HeadVis",
                list.json().is_object() ? "an object" : shortJson(list.json()));
  MetricSheet sheet{file};
  const std::vector<CheckedJson> rows = list.items();
  std::map<std::string, std::size_t> words;  // row of the first text of a column
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!rows[row].json().is_object()) rows[row].refuse("an object with layer, head and numbers");
    sheet.heads.push_back(
        {rows[row].integer(kLayer, 0, kMaxIndex - 1), rows[row].integer(kHead, 0, kMaxIndex - 1)});
    sheet.places.push_back(rows[row].place());
    for (const auto& [name, value] : rows[row].json().items()) {
      if (isPlace(name)) continue;
      auto& column = sheet.columns.try_emplace(name, rows.size(), kMissing).first->second;
      if (value.is_number())
        column[row] = value.get<double>();
      else if (!value.is_null())
        words.try_emplace(name, row);
    }
  }
  for (const auto& [name, row] : words) {
    if (hasNumber(sheet.columns.at(name)))
      rows[row].refuse(sanitized(name), "a number or null, as in other rows",
                       shortJson(rows[row].json().at(name)));
  }
  return sheet;
}

std::int64_t indexCell(const CsvText& csv, std::size_t row, std::size_t column) {
  const double value = numberCell(csv, row, column);
  if (value >= 0 && value < kMaxIndex && value == std::floor(value)) return static_cast<std::int64_t>(value);
  throw InputError({csv.file, "line " + std::to_string(csv.lines[row]) + ", column " + csv.header[column],
                    "a whole number from 0", "\"" + sanitized(csv.rows[row][column]) + "\""});
}

bool holdsNumbers(const CsvText& csv, std::size_t column) {
  return std::ranges::any_of(csv.rows,
                             [&](const auto& row) { return parsedFinite(row[column]).has_value(); });
}

MetricSheet sheetOfCsv(const fs::path& file, const std::string& text) {
  const CsvText csv = parseCsv(text, file);
  const auto layer = csv.column(kLayer), head = csv.column(kHead);
  if (!layer || !head)
    throw InputError({file, "line 1", "a list in JSON, or a header line with the columns layer and head",
                      joined(csv.header, [](const std::string& name) { return sanitized(name); })});
  MetricSheet sheet{file};
  for (std::size_t row = 0; row < csv.rows.size(); ++row) {
    sheet.heads.push_back({indexCell(csv, row, *layer), indexCell(csv, row, *head)});
    sheet.places.push_back("line " + std::to_string(csv.lines[row]));
  }
  for (std::size_t column = 0; column < csv.header.size(); ++column) {
    if (isPlace(csv.header[column])) continue;
    std::vector<double>& values = sheet.columns[csv.header[column]];
    values.assign(csv.rows.size(), kMissing);
    for (std::size_t row = 0; holdsNumbers(csv, column) && row < csv.rows.size(); ++row)
      values[row] = numberCell(csv, row, column);
  }
  return sheet;
}

MetricSheet readSheet(const fs::path& given) {
  std::error_code code;
  const fs::path file = fs::is_directory(given, code) ? given / kScatterData : given;
  const std::string text = readFile(file);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string::npos && (text[first] == '[' || text[first] == '{');
  MetricSheet sheet = json ? sheetOfJson(file, text) : sheetOfCsv(file, text);
  sheet.sha256 = sha256Hex(text);
  leaveOutEmpty(sheet);
  if (sheet.columns.empty()) throw InputError({file, "", "numbers beside layer and head", "none"});
  if (sheet.columns.size() > kMaxColumns)
    throw InputError({file, "", "at most " + std::to_string(kMaxColumns) + " columns of numbers",
                      std::to_string(sheet.columns.size())});
  return sheet;
}

std::map<HeadName, std::size_t> placesOf(const MetricSheet& sheet) {
  std::map<HeadName, std::size_t> rows;
  for (std::size_t row = 0; row < sheet.heads.size(); ++row) {
    const auto [first, isNew] = rows.try_emplace(sheet.heads[row], row);
    if (!isNew)
      throw InputError({sheet.file, sheet.places[row], "each head once",
                        sheet.heads[row].text() + " again, after " + sheet.places[first->second]});
  }
  return rows;
}

bool isWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The name as filters can use it.
std::string columnName(const std::string& prefix, const std::string& name, const fs::path& file) {
  std::string column = prefix + name;
  std::ranges::replace_if(column, [](char c) { return !isWord(c); }, '_');
  if (column.size() > kLongestColumn)
    throw InputError({file, "column " + sanitized(name),
                      "a name of at most " + std::to_string(kLongestColumn - prefix.size()) + " bytes",
                      std::to_string(name.size())});
  if (std::isdigit(static_cast<unsigned char>(column.front())) != 0) column.insert(0, 1, '_');
  if (metricCatalogue().find("heads", column))
    throw UsageError("the analysis has a column " + column +
                     " of its own: give another --prefix for the imported columns");
  return column;
}

// The columns by their names in the analysis.
std::map<std::string, std::vector<double>> namedColumns(MetricSheet& sheet, const std::string& prefix) {
  if (!std::ranges::all_of(prefix, isWord))
    throw UsageError("--prefix: expected letters, digits and underscores, found \"" + sanitized(prefix) +
                     "\"");
  std::map<std::string, std::vector<double>> columns;
  for (auto& [name, values] : sheet.columns) {
    const std::string column = columnName(prefix, name, sheet.file);
    if (!columns.try_emplace(column, std::move(values)).second)
      throw InputError({sheet.file, "column " + sanitized(name), "names that differ in letters and digits",
                        "two that become " + column});
  }
  return columns;
}

Table& headsTableOf(AnalysisFile& analysis) {
  requiredTable(analysis, "heads");
  return *findTable(analysis.tables, "heads");
}

void setColumn(Table& heads, const std::string& name, std::vector<double> values) {
  for (Column& column : heads.columns) {
    if (column.name == name) {
      column.values = std::move(values);
      return;
    }
  }
  heads.columns.push_back({name, std::move(values)});
}

// The records of earlier imports without the replaced columns, plus the new one.
Json recordsWith(const AnalysisProvenance& provenance, const std::vector<std::string>& columns,
                 const MetricSheet& sheet) {
  Json records = Json::array();
  if (provenance.imported->is_array()) {
    for (Json record : *provenance.imported) {
      if (!record.is_object() || !record[kColumns].is_array()) continue;
      Json kept = Json::array();
      for (const Json& name : record[kColumns]) {
        if (name.is_string() && std::ranges::count(columns, name.get<std::string>()) == 0)
          kept.push_back(name);
      }
      record[kColumns] = kept;
      if (!kept.empty()) records.push_back(record);
    }
  }
  records.push_back(
      {{"file", pathText(sheet.file.filename())}, {"sha256", sheet.sha256}, {kColumns, columns}});
  return records;
}

}  // namespace

ImportedMetrics importHeadMetrics(AnalysisFile analysis, const HeadMetricsRequest& request) {
  ImportedMetrics result;
  result.analysis = wholeAnalysis(std::move(analysis));
  MetricSheet sheet = readSheet(request.file);
  const std::map<HeadName, std::size_t> places = placesOf(sheet);
  const auto columns = namedColumns(sheet, request.prefix);
  const std::vector<HeadName> heads = headsOf(result.analysis);
  for (const HeadName& head : heads) result.heads += places.contains(head) ? 1 : 0;
  if (result.heads == 0)
    throw InputError(
        {sheet.file, "", "heads of the analysis" + (heads.empty() ? "" : ", such as " + heads.front().text()),
         sheet.heads.empty() ? "no heads" : "other heads, such as " + sheet.heads.front().text()});
  result.otherHeads = std::ssize(places) - result.heads;
  result.leftOut = sheet.leftOut;
  Table& table = headsTableOf(result.analysis);
  for (const auto& [name, values] : columns) {
    std::vector<double> ofHeads(heads.size(), kMissing);
    for (std::size_t row = 0; row < heads.size(); ++row) {
      if (const auto place = places.find(heads[row]); place != places.end())
        ofHeads[row] = values[place->second];
    }
    setColumn(table, name, std::move(ofHeads));
    result.columns.push_back(name);
  }
  AnalysisProvenance& provenance = result.analysis.provenance;
  provenance.imported = recordsWith(provenance, result.columns, sheet);
  return result;
}

const std::vector<std::string>& causalTables() {
  static const std::vector<std::string> kTables = {"probes",  "benefit",   "retrieval", "effects", "doses",
                                                   "singles", "contrasts", "draws",     "edges"};
  return kTables;
}

namespace {

constexpr const char *kRetrieval = "retrieval", *kScoreColumn = "probe_retrieval_score";

// A column of numbers that are all whole becomes one of integers, as it was before it was written.
void restoreIntegers(Table& table) {
  for (Column& column : table.columns) {
    const auto* numbers = std::get_if<std::vector<double>>(&column.values);
    const auto isWhole = [](double value) { return value == std::floor(value) && std::abs(value) < 1e15; };
    if (numbers == nullptr || !std::ranges::all_of(*numbers, isWhole)) continue;
    column.values = std::vector<std::int64_t>(numbers->begin(), numbers->end());
  }
}

// The scores of all kinds of probes together, by head.
std::vector<double> retrievalScores(const Table& retrieval, const std::vector<HeadName>& heads,
                                    const fs::path& file) {
  std::vector<double> scores(heads.size(), kMissing);
  const HeadColumns places(retrieval);
  bool any = false;
  for (std::size_t row = 0; row < retrieval.rows(); ++row) {
    const auto head = std::ranges::find(heads, places[row]);
    if (textAt(retrieval, "kind", row) != "all" || head == heads.end()) continue;
    scores[static_cast<std::size_t>(head - heads.begin())] = numberAt(retrieval, "score", row);
    any = true;
  }
  if (!any) throw InputError({file, "", "a head of the analysis", "only other heads"});
  return scores;
}

}  // namespace

ImportedCauses importCauses(AnalysisFile analysis, const fs::path& folder) {
  ImportedCauses result{wholeAnalysis(std::move(analysis)), {}, {}};
  std::vector<Table>& tables = result.analysis.tables;
  Sha256 digest;
  for (const std::string& name : causalTables()) {
    const fs::path file = folder / (name + ".csv");
    std::error_code code;
    if (!fs::is_regular_file(file, code)) continue;
    const std::string text = readFile(file);
    digest.add(text);
    Table table = tableOf(parseCsv(text, file), name);
    restoreIntegers(table);
    if (name == kRetrieval && table.rows() > 0) {
      const std::vector<HeadName> heads = headsOf(result.analysis);
      setColumn(headsTableOf(result.analysis), kScoreColumn, retrievalScores(table, heads, file));
      result.columns.emplace_back(kScoreColumn);
    }
    std::erase_if(tables, [&](const Table& other) { return other.name == name; });
    tables.push_back(std::move(table));
    result.tables.push_back(name);
  }
  if (result.tables.empty())
    throw InputError(
        {folder, "", "tables of probe, study or composition, such as probes.csv", "none of them"});
  MetricSheet sheet{folder};
  sheet.sha256 = digest.hex();
  result.analysis.provenance.imported = recordsWith(result.analysis.provenance, result.columns, sheet);
  return result;
}

std::vector<std::string> importedColumns(const AnalysisProvenance& provenance) {
  std::vector<std::string> columns;
  if (!provenance.imported->is_array()) return columns;
  for (const Json& record : *provenance.imported) {
    if (!record.is_object() || !record.contains(kColumns)) continue;
    for (const Json& name : record[kColumns]) {
      // An own column of the analysis is listed here only by mistake.
      if (name.is_string() && !metricCatalogue().find("heads", name.get<std::string>()))
        columns.push_back(name.get<std::string>());
    }
  }
  return columns;
}

AnalysisFile withImportedOf(const AnalysisFile& from, AnalysisFile analysis) {
  AnalysisFile result = wholeAnalysis(std::move(analysis), DamagedTables::LeaveOut);
  const Table& source = requiredTable(from, "heads");
  const std::vector<HeadName> heads = headsOf(result);
  Table& table = headsTableOf(result);
  for (const std::string& name : importedColumns(from.provenance)) {
    std::vector<double> values;
    for (const HeadName& head : heads) {
      const auto row = headRow(from, head);
      values.push_back(row ? numberAt(source, name, *row) : kMissing);
    }
    setColumn(table, name, std::move(values));
  }
  for (const std::string& name : causalTables()) {
    const Table* table = from.find(name);
    if (table != nullptr && findTable(result.tables, name) == nullptr) result.tables.push_back(*table);
  }
  result.provenance.imported = from.provenance.imported;
  return result;
}

}  // namespace plastiscope
