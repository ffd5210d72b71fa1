// Filter expressions over heads.
#include "core/base/table.h"
#include "core/views/head_filter.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Table kHeads{"heads",
                            {{"layer", std::vector<std::int64_t>{0, 12}},
                             {"head", std::vector<std::int64_t>{3, 6}},
                             {"taxonomy", std::vector<std::string>{"mixed", ""}},
                             {"ap_drop", std::vector<double>{0.25, kMissing}}}};
  try {
    const HeadFilter filter(test::bytesOf(data, size), kHeads, [](std::size_t row) { return row == 1; });
    for (std::size_t row = 0; row < kHeads.rows(); ++row) filter.matches(row);
  } catch (const UsageError&) {
  }
  return 0;
}
