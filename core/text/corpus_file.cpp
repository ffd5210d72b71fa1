#include "core/text/corpus_file.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/text/json_scan.h"
#include "core/text/parquet_text.h"
#include "core/text/tokenizer.h"

namespace plastiscope {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::array<std::string_view, 11> kNotText = {".arrow", ".gz", ".zip", ".zst",  ".xz", ".bz2",
                                                       ".7z",    ".pdf", ".docx", ".h5", ".safetensors"};

// The whole file without a byte order mark.
std::string fileText(const fs::path& file) {
  std::string bytes = readFile(file);
  if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  return bytes;
}

std::string repaired(std::string_view bytes, const std::string& where, Progress& progress) {
  std::int64_t count = 0;
  std::string text = repairUtf8(bytes, &count);
  if (count > 0) {
    progress.warned(where + ": " + withCommas(count) + " invalid UTF-8 " + (count == 1 ? "part" : "parts") +
                    " replaced by U+FFFD");
  }
  return text;
}

// A JSON value whose bytes may be invalid UTF-8 and whose escapes may hold lone surrogates.
Json parsedRecord(std::string_view bytes, const fs::path& file, const std::string& place,
                  Progress& progress) {
  const std::string where = file.string() + ": " + place;
  std::string text = repaired(bytes, where, progress);
  const std::int64_t surrogates = replaceLoneSurrogates(text);
  if (surrogates > 0) {
    progress.warned(where + ": " + withCommas(surrogates) + " lone surrogate escapes replaced by U+FFFD");
  }
  Json value = parseJson(text, where);
  if (!value.is_object())
    throw InputError({file, place, "a JSON object", std::string("a JSON ") + value.type_name()});
  return value;
}

void readPlainText(const fs::path& file, Progress& progress, const RecordSink& sink) {
  const std::string bytes = fileText(file);
  const std::string start = bytes.substr(0, 4096);
  std::int64_t invalid = 0;
  repairUtf8(start, &invalid);
  // A character cut at the end of `start` counts once.
  if (start.find('\0') != std::string::npos && invalid > 1) {
    throw InputError({file, "", "a text (.txt), .jsonl or .json", "binary data"});
  }
  sink({file, "", repaired(bytes, file.string(), progress)});
}

void readLines(const fs::path& file, Progress& progress, const RecordSink& sink) {
  const std::string bytes = fileText(file);
  std::size_t begin = 0;
  for (std::int64_t number = 1; begin < bytes.size(); ++number) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line = std::string_view(bytes).substr(begin, end - begin);
    begin = end + 1;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string place = "line " + std::to_string(number);
    Json value = parsedRecord(line, file, place, progress);
    if (!sink({file, place, std::move(value)})) return;
  }
}

void readArray(const fs::path& file, Progress& progress, const RecordSink& sink) {
  const std::string bytes = fileText(file);
  JsonArrayScanner scanner(bytes, file);
  while (const auto element = scanner.next()) {
    const std::string place = "line " + std::to_string(element->line);
    Json value = parsedRecord(element->bytes, file, place, progress);
    if (!sink({file, place, std::move(value)})) return;
  }
}

// To add a format: its reader, and a line here. The last line takes what no other does.
constexpr CorpusFormat kFormats[] = {
    {"JSON lines", ".jsonl", readLines},
    {"JSON lines", ".ndjson", readLines},
    {"JSON array", ".json", readArray},
    {"Parquet", ".parquet", readParquetTexts},
    {"plain text", "", readPlainText},
};

}  // namespace

const CorpusFormat& corpusFormatOf(const fs::path& file) {
  std::string extension = file.extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char letter) { return std::tolower(letter); });
  if (std::ranges::find(kNotText, extension) != kNotText.end()) {
    throw InputError({file, "", "a text (.txt), .jsonl, .json or .parquet", "a " + extension + " file"});
  }
  return *std::ranges::find_if(kFormats, [&](const CorpusFormat& format) {
    return format.extension == extension || format.extension.empty();
  });
}

}  // namespace plastiscope
