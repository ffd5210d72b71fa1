#pragma once
// Texts of Parquet files, one record a row, streamed: the file is never in memory as a whole.
#include "core/text/corpus_file.h"

namespace plastiscope {

// Plain columns are the record's fields. Warns of repaired UTF-8. Returns the number of rows that were looked
// at. InputError names file and row; UsageError in a build without Parquet.
std::int64_t readParquetTexts(const std::filesystem::path& file, const Selection& select, Progress& progress,
                              const RecordSink& sink);

}  // namespace plastiscope
