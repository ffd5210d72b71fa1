// Metadata and directory of a GGUF file, and the blocks of its tensors.
#include "core/weights/gguf.h"
#include "core/weights/tensor_directory.h"
#include "tests/fuzz/bytes_in_memory.h"
#include "tests/fuzz/read_all.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const auto file = std::make_shared<const test::BytesInMemory>(std::as_bytes(std::span(data, size)));
    TensorDirectory directory;
    directory.add(file, readGgufDirectory(*file).tensors);
    test::readAll(DirectorySource("memory", std::move(directory)));
  } catch (const InputError&) {
  }
  return 0;
}
