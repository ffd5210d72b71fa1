// weight_verdicts safetensors|gguf: reads many weight files, for differential.py. Each file on standard input
// is its length (64 bits, little-endian) and its bytes; the answer is one line each: "+" and the SHA-256 of
// its contents (one line per tensor, by name: name, type, shape as in the file, CRC-32 of its bytes), or "-"
// and the error message.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/hash.h"
#include "core/weights/gguf.h"
#include "core/weights/safetensors.h"
#include "core/weights/tensor_type.h"
#include "tests/fuzz/bytes_in_memory.h"

using namespace plastiscope;

namespace {

struct Container {
  std::vector<TensorInfo> (*read)(const ByteSource& file);
  std::string (*typeName)(const TensorFormat& format);
  bool innermostFirst;
};

const std::map<std::string, Container> kContainers = {
    {"safetensors",
     {readSafetensorsDirectory,
      [](const TensorFormat& format) { return std::string(format.safetensorsName); }, false}},
    {"gguf",
     {[](const ByteSource& file) { return readGgufDirectory(file).tensors; },
      [](const TensorFormat& format) { return std::to_string(format.ggufId); }, true}}};

std::string verdictOn(const Container& container, const std::vector<std::byte>& bytes) {
  const auto file = std::make_shared<const test::BytesInMemory>(bytes);
  try {
    std::vector<TensorInfo> tensors = container.read(*file);
    TensorDirectory().add(file, tensors);  // refuses a name that stands twice
    std::sort(tensors.begin(), tensors.end(),
              [](const TensorInfo& a, const TensorInfo& b) { return a.name < b.name; });
    std::string text;
    for (TensorInfo& tensor : tensors) {
      if (tensor.unread) throw InputError(*tensor.unread);  // the error of a model that needs it
      if (container.innermostFirst) std::reverse(tensor.shape.begin(), tensor.shape.end());
      const auto content = std::span(bytes).subspan(tensor.offset, tensor.bytes);
      text += tensor.name + "\t" + container.typeName(formatOf(tensor.type)) + "\t" +
              shapeText(tensor.shape) + "\t" + std::to_string(crc32Of(content)) + "\n";
    }
    return "+ " + sha256Hex(text);
  } catch (const InputError& error) {
    return std::string("- ") + error.what();
  }
}

}  // namespace

int main(int arguments, char** values) {
  const auto container = kContainers.find(arguments == 2 ? values[1] : "");
  if (container == kContainers.end())
    return std::fputs("weight_verdicts safetensors|gguf < FILES\n", stderr), 2;
  std::uint64_t length = 0;
  while (std::fread(&length, sizeof length, 1, stdin) == 1) {
    std::vector<std::byte> bytes(length);
    if (length > 0 && std::fread(bytes.data(), length, 1, stdin) != 1) return 1;
    std::puts(verdictOn(container->second, bytes).c_str());
  }
  return 0;
}
