// A CSV table of another program; parsed content is written and must read back unchanged.
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/compare/csv_text.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

namespace {

std::string csvLine(const std::vector<std::string>& fields) {
  if (fields == std::vector<std::string>{""}) return "\"\"\n";  // an empty line is skipped
  std::string line;
  for (const std::string& field : fields) line += csvField(field) + ",";
  line.back() = '\n';
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const CsvText csv = parseCsv(test::bytesOf(data, size), "table.csv");
    tableOf(csv, "table");
    std::string written = csvLine(csv.header);
    for (const auto& row : csv.rows) written += csvLine(row);
    const CsvText again = parseCsv(written, "again.csv");
    if (again.header != csv.header || again.rows != csv.rows) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
