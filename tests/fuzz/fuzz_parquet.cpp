// Tables of texts and of one head's vectors.
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/json.h"
#include "core/parquet/qk_table.h"
#include "core/parquet/table_rows.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::int64_t kEnough = 1 << 12;  // a few bytes can state millions of equal rows
  const auto file = test::fileOfBytes("table.parquet", test::bytesOf(data, size));
  try {
    readTableRows(file, TableKind::Parquet, [](std::int64_t row, const Json&) { return row < kEnough; });
  } catch (const InputError&) {
  }
  try {
    const QkTableIndex index = readQkIndex(file);
    if (index.bucket.size() != index.position.size() || index.bucket.size() != index.exampleId.size())
      std::abort();
    readQkVectors(file, index.headDim, [&](std::span<const float> rows) {
      if (rows.size() % static_cast<std::size_t>(index.headDim) != 0) std::abort();
    });
  } catch (const InputError&) {
  } catch (const ResourceError&) {
  }
  return 0;
}
