#include "core/text/text_sniff.h"

#include <fstream>
#include <string>
#include "core/base/descriptor.h"
#include "core/base/error.h"
#include "core/base/json.h"
#include "core/base/path_text.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"

namespace plastiscope {

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
