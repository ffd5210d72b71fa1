// The header of a safetensors file, and its tensors after dequantisation.
#include <cstring>
#include <vector>

#include "core/base/json.h"
#include "core/weights/quantised.h"
#include "core/weights/safetensors.h"
#include "core/weights/tensor_directory.h"
#include "tests/fuzz/bytes_in_memory.h"
#include "tests/fuzz/read_all.h"

using namespace plastiscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Json kConfigs[] = {
      nullptr, {{"quant_method", "fp8"}, {"weight_block_size", {4, 8}}}, {{"quant_method", "mxfp4"}}};
  try {
    const auto file = std::make_shared<const test::BytesInMemory>(std::as_bytes(std::span(data, size)));
    TensorDirectory directory;
    directory.add(file, readSafetensorsDirectory(*file));
    const auto source = std::make_shared<const DirectorySource>("memory", std::move(directory));
    for (const Json& config : kConfigs) {
      try {
        test::readAll(*withQuantisation(source, config, "config.json"));
      } catch (const InputError&) {
      }
    }
  } catch (const InputError&) {
  }
  return 0;
}

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

// Most random mutants state a wrong header length and are refused there: three of four therefore change only
// the header and state its new length.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  std::uint64_t length = 0;
  if (size >= sizeof length) std::memcpy(&length, data, sizeof length);
  if (seed % 4 == 0 || size <= sizeof length || length == 0 || length > size - sizeof length)
    return LLVMFuzzerMutate(data, size, most);
  const std::vector<std::uint8_t> tensors(data + sizeof length + length, data + size);
  length = LLVMFuzzerMutate(data + sizeof length, length, most - sizeof length - tensors.size());
  std::memcpy(data, &length, sizeof length);
  std::copy(tensors.begin(), tensors.end(), data + sizeof length + length);
  return sizeof length + length + tensors.size();
}
