// Corpus file formats. Parquet is streamed, one record per row.
#include "core/text/corpus_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/parquet/parquet_rows.h"
#include "core/text/corpus_index.h"
#include "core/text/text_sniff.h"

namespace plastiscope {

namespace fs = std::filesystem;

// Plain columns become fields of the record. Warns about repaired UTF-8. Returns the number of rows read.
// InputError names file and row; UsageError in a build without Parquet.
std::int64_t readParquetTexts(const std::filesystem::path& file, const Selection& select, Progress& progress,
                              const RecordSink& sink);

namespace {

constexpr std::array<std::string_view, 11> kNotText = {
    ".arrow", ".gz", ".zip", ".zst", ".xz", ".bz2", ".7z", ".pdf", ".docx", ".h5", ".safetensors"};

std::string lowerExtension(const fs::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  return extension;
}

std::int64_t readPlainText(const fs::path& file, const Selection& select, Progress& progress,
                           const RecordSink& sink) {
  if (!select.empty()) {
    throw UsageError("--select needs records of .jsonl, .json or .parquet files, and " + pathText(file) +
                     " is a plain text");
  }
  sink(0, {file, "", plainTextOf(readFile(file), file, progress)});
  return 1;
}

std::string lineName(std::int64_t line) {
  return "line " + std::to_string(line);
}

// Indexes the file first and parses only the selected records.
std::int64_t readSelected(const fs::path& file, const Selection& select, Progress& progress,
                          const RecordSink& sink) {
  const CorpusIndex index(file, progress);
  std::int64_t number = 0;
  for (const CorpusEntry& entry : index.entries()) {
    if (isSelected(entry.fields, select)) {
      Json value = parseRecord(index.bytesOf(entry), file, entry.line, progress);
      if (!sink(number, {file, lineName(entry.line), std::move(value)})) break;
    }
    ++number;
  }
  return static_cast<std::int64_t>(index.entries().size());
}

std::int64_t readJson(const fs::path& file, const Selection& select, Progress& progress,
                      const RecordSink& sink) {
  if (!select.empty()) return readSelected(file, select, progress, sink);
  const auto scanner = recordScannerOf(file);
  std::int64_t number = 0;
  while (const auto raw = scanner->next()) {
    Json value = parseRecord(raw->bytes, file, raw->line, progress);
    if (!sink(number++, {file, lineName(raw->line), std::move(value)})) break;
  }
  return number;
}

// The last entry matches every extension.
constexpr CorpusFormat kFormats[] = {
    {"JSON lines", ".jsonl", readJson}, {"JSON lines", ".ndjson", readJson},
    {"JSON array", ".json", readJson},  {"Parquet", ".parquet", readParquetTexts},
    {"plain text", "", readPlainText},
};

}  // namespace

Json parseRecord(std::string_view bytes, const fs::path& file, std::int64_t line, Progress& progress) {
  const std::string place = lineName(line), where = pathText(file) + ": " + place;
  std::string text = repairedText(bytes, where, progress);
  const std::int64_t surrogates = replaceLoneSurrogates(text);
  if (surrogates > 0) {
    progress.warned(where + ": " + withCommas(surrogates) + " lone surrogate escapes replaced by U+FFFD");
  }
  Json value = parseJsonRecord(text, file, line);
  if (!value.is_object())
    throw InputError({file, place, "a JSON object", std::string("a JSON ") + value.type_name()});
  for (Json& entry : value) {  // missing values of a table, as Python writes them
    if (entry.is_number_float() && std::isnan(entry.get<double>())) entry = nullptr;
  }
  return value;
}

std::unique_ptr<RecordScanner> recordScannerOf(const fs::path& file) {
  const std::string_view name = corpusFormatOf(file).name;
  if (name == "JSON array") return std::make_unique<JsonArrayScanner>(file);
  if (name == "JSON lines") return std::make_unique<JsonLineScanner>(file);
  throw InputError({file, "", "a .json or .jsonl file", "a file of " + std::string(name)});
}

const CorpusFormat& corpusFormatOf(const fs::path& file) {
  const std::string extension = lowerExtension(file);
  if (std::ranges::find(kNotText, extension) != kNotText.end()) {
    throw InputError({file, "", "a text (.txt), .jsonl, .json or .parquet", "a " + extension + " file"});
  }
  return *std::ranges::find_if(kFormats, [&](const CorpusFormat& format) {
    return format.extension == extension || format.extension.empty();
  });
}

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
