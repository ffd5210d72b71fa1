#include "core/weights/tensor_source.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "core/weights/tensor_type.h"

namespace plastiscope {

namespace {

// Widens elements [first, first + out.size()) of the tensor; whole blocks go straight to `out`.
void widen(const TensorFormat& format, std::span<const std::byte> bytes, std::int64_t first,
           std::span<float> out) {
  const auto count = static_cast<std::int64_t>(out.size());
  const std::int64_t firstBlock = first / format.blockElements;
  const std::int64_t blocks = (first + count + format.blockElements - 1) / format.blockElements - firstBlock;
  const std::byte* in = bytes.data() + firstBlock * format.blockBytes;
  const std::int64_t lead = first - firstBlock * format.blockElements;
  if (lead == 0 && count == blocks * format.blockElements) {
    format.toFloat32(in, blocks, out.data());
    return;
  }
  std::vector<float> whole(static_cast<std::size_t>(blocks * format.blockElements));
  format.toFloat32(in, blocks, whole.data());
  std::copy_n(whole.begin() + lead, count, out.begin());
}

}  // namespace

std::int64_t TensorInfo::elements() const {
  return elementCount(shape).value_or(0);
}

const TensorInfo* TensorSource::find(std::string_view name) const {
  const auto& all = tensors();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const TensorInfo& tensor) { return tensor.name == name; });
  return found == all.end() ? nullptr : &*found;
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
    throw Error(ErrorKind::Internal, tensor.name + ": the room for its values has another size");
  }
  if (!out.empty()) widen(formatOf(tensor.type), source.bytes(tensor), firstRow * rowElements, out);
}

}  // namespace plastiscope
