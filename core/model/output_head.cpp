#include "core/model/output_head.h"

#include <algorithm>
#include <vector>

#include "core/base/error.h"
#include "core/base/joined.h"

namespace plastiscope {

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
  return tensorNamed(model, {"lm_head.weight", "output.weight"}, true);
}

OutputHead outputHeadOf(const Model& model) {
  const ModelSpec& spec = model.spec;
  const auto norm = [&](const char* ending) -> std::vector<std::string> {
    return {std::string("norm.") + ending, std::string("final_layernorm.") + ending,
            std::string("output_norm.") + ending};
  };
  OutputHead head;
  head.norm =
      bound(model, tensorNamed(model, norm("weight"), false), model.root + "norm.weight", {spec.hidden});
  head.norm.offset = offsetOfNorms(model);
  if (const TensorInfo* bias = tensorNamed(model, norm("bias"), false))
    head.normBias = bound(model, bias, bias->name, {spec.hidden});
  const TensorInfo* matrix = outputMatrixOf(model);
  if (spec.tiedEmbeddings || matrix == nullptr) {
    if (!spec.tiedEmbeddings) bound(model, nullptr, "lm_head.weight", {});
    head.matrix = model.embedding;
  } else {
    head.matrix = bound(model, matrix, matrix->name, {spec.vocabulary, spec.hidden});
    if (const TensorInfo* bias = tensorNamed(model, {"lm_head.bias"}, true))
      head.matrixBias = bound(model, bias, bias->name, {spec.vocabulary});
  }
  return head;
}

}  // namespace plastiscope
