// The finished unit of an example. A length of the header that is beyond the file becomes one inside it.
#include <cstdlib>
#include <cstring>

#include "core/base/error.h"
#include "core/store/unit_file.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

static UnitLayout twoBlocks() {
  UnitLayout layout;
  for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    UnitBlock block;
    block.kind = kind;
    block.heads = {0, 1};
    block.headDim = 2;
    layout.blocks.push_back(block);
  }
  layout.loss = true;
  return layout;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const UnitLayout kLayout = twoBlocks();
  std::string bytes(test::bytesOf(data, size));
  std::uint64_t length = 0;
  if (bytes.size() >= sizeof length) {
    std::memcpy(&length, bytes.data(), sizeof length);
    length %= bytes.size() - sizeof length + 2;  // including one byte too many
    std::memcpy(bytes.data(), &length, sizeof length);
  }
  try {
    const UnitIndex index =
        readUnitIndex(test::fileOfBytes("unit.safetensors", bytes), kLayout, {0, "a", "b"});
    std::uint64_t end = sizeof length + length;
    const auto follows = [&end](const UnitIndex::Range& range) {
      if (range.offset != end) std::abort();
      end += range.bytes;
    };
    for (std::size_t b = 0; b < kLayout.blocks.size(); ++b) {
      follows(index.positions(b));
      follows(index.buckets(b));
      for (const std::size_t head : {0, 1}) follows(index.vectors(kLayout, b, head));
    }
    follows(index.lossRange());
    if (end != bytes.size()) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
