#include "core/text/parquet_text.h"

#include "core/base/error.h"
#include "core/parquet/parquet_rows.h"
#include "core/text/tokenizer.h"

namespace plastiscope {

void readParquetTexts(const std::filesystem::path& file, Progress& progress, const RecordSink& sink) {
  readParquetRows(file, {}, [&](std::int64_t row, Json record) {
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
    return sink({file, place, std::move(record)});
  });
}

}  // namespace plastiscope
