#include "core/weights/tensor_source.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "core/base/joined.h"
#include "core/weights/tensor_type.h"

namespace plastiscope {

namespace {

constexpr std::int64_t kBytesAtOnce = 1 << 18;  // fits in the L2 cache

// Copies the overlap of [begin, begin + values.size()) with [first, first + out.size()).
void copyOverlap(std::int64_t begin, std::span<const float> values, std::int64_t first,
                 std::span<float> out) {
  const std::int64_t from = std::max(begin, first);
  const std::int64_t to = std::min(begin + std::ssize(values), first + std::ssize(out));
  std::copy_n(values.begin() + (from - begin), to - from, out.begin() + (from - first));
}

}  // namespace

void dequantize(TensorType type, std::int64_t first, std::span<float> out,
                const std::function<void(std::uint64_t offset, std::span<std::byte>)>& read) {
  const TensorFormat& format = formatOf(type);
  const std::int64_t blockElements = format.blockElements;
  if (type == TensorType::F32) {
    read(static_cast<std::uint64_t>(first) * sizeof(float), std::as_writable_bytes(out));
    return;
  }
  const std::int64_t end = first + std::ssize(out);
  const std::int64_t endBlock = (end + blockElements - 1) / blockElements;
  const std::int64_t mostBlocks =
      std::min(kBytesAtOnce / format.blockBytes, endBlock - first / blockElements);
  std::vector<std::byte> bytes(static_cast<std::size_t>(mostBlocks * format.blockBytes));
  std::vector<float> whole;
  for (std::int64_t block = first / blockElements; block < endBlock; block += mostBlocks) {
    const std::int64_t blocks = std::min(mostBlocks, endBlock - block);
    const std::int64_t begin = block * blockElements;
    read(static_cast<std::uint64_t>(block * format.blockBytes),
         std::span(bytes).first(static_cast<std::size_t>(blocks * format.blockBytes)));
    if (begin >= first && begin + blocks * blockElements <= end) {
      format.toFloat32(bytes.data(), blocks, out.data() + (begin - first));
    } else {
      whole.resize(static_cast<std::size_t>(blocks * blockElements));
      format.toFloat32(bytes.data(), blocks, whole.data());
      copyOverlap(begin, whole, first, out);
    }
  }
}

std::string shapeText(std::span<const std::int64_t> shape) {
  return "[" +
         joined(
             shape, [](std::int64_t size) { return std::to_string(size); }, ",") +
         "]";
}

std::int64_t TensorInfo::elements() const {
  return elementCount(shape).value_or(0);
}

const TensorInfo* TensorSource::find(std::string_view name) const {
  const auto& all = tensors();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const TensorInfo& tensor) { return tensor.name == name; });
  return found == all.end() ? nullptr : &*found;
}

void TensorSource::readValues(const TensorInfo& tensor, std::int64_t first, std::span<float> out) const {
  dequantize(tensor.type, first, out,
             [&](std::uint64_t offset, std::span<std::byte> bytes) { readBytes(tensor, offset, bytes); });
}

void readFloat32(const TensorSource& source, const TensorInfo& tensor, std::span<float> out) {
  readFloat32Rows(source, tensor, 0, tensor.shape.empty() ? 1 : tensor.shape.front(), out);
}

void readFloat32Rows(const TensorSource& source, const TensorInfo& tensor, std::int64_t firstRow,
                     std::int64_t rows, std::span<float> out) {
  const std::int64_t allRows = tensor.shape.empty() ? 1 : tensor.shape.front();
  if (firstRow < 0 || rows < 0 || firstRow > allRows || rows > allRows - firstRow) {
    throw Error(ErrorKind::Internal, tensor.name + ": rows outside the tensor are asked for");
  }
  const std::int64_t rowElements = allRows == 0 ? 0 : tensor.elements() / allRows;
  if (static_cast<std::int64_t>(out.size()) != rows * rowElements) {
    throw Error(ErrorKind::Internal, tensor.name + ": " + std::to_string(rows * rowElements) +
                                         " values do not fit a buffer of " + std::to_string(out.size()));
  }
  if (!out.empty()) source.readValues(tensor, firstRow * rowElements, out);
}

}  // namespace plastiscope
