// Corpus file formats. Tables are streamed, one record per row.
#include "core/text/corpus_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <set>

#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/foreign_text.h"
#include "core/base/hub_cache.h"
#include "core/base/path_text.h"
#include "core/parquet/table_rows.h"
#include "core/text/corpus_index.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 10> kNotText = {".gz", ".zip", ".zst",  ".xz", ".bz2",
                                                       ".7z", ".pdf", ".docx", ".h5", ".safetensors"};

std::string lowerName(const fs::path& file) {
  std::string name = file.filename().string();
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return name;
}

std::int64_t readPlainText(const fs::path& file, const RecordSelection& select, Progress& progress,
                           const RecordSink& sink) {
  if (!select.empty()) {
    throw UsageError("--select needs records of .jsonl, .json, .parquet, .arrow or .csv files, and " +
                     pathText(file) + " is a plain text");
  }
  sink(0, {file, "", plainTextOf(readFile(file), file, progress)});
  return 1;
}

std::string lineName(std::int64_t line) {
  return "line " + std::to_string(line);
}

std::int64_t readJson(const fs::path& file, const RecordSelection& select, Progress& progress,
                      const RecordSink& sink) {
  const auto scanner = recordScannerOf(file);
  std::int64_t number = 0;
  while (const auto raw = scanner->next()) {
    Json value = parseRecord(raw->bytes, file, raw->line, progress);
    const std::int64_t own = number++;
    if (!select.empty() && !isSelected(shortFields(value), select)) continue;
    if (!sink(own, {file, lineName(raw->line), std::move(value)})) break;
  }
  return number;
}

// Repairs the UTF-8 of all texts in a value.
void repairTexts(Json& value, const std::string& where, Progress& progress) {
  if (value.is_string()) value = repairedText(value.get_ref<const std::string&>(), where, progress);
  if (!value.is_structured()) return;
  for (Json& each : value) repairTexts(each, where, progress);
}

template <TableKind kind>
std::int64_t readTable(const fs::path& file, const RecordSelection& select, Progress& progress,
                       const RecordSink& sink) {
  std::int64_t rows = 0;
  readTableRows(file, kind, [&](std::int64_t row, Json record) {
    progress.throwIfStopped();
    rows = row + 1;
    if (!isSelected(shortFields(record), select)) return true;
    const std::string place = "row " + std::to_string(row);
    for (auto& [name, value] : record.items())
      repairTexts(value, pathText(file) + ": " + place + ", column " + sanitized(name), progress);
    return sink(row, {file, place, std::move(record)});
  });
  return rows;
}

// The last entry matches every extension.
constexpr CorpusFormat kFormats[] = {
    {"JSON lines", ".jsonl", readJson},
    {"JSON lines", ".ndjson", readJson},
    {"JSON lines", ".jsonl.gz", readJson},
    {"JSON lines", ".jsonl.zst", readJson},
    {"JSON array", ".json", readJson},
    {"table", ".parquet", readTable<TableKind::Parquet>},
    {"table", ".arrow", readTable<TableKind::Arrow>},
    {"table", ".csv", readTable<TableKind::Csv>},
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
  const std::string name = lowerName(file);
  const CorpusFormat& format = *std::ranges::find_if(
      kFormats, [&](const CorpusFormat& each) { return name.ends_with(each.extension); });
  const std::string extension = fs::path(name).extension().string();
  if (format.extension.empty() && std::ranges::find(kNotText, extension) != kNotText.end()) {
    throw InputError({file, "",
                      "a text (.txt), .jsonl (or .jsonl.gz, .jsonl.zst), .json, .parquet, .arrow or .csv",
                      "a " + extension + " file"});
  }
  return format;
}

// ---- Files of records

namespace {

constexpr int kDeepestFolder = 3;
constexpr const char* kBenchmark = "longbench";
// Metadata files of the `datasets` library.
constexpr std::array kNoRecords = {"dataset_infos.json", "dataset_info.json", "dataset_dict.json",
                                   "state.json"};

bool holdsRecords(const fs::path& file) {
  const std::string name = file.filename().string();
  const bool cached = name.starts_with("cache-") && name.ends_with(".arrow");  // of datasets.map and the like
  if (cached || name.starts_with('.') || std::ranges::find(kNoRecords, name) != kNoRecords.end())
    return false;
  try {
    return corpusFormatOf(file).name != "plain text";
  } catch (const InputError&) {
    return false;
  }
}

std::vector<fs::path> recordFilesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code code;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, code), end;
  for (; !code && entry != end; entry.increment(code)) {
    std::error_code ignored;
    if (entry.depth() >= kDeepestFolder) entry.disable_recursion_pending();
    if (entry->is_regular_file(ignored) && holdsRecords(entry->path())) files.push_back(entry->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

bool isBenchmark(const FoundRecords& records) {
  std::string name = records.name;
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return name.find(kBenchmark) != std::string::npos;
}

}  // namespace

std::vector<fs::path> recordFilesOf(const fs::path& place) {
  std::error_code ignored;
  if (!fs::is_directory(place, ignored)) return {place};
  if (fs::exists(place / "dataset_dict.json", ignored))
    throw InputError({place, "", "a data set, or the folder of one split of it", "a data set with splits"});
  const std::vector<fs::path> files = recordFilesIn(place);
  if (files.empty())
    throw InputError({place, "", "a .json, .jsonl, .parquet, .arrow or .csv file of records", "none"});
  return files;
}

std::vector<FoundRecords> findRecords() {
  const fs::path home = folderFrom("HF_HOME");
  std::set<fs::path> visited;
  std::vector<FoundRecords> found;
  for (const fs::path& cache : {hubCacheFolder(), folderFrom("HF_DATASETS_CACHE"), home,
                                below(home, "datasets"), below(userCacheFolder(), "huggingface/datasets")}) {
    std::error_code code;
    const fs::path real = fs::canonical(cache, code);
    if (code || !visited.insert(real).second) continue;
    for (const fs::path& entry : hubEntries(cache, "datasets")) {
      const fs::path snapshot = mainSnapshotOf(entry);
      const auto files = snapshot.empty() ? std::vector<fs::path>() : recordFilesIn(snapshot);
      if (!files.empty())
        found.push_back({nameOfHubEntry(entry), files.size() == 1 ? files.front() : snapshot, files.size()});
    }
  }
  std::ranges::stable_sort(found, [](const FoundRecords& a, const FoundRecords& b) {
    return std::pair(!isBenchmark(a), a.name) < std::pair(!isBenchmark(b), b.name);
  });
  return found;
}

// ---- Plain text

namespace {

constexpr std::size_t kSample = 4096;
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

struct ForeignMark {
  std::string_view mark;  // longer marks first
  const char* name;
};
constexpr ForeignMark kMarks[] = {
    {{"\xFF\xFE\0\0", 4}, "UTF-32 (little-endian)"},
    {{"\0\0\xFE\xFF", 4}, "UTF-32 (big-endian)"},
    {{"\xFF\xFE", 2}, "UTF-16 (little-endian)"},
    {{"\xFE\xFF", 2}, "UTF-16 (big-endian)"},
};

// Drops the last code point, which the sample may cut.
void dropLastCodePoint(std::string& sample) {
  for (int i = 0; i < 3 && isUtf8Continuation(static_cast<unsigned char>(sample.back())); ++i)
    sample.pop_back();
  sample.pop_back();
}

std::string markedEncoding(std::string_view start) {
  for (const ForeignMark& each : kMarks) {
    if (start.starts_with(each.mark)) return each.name;
  }
  return {};
}

// Detects UTF-16 without a byte order mark: Latin letters, spaces and line ends have a zero byte, always on
// the same side.
std::string unmarkedUtf16(std::string_view sample, std::size_t leastZeros) {
  constexpr std::size_t kLeastShare = 8;  // zero bytes: at least 1/8 of all bytes
  std::size_t zeros[2] = {0, 0};
  for (std::size_t i = 0; i < sample.size(); ++i) zeros[i % 2] += sample[i] == '\0' ? 1 : 0;
  const auto many = [&](std::size_t count, std::size_t other) {
    return count >= leastZeros && count * kLeastShare >= sample.size() && other * kLeastShare < count;
  };
  if (many(zeros[1], zeros[0])) return "UTF-16 (little-endian) without a byte order mark";
  if (many(zeros[0], zeros[1])) return "UTF-16 (big-endian) without a byte order mark";
  return {};
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& place,
                         const std::string& found) {
  throw InputError({file, place, "UTF-8 text", found});
}

}  // namespace

bool looksLikeText(const std::filesystem::path& file) {
  std::string sample;
  try {
    sample = readStart(file, kSample);
  } catch (const InputError&) {
    return false;  // missing or unreadable
  }
  if (sample.empty()) return false;
  if (sample.size() == kSample) dropLastCodePoint(sample);
  return sample.find('\0') == std::string::npos && repairUtf8(sample) == sample;
}

std::string foreignEncodingOf(std::string_view start) {
  const std::string marked = markedEncoding(start);
  return !marked.empty() || start.size() < 2 ? marked : unmarkedUtf16(start.substr(0, 2), 1);
}

std::string plainTextOf(std::string bytes, const std::filesystem::path& file, Progress& progress) {
  if (bytes.starts_with(kUtf8Mark)) bytes.erase(0, kUtf8Mark.size());
  const std::string_view sample = std::string_view(bytes).substr(0, kSample);
  constexpr std::size_t kLeastZeros = 4;
  for (const std::string& encoding : {markedEncoding(sample), unmarkedUtf16(sample, kLeastZeros)}) {
    if (!encoding.empty()) refuse(file, "", encoding + ": convert it to UTF-8");
  }
  const std::size_t zero = bytes.find('\0');
  std::int64_t invalid = 0;
  if (zero < kSample) repairUtf8(sample, &invalid);
  if (invalid > 1) refuse(file, "", "binary data");  // the sample may end within a character
  if (zero != std::string::npos) refuse(file, placeInText(bytes, zero), "a zero byte");
  return repairedText(bytes, pathText(file), progress);
}

std::string repairedText(std::string_view bytes, const std::string& where, Progress& progress) {
  std::int64_t count = 0;
  std::string text = repairUtf8(bytes, &count);
  if (count > 0) {
    progress.warned(where + ": " + withCommas(count) + " invalid UTF-8 " + (count == 1 ? "part" : "parts") +
                    " replaced by U+FFFD");
  }
  return text;
}

}  // namespace plastiscope
