// The index of a model in several files; the only existing shard has no tensors.
#include "core/base/error.h"
#include "core/weights/tensor_source.h"
#include "tests/fuzz/file_of_bytes.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const auto kShard = test::fileOfBytes("a.safetensors", std::string("\2\0\0\0\0\0\0\0{}", 10));
  test::fileOfBytes("model.safetensors.index.json", test::bytesOf(data, size));
  try {
    openTensors(kShard.parent_path());
  } catch (const InputError&) {
  }
  return 0;
}
