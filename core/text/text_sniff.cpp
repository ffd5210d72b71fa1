#include "core/text/text_sniff.h"

#include <fstream>
#include <string>

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
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  std::ifstream stream(file, std::ios::binary);
  std::string sample(kSample, '\0');
  stream.read(sample.data(), static_cast<std::streamsize>(sample.size()));
  sample.resize(static_cast<std::size_t>(stream.gcount()));
  if (sample.empty()) return false;
  if (sample.size() == kSample) dropLastCodePoint(sample);
  return sample.find('\0') == std::string::npos && repairUtf8(sample) == sample;
}

}  // namespace plastiscope
