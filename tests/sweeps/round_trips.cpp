// round_trips json|csv|table: reads or writes many texts, for round_trips.py. Each text on standard input is
// its length (64 bits, little-endian) and its bytes; the answer is one line each: "+" and JSON, or "-" and
// the error message.
//   json    JSON: the value as Plastiscope writes it
//   csv     a table of another program: {"header": [...], "rows": [[...], ...]}
//   table   {"columns": [{"name": ..., "texts" or "numbers" or "integers": [...]}]}: the text of the CSV that
//   we write
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/table.h"
#include "core/compare/csv_text.h"

using namespace plastiscope;

namespace {

Column columnOf(const Json& column) {
  const std::string name = column.at("name");
  if (column.contains("texts")) return {name, column["texts"].get<std::vector<std::string>>()};
  if (column.contains("integers")) return {name, column["integers"].get<std::vector<std::int64_t>>()};
  std::vector<double> numbers;
  for (const Json& each : column.at("numbers"))
    numbers.push_back(each.is_null() ? kMissing : each.get<double>());
  return {name, numbers};
}

Json writtenTable(const std::string& text) {
  Table table{"table", {}};
  const Json description = parseJson(text, "table");
  for (const Json& column : description.at("columns")) table.columns.push_back(columnOf(column));
  return toCsv(table);
}

Json readCsv(const std::string& text) {
  const CsvText csv = parseCsv(text, "table.csv");
  return {{"header", csv.header}, {"rows", csv.rows}};
}

const std::map<std::string, std::function<Json(const std::string&)>> kTrips = {
    {"json", [](const std::string& text) { return parseJson(text, "text", true); }},
    {"csv", readCsv},
    {"table", writtenTable}};

}  // namespace

int main(int arguments, char** values) {
  const auto trip = kTrips.find(arguments == 2 ? values[1] : "");
  if (trip == kTrips.end()) return std::fputs("round_trips json|csv|table < TEXTS\n", stderr), 2;
  std::uint64_t length = 0;
  while (std::fread(&length, sizeof length, 1, stdin) == 1) {
    std::string text(length, '\0');
    if (length > 0 && std::fread(text.data(), length, 1, stdin) != 1) return 1;
    try {
      std::puts(("+ " + canonicalJson(trip->second(text))).c_str());
    } catch (const InputError& error) {
      std::puts((std::string("- ") + error.what()).c_str());
    }
  }
  return 0;
}
