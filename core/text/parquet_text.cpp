#include "core/text/parquet_text.h"

#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/parquet/parquet_rows.h"
#include "core/text/corpus_index.h"
#include "core/text/text_sniff.h"

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
      value = repairedText(value.get_ref<const std::string&>(),
                           pathText(file) + ": " + place + ", column " + sanitized(name), progress);
    }
    return sink(row, {file, place, std::move(record)});
  });
  return rows;
}

}  // namespace plastiscope
