#include "core/text/parquet_text.h"

#include "core/base/error.h"
#include "core/parquet/parquet_rows.h"
#include "core/text/corpus_index.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

std::int64_t readParquetTexts(const std::filesystem::path& file, const Selection& select, Progress& progress,
                              const RecordSink& sink) {
  std::int64_t rows = 0;
  readParquetRows(file, {}, [&](std::int64_t row, Json record) {
    progress.throwIfStopped();
    rows = row + 1;
    if (!isSelected(shortFields(record), select)) return true;
    const std::string place = "row " + std::to_string(row);
    for (auto& [name, value] : record.items()) {
      if (!value.is_string()) continue;
      std::int64_t count = 0;
      value = repairUtf8(value.get_ref<const std::string&>(), &count);
      if (count > 0) {
        progress.warned(file.string() + ": " + place + ", column " + name + ": " + withCommas(count) +
                        " invalid UTF-8 " + (count == 1 ? "part" : "parts") + " replaced by U+FFFD");
      }
    }
    return sink(row, {file, place, std::move(record)});
  });
  return rows;
}

}  // namespace plastiscope
