// Lists of heads and layers; a printed list selects the same heads.
#include <cstdlib>

#include "core/base/error.h"
#include "core/capture/head_list.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(test::bytesOf(data, size));
  try {
    const std::vector<HeadName> heads = parseHeadList(text);
    if (!heads.empty() && parseHeadList(headListText(heads)) != heads) std::abort();
  } catch (const UsageError&) {
  }
  try {
    parseLayerList(text);
  } catch (const UsageError&) {
  }
  try {
    parseHeadRequest(text);
  } catch (const UsageError&) {
  }
  return 0;
}
