#include <algorithm>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/weights/quantised/method.h"

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

// ---- quant_method "fp8" (fine-grained, and one scale a tensor) and "fbgemm_fp8" (one scale a row). Despite
// its name, weight_scale_inv is what the stored numbers are multiplied by. Which modules were left alone
// shows in the tensors' types; activations are not quantised here, so their scheme does not matter.

namespace {

ScaleRule ruleOf(const Request& request) {
  return {
      {"_scale_inv", "_scale"},
      rectangleFrom(request.config.value("weight_block_size", Json()), "weight_block_size", request.file)};
}

std::string unreadFp8(const Request& request) {
  ruleOf(request);
  return "";
}

Derivation deriveFp8(const TensorSource& stored, const Request& request) {
  return scaledWeights(stored, ruleOf(request));
}

}  // namespace

const Method kFp8{"fp8", unreadFp8, deriveFp8};
const Method kFbgemmFp8{"fbgemm_fp8", unreadFp8, deriveFp8};

// ---- quant_method "compressed-tensors": of its many formats the 8-bit floating point ones, with a scale a
// tensor, a row or a rectangle.

namespace {

const Json& member(const Json& object, const char* key) {
  static const Json kNull;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? kNull : *found;
}

std::string textOf(const Json& value) {
  return sanitized(value.is_string() ? value.get<std::string>() : canonicalJson(value));
}

std::string unreadGroup(const Json& group, const Json& formatOfAll) {
  const Json& own = member(group, "format");
  const Json& format = own.is_null() ? formatOfAll : own;
  if (format != "float-quantized" && format != "naive-quantized") return "format " + textOf(format);
  const Json& weights = member(group, "weights");
  if (member(weights, "type") != "float" || member(weights, "num_bits") != 8) {
    return textOf(member(weights, "num_bits")) + "-bit weights of type " + textOf(member(weights, "type"));
  }
  return "";
}

std::string unreadCompressed(const Request& request) {
  const Json& sparsity = member(member(request.config, "sparsity_config"), "format");
  if (!sparsity.is_null() && sparsity != "dense") return "sparse weights, " + textOf(sparsity);
  const Json& transforms = member(member(request.config, "transform_config"), "config_groups");
  if (!transforms.empty()) return "transformed weights";
  const Json& groups = member(request.config, "config_groups");
  if (!groups.is_object() || groups.empty()) return "without config_groups";
  for (const Json& group : groups) {
    const std::string reason = unreadGroup(group, member(request.config, "format"));
    if (!reason.empty()) return reason;
  }
  return "";
}

Derivation deriveCompressed(const TensorSource& stored, const Request& request) {
  ScaleRule rule{{"_scale"}, {0, 0}};
  for (const Json& group : member(request.config, "config_groups")) {
    const Json& rectangle = member(member(group, "weights"), "block_structure");
    if (!rectangle.is_null()) rule.rectangle = rectangleFrom(rectangle, "block_structure", request.file);
  }
  return scaledWeights(stored, rule);
}

}  // namespace

const Method kCompressedTensors{"compressed-tensors", unreadCompressed, deriveCompressed};

}  // namespace plastiscope::quantised
