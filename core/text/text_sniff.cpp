#include "core/text/text_sniff.h"

#include <string>

#include "core/base/error.h"
#include "core/base/input_file.h"
#include "core/text/tokenizer.h"
#include "core/text/utf8.h"

namespace plastiscope {

namespace {

constexpr std::size_t kSample = 4096;

// The sample may end within a code point.
void dropLastCodePoint(std::string& sample) {
  for (int i = 0; i < 3 && isUtf8Continuation(static_cast<unsigned char>(sample.back())); ++i)
    sample.pop_back();
  sample.pop_back();
}

}  // namespace

bool looksLikeText(const std::filesystem::path& file) {
  std::string sample;
  try {
    sample = readStart(file, kSample);
  } catch (const InputError&) {
    return false;  // no file, or not to be read
  }
  if (sample.empty()) return false;
  if (sample.size() == kSample) dropLastCodePoint(sample);
  return sample.find('\0') == std::string::npos && repairUtf8(sample) == sample;
}

}  // namespace plastiscope
