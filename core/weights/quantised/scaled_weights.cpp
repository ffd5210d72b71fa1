#include "core/weights/quantised/scaled_weights.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"

namespace plastiscope::quantised {

namespace {

// Of activations and of the cache of keys and values: nothing that a weight is made from.
constexpr std::string_view kOtherScales[] = {"input_scale", "activation_scale", "output_scale", "k_scale",
                                             "v_scale"};
constexpr std::int64_t kMaxRectangle = 1 << 20;

// A weight as matrices of `rows` x `columns`, one after the other, and the rectangles that share a scale.
struct Grid {
  std::int64_t rows = 1, columns = 1;
  std::int64_t blockRows = 1, blockColumns = 1;
  std::int64_t gridRows = 1, gridColumns = 1;
  bool single = false;  // one scale for all matrices
};

std::string shapeText(const std::vector<std::int64_t>& shape) {
  return canonicalJson(Json(shape));
}

// The size of a block when `count` scales stand for `size` rows or columns; 0 when they cannot. The last
// block may be smaller only where the size was declared.
std::int64_t blockSize(std::int64_t size, std::int64_t count, std::int64_t declared) {
  if (count <= 0) return 0;
  if (declared > 0 && (size + declared - 1) / declared == count) return declared;
  return size % count == 0 ? size / count : 0;
}

Grid gridOf(const TensorInfo& weight, const TensorInfo& scale, const ScaleRule& rule) {
  Grid grid;
  const std::size_t rank = weight.shape.size();
  if (rank >= 1) grid.columns = weight.shape[rank - 1];
  if (rank >= 2) grid.rows = weight.shape[rank - 2];
  grid.single = scale.elements() == 1;
  const bool sameMatrices = rank >= 2 && scale.shape.size() == rank &&
                            std::equal(weight.shape.begin(), weight.shape.end() - 2, scale.shape.begin());
  if (!grid.single && sameMatrices) {
    grid.gridRows = scale.shape[rank - 2];
    grid.gridColumns = scale.shape[rank - 1];
  }
  grid.blockRows = blockSize(grid.rows, grid.gridRows, rule.rectangle[0]);
  grid.blockColumns = blockSize(grid.columns, grid.gridColumns, rule.rectangle[1]);
  if ((!grid.single && !sameMatrices) || grid.blockRows == 0 || grid.blockColumns == 0) {
    throw InputError(
        {scale.file, "tensor " + sanitized(scale.name),
         "one number, one for each row, or a grid over the weight's shape " + shapeText(weight.shape),
         "the shape " + shapeText(scale.shape)});
  }
  return grid;
}

// Multiplies elements [first, first + values.size()) of the weight by their scales, rectangle by rectangle.
void multiply(const Grid& grid, const std::vector<float>& scales, std::int64_t first,
              std::span<float> values) {
  for (std::int64_t done = 0; done < std::ssize(values);) {
    const std::int64_t element = first + done;
    const std::int64_t column = element % grid.columns;
    const std::int64_t row = element / grid.columns % grid.rows;
    const std::int64_t matrix = grid.single ? 0 : element / grid.columns / grid.rows;
    const std::int64_t block = column / grid.blockColumns;
    const std::int64_t end = std::min(grid.columns, (block + 1) * grid.blockColumns);
    const std::int64_t count = std::min(end - column, std::ssize(values) - done);
    const std::int64_t gridRow = matrix * grid.gridRows + row / grid.blockRows;
    const float scale = scales[static_cast<std::size_t>(gridRow * grid.gridColumns + block)];
    for (float& value : values.subspan(static_cast<std::size_t>(done), static_cast<std::size_t>(count)))
      value *= scale;
    done += count;
  }
}

const TensorInfo& scaleOf(const TensorInfo& weight, const TensorSource& stored, const ScaleRule& rule) {
  std::string names;
  for (const std::string_view ending : rule.endings) {
    const std::string name = weight.name + std::string(ending);
    if (const TensorInfo* scale = stored.find(name)) {
      const bool isFloat =
          scale->type == TensorType::F32 || scale->type == TensorType::F16 || scale->type == TensorType::BF16;
      if (isFloat) return *scale;
      throw InputError({scale->file, "tensor " + sanitized(name), "a scale of type F32, F16 or BF16",
                        std::string(nameOf(scale->type))});
    }
    names += (names.empty() ? "" : " or ") + sanitized(name);
  }
  throw InputError(
      {weight.file, "tensor " + sanitized(weight.name), "its scale in the tensor " + names, "none"});
}

DerivedTensor scaled(const TensorInfo& weight, const TensorInfo& scale, const ScaleRule& rule) {
  const Grid grid = gridOf(weight, scale, rule);
  return {weight, {weight, scale}, [=](const TensorSource& stored, std::int64_t first, std::span<float> out) {
            std::vector<float> scales(static_cast<std::size_t>(scale.elements()));
            stored.readValues(scale, 0, scales);
            stored.readValues(weight, first, out);
            multiply(grid, scales, first, out);
          }};
}

bool isOtherScale(std::string_view name) {
  return std::any_of(std::begin(kOtherScales), std::end(kOtherScales), [&](std::string_view ending) {
    if (name.size() <= ending.size() || !name.ends_with(ending)) return false;
    const char before = name[name.size() - ending.size() - 1];
    return before == '.' || before == '_';
  });
}

}  // namespace

Derivation scaledWeights(const TensorSource& stored, const ScaleRule& rule) {
  Derivation derivation;
  for (const TensorInfo& tensor : stored.tensors()) {
    if (tensor.type == TensorType::F8_E4M3 || tensor.type == TensorType::F8_E5M2) {
      derivation.tensors.push_back(scaled(tensor, scaleOf(tensor, stored, rule), rule));
    } else if (isOtherScale(tensor.name)) {
      derivation.hidden.push_back(tensor.name);
    }
  }
  return derivation;
}

std::array<std::int64_t, 2> rectangleFrom(const Json& value, const char* key,
                                          const std::filesystem::path& file) {
  if (value.is_null()) return {0, 0};
  const bool isPair =
      value.is_array() && value.size() == 2 && std::all_of(value.begin(), value.end(), [](const Json& size) {
        return size.is_number_integer() && size >= 1 && size <= kMaxRectangle;
      });
  if (!isPair)
    throw InputError({file, key, "two sizes up to 2^20, or null", sanitized(canonicalJson(value))});
  return {value[0].get<std::int64_t>(), value[1].get<std::int64_t>()};
}

}  // namespace plastiscope::quantised
