// A model's configuration: config.json of a folder, or the metadata of a GGUF file.
#include "core/base/error.h"
#include "core/model/model.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = test::fileOfBytes(PLASTISCOPE_FUZZED_FILE, test::bytesOf(data, size));
  try {
    readModelSpec(file.extension() == ".json" ? file.parent_path() : file);
  } catch (const InputError&) {
  }
  return 0;
}
