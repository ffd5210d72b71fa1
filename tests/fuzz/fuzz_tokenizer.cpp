// A tokenizer file of the type given by its name, and the tokens of a text.
#include "core/base/error.h"
#include "core/text/tokenizer.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto tokenizer =
        openTokenizer(test::fileOfBytes(PLASTISCOPE_FUZZED_FILE, test::bytesOf(data, size)));
    const Encoding encoding =
        tokenizer->encode("A b, 12\n\n  \xC3\xA9\xE2\x96\x81\xF0\x9F\x98\x80 don't</s>");
    for (const std::int32_t id : encoding.ids) tokenizer->tokenText(id);
    tokenizer->tokenText(-1);
  } catch (const InputError&) {
  }
  return 0;
}
