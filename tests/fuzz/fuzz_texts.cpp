// Records of texts: the first byte selects the file type.
#include "core/base/error.h"
#include "core/text/corpus.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const bool lines = data[0] == '{' || data[0] % 2 == 0;
  const std::size_t skipped = data[0] == '{' || data[0] == '[' ? 0 : 1;
  Progress progress;
  const auto file =
      test::fileOfBytes(lines ? "texts.jsonl" : "texts.json", test::bytesOf(data + skipped, size - skipped));
  try {
    readCorpus({{file}, {}, {}, -1, {}}, progress);
  } catch (const InputError&) {
  }
  try {
    readCorpus({{file}, "text", "id", 3, {{"kind", "a"}}}, progress);
  } catch (const InputError&) {
  }
  if (!lines) return 0;
  try {
    readTokenFile(file);
  } catch (const InputError&) {
  }
  return 0;
}
