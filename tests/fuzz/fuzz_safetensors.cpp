// The header of a safetensors file, and what the methods of quantisation make of its tensors.
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
