#pragma once
#include <vector>

#include "core/weights/tensor_source.h"

namespace plastiscope::test {

// Reads every tensor that is not large, whole and by its last row.
inline void readAll(const TensorSource& source) {
  for (const TensorInfo& tensor : source.tensors()) {
    const std::int64_t elements = tensor.elements();
    if (elements > 1 << 16) continue;
    std::vector<float> values(static_cast<std::size_t>(elements));
    readFloat32(source, tensor, values);
    if (tensor.shape.empty() || tensor.shape.front() == 0) continue;
    const std::int64_t rows = tensor.shape.front();
    readFloat32Rows(source, tensor, rows - 1, 1,
                    std::span(values).first(static_cast<std::size_t>(elements / rows)));
  }
}

}  // namespace plastiscope::test
