// Provenance embedded in a figure of the file type that PLASTISCOPE_FUZZED_FILE names.
#include <cstdlib>

#include "core/base/error.h"
#include "core/base/json.h"
#include "tests/fuzz/file_of_bytes.h"
#include "widgets/export/figure_provenance.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = test::fileOfBytes(PLASTISCOPE_FUZZED_FILE, test::bytesOf(data, size));
  try {
    isOwnFigure(file);
  } catch (const InputError&) {
  }
  try {
    if (!readProvenance(file).at("figure").is_object()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
