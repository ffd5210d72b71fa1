#include "core/model/model.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/hash.h"
#include "core/base/joined.h"
#include "core/model/model_config.h"
#include "core/weights/gguf.h"
#include "core/weights/quantised.h"

namespace plastiscope {

namespace fs = std::filesystem;

namespace {

// Undoes the permutation of the last `rows` rows of each head: row 2 i + p of them is row p * rows / 2 + i.
void restoreRows(std::span<float> values, std::size_t columns, std::size_t headDim, std::size_t rows) {
  std::vector<float> head(rows * columns);
  for (std::size_t start = (headDim - rows) * columns; start < values.size(); start += headDim * columns) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(start), head.size(), head.begin());
    for (std::size_t row = 0; row < rows; ++row) {
      const std::size_t original = row % 2 * (rows / 2) + row / 2;
      std::copy_n(head.begin() + static_cast<std::ptrdiff_t>(row * columns), columns,
                  values.begin() + static_cast<std::ptrdiff_t>(start + original * columns));
    }
  }
}

// Reorders alternating gate and up values to gate first, then up, per column or bias (`size` values).
void gatherAlternating(std::span<float> values, std::size_t size) {
  const std::size_t half = size / 2;
  std::vector<float> read(size);
  for (std::size_t first = 0; first < values.size(); first += size) {
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(first), size, read.begin());
    for (std::size_t i = 0; i < size; ++i) values[first + i % 2 * half + i / 2] = read[i];
  }
}

// Multiplies rows from `firstRow` on by their scales.
void multiplyRows(std::span<float> values, std::size_t columns, std::int64_t firstRow,
                  const std::vector<RowScale>& scales) {
  const std::int64_t end = firstRow + std::ssize(values) / static_cast<std::int64_t>(columns);
  std::int64_t row = 0;
  for (const RowScale& scale : scales) {
    const std::int64_t from = std::max(row, firstRow);
    row = scale.rows == 0 ? end : row + scale.rows;
    if (from >= std::min(row, end)) continue;
    const auto place = static_cast<std::size_t>(from - firstRow) * columns;
    const auto count = static_cast<std::size_t>(std::min(row, end) - from) * columns;
    for (float& value : values.subspan(place, count)) value *= static_cast<float>(scale.factor);
  }
}

// Reads whole matrices stored as [in, out], from number `matrix` on, as [out, in].
void readTurned(const Model& model, const BoundTensor& tensor, std::int64_t matrix, std::span<float> out) {
  constexpr std::size_t kColumnsAtOnce = 64;
  const auto rows = static_cast<std::size_t>(tensor.shape.at(1));
  const auto columns = static_cast<std::size_t>(tensor.columns());
  std::vector<float> read(rows * std::min(kColumnsAtOnce, columns));
  for (; !out.empty(); out = out.subspan(rows * columns), ++matrix) {
    for (std::size_t first = 0; first < columns; first += kColumnsAtOnce) {
      const std::size_t count = std::min(kColumnsAtOnce, columns - first);
      model.readColumns(tensor, matrix, static_cast<std::int64_t>(first),
                        std::span(read).first(rows * count));
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t i = 0; i < count; ++i) out[row * columns + first + i] = read[i * rows + row];
    }
  }
}

// Reads rows of a tensor that is stored by head, in the order of all queries, all keys, all values.
void readByHead(const Model& model, const BoundTensor& tensor, std::int64_t row, std::span<float> out) {
  const std::int64_t columns = tensor.columns(), headDim = tensor.headDim;
  const std::int64_t heads = tensor.info.shape.front() / (3 * headDim);
  while (!out.empty()) {
    const std::int64_t part = row / (heads * headDim), head = row / headDim % heads, inside = row % headDim;
    const std::int64_t rows = std::min(headDim - inside, std::ssize(out) / columns);
    const auto numbers = static_cast<std::size_t>(rows * columns);
    model.weights->readValues(tensor.info, ((head * 3 + part) * headDim + inside) * columns,
                              out.first(numbers));
    out = out.subspan(numbers);
    row += rows;
  }
}

// Location of a model's files.
struct ModelFiles {
  bool isGguf = false;
  fs::path folder;   // of config.json, unless GGUF
  fs::path weights;  // argument of openTensors or openGguf
};

// Accepts a folder with config.json, a folder with only a GGUF model, or a file: GGUF, a single .safetensors
// file, or a shard, index or configuration, which select their folder.
ModelFiles modelFilesOf(const fs::path& path) {
  std::error_code code;
  const fs::path parent = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const bool isFolder = fs::is_directory(path, code);
  if (isFolder && fs::exists(path / "config.json", code)) return {false, path, path};
  if (path.filename() == "config.json" && fs::exists(path, code)) return {false, parent, parent};
  const WeightFile found = weightFileOf(path);
  if (found.kind == WeightKind::Gguf) return {true, {}, found.file};
  if (isFolder) return {false, path, path};
  const bool single =
      found.kind == WeightKind::Safetensors && path.filename().string().find("-of-") == std::string::npos;
  return {false, parent, single ? path : parent};
}

}  // namespace

std::string typesText(const TensorSource& weights) {
  std::map<std::string, std::uint64_t> bytes;
  for (const TensorInfo& tensor : weights.tensors()) bytes[std::string(nameOf(tensor.type))] += tensor.bytes;
  std::vector<std::pair<std::string, std::uint64_t>> sorted(bytes.begin(), bytes.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text = sorted.empty() ? "" : sorted.front().first;
  for (std::size_t i = 1; i < sorted.size(); ++i) text += (i == 1 ? " (" : ", ") + sorted[i].first;
  return sorted.size() > 1 ? text + ")" : text;
}

void Model::read(const BoundTensor& tensor, std::span<float> out) const {
  if (!out.empty()) readRows(tensor, 0, out);
}

void Model::readRows(const BoundTensor& tensor, std::int64_t firstRow, std::span<float> out) const {
  const std::int64_t columns = tensor.columns();
  if (tensor.liesAcross()) {
    readTurned(*this, tensor, firstRow / tensor.rowsTogether(), out);
  } else if (tensor.layout == TensorLayout::ByHead) {
    readByHead(*this, tensor, firstRow, out);
  } else if (tensor.perExpert.empty()) {
    weights->readValues(tensor.info, firstRow * columns, out);
  } else {
    const std::int64_t each = tensor.info.elements();
    for (std::int64_t done = 0; done < std::ssize(out);) {
      const std::int64_t element = firstRow * columns + done, inside = element % each;
      const auto count = static_cast<std::size_t>(std::min(each - inside, std::ssize(out) - done));
      weights->readValues(tensor.perExpert.at(static_cast<std::size_t>(element / each)), inside,
                          out.subspan(static_cast<std::size_t>(done), count));
      done += static_cast<std::int64_t>(count);
    }
  }
  if (tensor.isPlain()) return;
  if (tensor.permutedHeads > 0)
    restoreRows(
        out, static_cast<std::size_t>(columns), static_cast<std::size_t>(tensor.rowsTogether()),
        static_cast<std::size_t>(tensor.permutedRows > 0 ? tensor.permutedRows : tensor.rowsTogether()));
  if (tensor.layout == TensorLayout::Alternating && !tensor.liesAcross())
    gatherAlternating(out, static_cast<std::size_t>(tensor.shape.at(1)));
  for (float& value : out) value += tensor.offset;
  multiplyRows(out, static_cast<std::size_t>(columns), firstRow, tensor.scales);
}

void Model::readColumns(const BoundTensor& tensor, std::int64_t matrix, std::int64_t firstColumn,
                        std::span<float> out) const {
  const std::int64_t rows = tensor.shape.at(1);
  weights->readValues(tensor.info, (matrix * tensor.columns() + firstColumn) * rows, out);
  if (tensor.layout == TensorLayout::Alternating) gatherAlternating(out, static_cast<std::size_t>(rows));
}

void Model::readEmbeddingRow(std::int64_t token, std::span<float> out) const {
  if (token < 0 || token >= spec.vocabulary) {
    throw InputError(
        {path, "token", "an id from 0 to " + std::to_string(spec.vocabulary - 1), std::to_string(token)});
  }
  readFloat32Rows(*weights, embedding.info, token, 1, out);
}

std::optional<FolderFacts> readFolderFacts(const fs::path& path) {
  try {
    const ModelFiles files = modelFilesOf(path);
    if (!files.isGguf) return readFolderConfig(files.folder);
  } catch (const InputError&) {  // the native engine says what is wrong
  }
  return {};
}

void refuseWeightsNotFinite(const Model& model, bool output) {
  if (!model.weights) return;
  std::vector<float> values;
  const auto check = [&](const TensorInfo& tensor) {
    for (std::int64_t first = 0; first < tensor.elements(); first += std::ssize(values)) {
      values.resize(static_cast<std::size_t>(std::min<std::int64_t>(1 << 20, tensor.elements() - first)));
      model.weights->readValues(tensor, first, values);
      const auto wrong = std::ranges::find_if_not(values, [](float value) { return std::isfinite(value); });
      if (wrong == values.end()) continue;
      throw InputError({tensor.file, "tensor " + sanitized(tensor.name), "finite numbers",
                        std::string(std::isnan(*wrong) ? "NaN" : "infinity") +
                            ": the weights are damaged, download or convert them again"});
    }
  };
  const auto checkAll = [&](const std::map<TensorRole, BoundTensor>& parts) {
    for (const auto& [role, part] : parts) {
      for (const TensorInfo& expert : part.perExpert) check(expert);
      if (part.perExpert.empty()) check(part.info);
    }
  };
  for (const auto& layer : model.layers) checkAll(layer);
  checkAll(model.besideLayers);
  check(model.embedding.info);
  if (!output) return;
  const OutputHead head = outputHeadOf(model);
  for (const auto& part : {head.norm, head.normBias, std::optional(head.matrix), head.matrixBias})
    if (part) check(part->info);
}

ModelSpec readModelSpec(const fs::path& path) {
  const ModelFiles files = modelFilesOf(path);
  return buildSpec(files.isGguf ? readGgufConfig(*openGguf(files.weights)) : readHfConfig(files.folder),
                   nullptr);
}

std::shared_ptr<const Model> openModel(const fs::path& path, const JsonValue& ropeOverride,
                                       bool followLinks) {
  auto model = std::make_shared<Model>();
  const ModelFiles files = modelFilesOf(path);
  const Architecture* architecture = nullptr;
  if (files.isGguf) {
    const auto file = openGguf(files.weights);
    const ModelConfig config = readGgufConfig(*file);
    architecture = config.architecture;
    model->path = file->path();
    model->weights = file;
    model->spec = buildSpec(config, ropeOverride);
  } else {
    const ModelConfig config = readHfConfig(files.folder);
    architecture = config.architecture;
    model->path = path;
    model->spec = buildSpec(config, ropeOverride);
    model->weights = withQuantisation(openTensors(files.weights, followLinks), config.quantisation,
                                      files.folder / "config.json");
  }
  bindWeights(*architecture, files.isGguf, *model);
  model->fingerprint = sha256Hex(canonicalJson(model->spec.config) + "\n" + model->weights->directoryText());
  model->weightTypes = typesText(*model->weights);
  for (const TensorInfo& tensor : model->weights->tensors()) {
    model->weightBytes += tensor.bytes;
    model->parameters += tensor.elements();
  }
  return model;
}

// ---- Output head

namespace {

// A tensor with one of these names beside the layers or, with `outwards`, at outer levels:
// "model.language_model.lm_head.weight", "model.lm_head.weight", "lm_head.weight".
const TensorInfo* tensorNamed(const Model& model, const std::vector<std::string>& names, bool outwards) {
  for (const std::string& name : names) {
    for (std::string prefix = model.root;; prefix.erase(prefix.find_last_of('.', prefix.size() - 2) + 1)) {
      if (const TensorInfo* tensor = model.weights->find(prefix + name)) return tensor;
      if (prefix.empty() || !outwards) break;
    }
  }
  return nullptr;
}

BoundTensor bound(const Model& model, const TensorInfo* tensor, const std::string& name,
                  const std::vector<std::int64_t>& shape) {
  const auto shapeText = [](const std::vector<std::int64_t>& sizes) {
    return "[" + joined(sizes, [](std::int64_t size) { return std::to_string(size); }) + "]";
  };
  if (tensor == nullptr)
    throw InputError({model.path, name, "the weights of the model's output, for --loss", "none"});
  if (tensor->shape != shape)
    throw InputError({model.path, tensor->name, shapeText(shape), shapeText(tensor->shape)});
  if (tensor->unread) throw InputError(*tensor->unread);
  BoundTensor result;
  result.info = *tensor;
  return result;
}

// Offset of the family's norm weights (1 for norms stored as w - 1).
float offsetOfNorms(const Model& model) {
  for (const auto& layer : model.layers) {
    for (const TensorRole role : {TensorRole::InputNorm, TensorRole::AttentionOutputNorm}) {
      if (const auto norm = layer.find(role); norm != layer.end()) return norm->second.offset;
    }
  }
  return 0;
}

}  // namespace

const TensorInfo* outputMatrixOf(const Model& model) {
  return tensorNamed(model, {"lm_head.weight", "embed_out.weight", "output.weight"}, true);
}

OutputHead outputHeadOf(const Model& model) {
  const ModelSpec& spec = model.spec;
  const auto norm = [&](const char* ending) -> std::vector<std::string> {
    return {std::string("norm.") + ending, std::string("final_layernorm.") + ending,
            std::string("final_layer_norm.") + ending, std::string("output_norm.") + ending,
            std::string("embedding_norm.") + ending,   std::string("token_embd_norm.") + ending};
  };
  OutputHead head;
  if (!spec.norm.weightless) {
    head.norm =
        bound(model, tensorNamed(model, norm("weight"), false), model.root + "norm.weight", {spec.hidden});
    head.norm->offset = offsetOfNorms(model);
  }
  if (const TensorInfo* bias = tensorNamed(model, norm("bias"), false))
    head.normBias = bound(model, bias, bias->name, {spec.hidden});
  const TensorInfo* matrix = outputMatrixOf(model);
  if (spec.tiedEmbeddings || matrix == nullptr) {
    if (!spec.tiedEmbeddings) bound(model, nullptr, "lm_head.weight", {});
    head.matrix = model.embedding;
  } else {
    head.matrix = bound(model, matrix, matrix->name, {spec.vocabulary, spec.hidden});
    if (const TensorInfo* bias = tensorNamed(model, {"lm_head.bias", "output.bias"}, true))
      head.matrixBias = bound(model, bias, bias->name, {spec.vocabulary});
  }
  return head;
}

}  // namespace plastiscope
