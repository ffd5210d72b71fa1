#pragma once
// Texts of Parquet files, one record a row, streamed: the file is never in memory as a whole.
#include "core/text/corpus_file.h"

namespace plastiscope {

// Plain columns are the record's fields. Warns of repaired UTF-8. InputError names file and row; UsageError
// in a build without Parquet.
void readParquetTexts(const std::filesystem::path& file, Progress& progress, const RecordSink& sink);

}  // namespace plastiscope
