#include <algorithm>
#include <map>
#include <memory>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/json.h"
#include "core/weights/quantised/method.h"

namespace plastiscope::quantised {

namespace {

// Scales of activations and of the KV cache, not needed for weights.
constexpr std::string_view kOtherScales[] = {"input_scale", "activation_scale", "output_scale", "k_scale",
                                             "v_scale"};
constexpr std::int64_t kMaxRectangle = 1 << 20;

// A weight as a sequence of rows x columns matrices, and the blocks that share a scale.
struct Grid {
  std::int64_t rows = 1, columns = 1;
  std::int64_t blockRows = 1, blockColumns = 1;
  std::int64_t gridRows = 1, gridColumns = 1;
  bool single = false;  // one scale for all matrices
};

// Number of blocks of `size` rows or columns (0: one block) that cover `total`.
std::int64_t rectanglesOver(std::int64_t total, std::int64_t size) {
  return size == 0 ? 1 : (total + size - 1) / size;
}

std::string rectangleText(const Rectangle& rectangle) {
  const auto [rows, columns] = rectangle;
  if (rows == 0 && columns == 0) return "one number";
  if (columns == 0 && rows == 1) return "one number per row";
  if (rows == 0 && columns == 1) return "one number per column";
  return "one number for every " + std::to_string(rows) + " x " + std::to_string(columns);
}

Grid gridOf(const TensorInfo& weight, const TensorInfo& scale, const std::vector<Rectangle>& rectangles) {
  Grid grid;
  const std::size_t rank = weight.shape.size();
  if (rank >= 1) grid.columns = weight.shape[rank - 1];
  if (rank >= 2) grid.rows = weight.shape[rank - 2];
  std::string expected;
  for (const Rectangle& rectangle : rectangles) {
    grid.blockRows = rectangle[0] == 0 ? grid.rows : rectangle[0];
    grid.blockColumns = rectangle[1] == 0 ? grid.columns : rectangle[1];
    grid.gridRows = rectanglesOver(grid.rows, rectangle[0]);
    grid.gridColumns = rectanglesOver(grid.columns, rectangle[1]);
    grid.single = rectangle == Rectangle{0, 0} && scale.elements() == 1;
    std::vector<std::int64_t> wanted = weight.shape;
    if (rank >= 2) {
      wanted[rank - 2] = grid.gridRows;
      wanted[rank - 1] = grid.gridColumns;
      const bool rowList = rank == 2 && grid.gridColumns == 1 && scale.shape == std::vector{grid.gridRows};
      if (scale.shape == wanted || rowList) return grid;
    }
    if (grid.single) return grid;
    expected += (expected.empty() ? "" : ", or ") + rectangleText(rectangle);
    if (rank >= 2 && rectangle != Rectangle{0, 0}) expected += " (the shape " + shapeText(wanted) + ")";
  }
  throw InputError({scale.file, "tensor " + sanitized(scale.name),
                    expected + " of the weight's shape " + shapeText(weight.shape),
                    "the shape " + shapeText(scale.shape)});
}

// Multiplies elements [first, first + values.size()) of the weight by their scales, block by block.
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

const TensorInfo* storedScale(const TensorInfo& weight, const TensorSource& stored, const ScaleRule& rule) {
  for (const std::string_view ending : rule.endings)
    if (const TensorInfo* scale = stored.find(weight.name + std::string(ending))) return scale;
  return nullptr;
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

DerivedTensor scaled(const TensorInfo& weight, const TensorInfo& scale,
                     const std::vector<Rectangle>& rectangles) {
  const Grid grid = gridOf(weight, scale, rectangles);
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
    const bool isEight = tensor.type == TensorType::F8_E4M3 || tensor.type == TensorType::F8_E5M2;
    const TensorInfo* scale = storedScale(tensor, stored, rule);
    if (isOtherScale(tensor.name)) {
      derivation.hidden.push_back(tensor.name);
      continue;
    }
    if (!isEight && scale == nullptr) continue;
    const ModuleScales scales = rule.scalesOf(moduleOf(tensor.name));
    if (isEight && scales.rectangles.empty()) {
      throw InputError({tensor.file, "tensor " + sanitized(tensor.name), "plain numbers, as " + scales.why,
                        std::string(nameOf(tensor.type))});
    }
    if (isEight)
      derivation.tensors.push_back(scaled(tensor, scaleOf(tensor, stored, rule), scales.rectangles));
    else if (scales.rectangles.empty())
      derivation.hidden.push_back(scale->name);
  }
  return derivation;
}

Rectangle rectangleFrom(const Json& value, const char* key, const std::filesystem::path& file) {
  if (value.is_null()) return {0, 0};
  if (value.is_string()) {  // "128x64" in older files
    std::string list = "[" + value.get<std::string>() + "]";
    std::ranges::replace(list, 'x', ',');
    const Json sizes = Json::parse(list, nullptr, false);
    if (sizes.is_array()) return rectangleFrom(sizes, key, file);
  }
  const bool isPair =
      value.is_array() && value.size() == 2 && std::all_of(value.begin(), value.end(), [](const Json& size) {
        return size.is_number_integer() && size >= 1 && size <= kMaxRectangle;
      });
  if (!isPair)
    throw InputError({file, key, "two sizes up to 2^20, or null", sanitized(canonicalJson(value))});
  return {value[0].get<std::int64_t>(), value[1].get<std::int64_t>()};
}

namespace {

const Json& member(const Json& object, const char* key) {
  static const Json kNull;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? kNull : *found;
}

std::string textOf(const Json& value) {
  return sanitized(value.is_string() ? value.get<std::string>() : canonicalJson(value));
}

// The same scheme for every module except those in the list `key`.
ScaleRule exceptFor(const char* key, NameSpelling spelling, const Request& request,
                    std::vector<std::string_view> endings, std::vector<Rectangle> rectangles) {
  const auto except =
      std::make_shared<const ModuleNames>(member(request.config, key), spelling, key, request.file);
  return {std::move(endings), [=](std::string_view module) -> ModuleScales {
            const std::string* named = except->closest(module);
            if (named == nullptr) return {rectangles, ""};
            return {{}, std::string(key) + " names it (" + sanitized(*named) + ")"};
          }};
}

}  // namespace

// ---- quant_method "fp8" (blocks of 128 x 128 by default, null: one scale per tensor) and "fbgemm_fp8" (one
// scale per row, or per column of stacked experts). weight_scale_inv is a factor despite its name.
// Activations are not quantised, so their scheme is ignored. Defaults: transformers' FineGrainedFP8Config.

namespace {

constexpr Rectangle kWhole = {0, 0}, kRow = {1, 0}, kColumn = {0, 1};

ScaleRule fp8Rule(const Request& request) {
  std::vector<Rectangle> rectangles = {{128, 128}, kWhole};
  if (request.config.contains("weight_block_size")) {
    const Json& size = request.config["weight_block_size"];
    rectangles = {rectangleFrom(size, "weight_block_size", request.file)};
    if (size.is_null()) rectangles.push_back(kRow);
  }
  const bool older = member(request.config, "modules_to_not_convert").is_null();
  return exceptFor(older ? "ignored_layers" : "modules_to_not_convert", NameSpelling::Transformers, request,
                   {"_scale_inv", "_scale"}, rectangles);
}

ScaleRule fbgemmRule(const Request& request) {
  return exceptFor("modules_to_not_convert", NameSpelling::Transformers, request, {"_scale"},
                   {kRow, kColumn});
}

template <ScaleRule (*ruleOf)(const Request&)>
std::string unreadScales(const Request& request) {
  ruleOf(request);
  return "";
}

template <ScaleRule (*ruleOf)(const Request&)>
Derivation deriveScales(const TensorSource& stored, const Request& request) {
  return scaledWeights(stored, ruleOf(request));
}

}  // namespace

const Method kFp8{"fp8", unreadScales<fp8Rule>, deriveScales<fp8Rule>};
const Method kFbgemmFp8{"fbgemm_fp8", unreadScales<fbgemmRule>, deriveScales<fbgemmRule>};

// ---- quant_method "modelopt" (or hf_quant_config.json): 8-bit floats with one scale per tensor.

namespace {

ScaleRule modeloptRule(const Request& request) {
  const bool older = member(request.config, "ignore").is_null();
  return exceptFor(older ? "exclude_modules" : "ignore", NameSpelling::Wildcards, request, {"_scale"},
                   {kWhole});
}

std::string unreadModelopt(const Request& request) {
  modeloptRule(request);
  const Json& kind = member(request.config, "quant_algo");
  return kind == "FP8" ? "" : "quant_algo " + textOf(kind);
}

}  // namespace

const Method kModelopt{"modelopt", unreadModelopt, deriveScales<modeloptRule>};

// ---- quant_method "compressed-tensors": only its 8-bit floating point formats, with a scale per tensor,
// row, group of columns or block, from the group whose `targets` match the module best.

namespace {

// Block size from a group's strategy; without a strategy it follows from group_size
// (compressed_tensors.quantization.QuantizationArgs).
Rectangle rectangleOf(const Json& weights, const std::filesystem::path& file) {
  const Json &size = member(weights, "group_size"), &strategy = member(weights, "strategy");
  const bool grouped = size.is_number_integer() && size > 0;
  if ((strategy == "block") == member(weights, "block_structure").is_null()) {
    throw InputError({file, "block_structure", "two sizes where strategy is block, and there alone",
                      textOf(member(weights, "block_structure")) + " and strategy " + textOf(strategy)});
  }
  if (strategy == "block") return rectangleFrom(member(weights, "block_structure"), "block_structure", file);
  if (strategy == "channel" || (strategy.is_null() && size == -1)) return kRow;
  if ((strategy == "group" || strategy.is_null()) && grouped) return {1, size.get<std::int64_t>()};
  if (strategy == "tensor" || (strategy.is_null() && size.is_null())) return kWhole;
  throw InputError({file, "strategy and group_size", "tensor, channel, block, or group with a size",
                    textOf(strategy) + " and " + textOf(size)});
}

std::string unreadGroup(const Json& group, const Json& formatOfAll) {
  const Json& own = member(group, "format");
  const Json& format = own.is_null() ? formatOfAll : own;
  if (format != "float-quantized" && format != "naive-quantized") return "format " + textOf(format);
  const Json& weights = member(group, "weights");
  if (weights.is_null()) return "";  // only activations are quantised
  if (member(weights, "symmetric") == false) return "asymmetric weights";
  if (member(weights, "type") != "float" || member(weights, "num_bits") != 8) {
    return textOf(member(weights, "num_bits")) + "-bit weights of type " + textOf(member(weights, "type"));
  }
  return "";
}

ScaleRule compressedRule(const Request& request) {
  std::map<std::string, std::vector<Rectangle>, std::less<>> ofTarget;  // later groups override
  Json targets = Json::array();
  for (const Json& group : member(request.config, "config_groups")) {
    const Json& weights = member(group, "weights");
    std::vector<Rectangle> rectangles;
    if (!weights.is_null()) rectangles.push_back(rectangleOf(weights, request.file));
    for (const Json& target : member(group, "targets")) {
      targets.push_back(target);
      if (target.is_string()) ofTarget[target.get<std::string>()] = rectangles;
    }
  }
  const auto chosen =
      std::make_shared<const ModuleNames>(targets, NameSpelling::CompressedTensors, "targets", request.file);
  const auto ignored = std::make_shared<const ModuleNames>(
      member(request.config, "ignore"), NameSpelling::CompressedTensors, "ignore", request.file);
  return {{"_scale"}, [=](std::string_view module) -> ModuleScales {
            if (const std::string* named = ignored->closest(module))
              return {{}, "ignore names it (" + sanitized(*named) + ")"};
            const std::string* target = chosen->closest(module);
            if (target == nullptr) return {{}, "no group of config_groups has it among its targets"};
            return {ofTarget.at(*target), "its group quantises no weights"};
          }};
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
  compressedRule(request);
  return "";
}

}  // namespace

const Method kCompressedTensors{"compressed-tensors", unreadCompressed, deriveScales<compressedRule>};

}  // namespace plastiscope::quantised
