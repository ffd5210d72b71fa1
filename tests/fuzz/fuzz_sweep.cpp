// The TOML file of a sweep. Patterns are left out because they would search the disk.
#include "core/base/error.h"
#include "core/sweep/sweep_file.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = test::bytesOf(data, size);
  if (text.find_first_of("*?") != std::string_view::npos) return 0;
  try {
    readSweep(test::fileOfBytes("sweep.toml", text), "library");
  } catch (const InputError&) {
  }
  return 0;
}
