#include "core/model/output_head.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/base/error.h"
#include "core/base/joined.h"

namespace plastiscope {

namespace {

// The tensor whose name is, or after any prefix ends with, one of these.
const TensorInfo* tensorNamed(const Model& model, const std::vector<std::string>& names, bool anyPrefix) {
  for (const std::string& name : names) {
    if (const TensorInfo* tensor = model.weights->find(name)) return tensor;
    if (!anyPrefix) continue;
    const auto& all = model.weights->tensors();
    const auto found = std::ranges::find_if(
        all, [&](const TensorInfo& tensor) { return tensor.name.ends_with("." + name); });
    if (found != all.end()) return &*found;
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
  BoundTensor result;
  result.info = *tensor;
  return result;
}

// What families add to the weights of their norms, which files hold less one.
float offsetOfNorms(const Model& model) {
  for (const auto& layer : model.layers) {
    for (const TensorRole role : {TensorRole::InputNorm, TensorRole::AttentionOutputNorm}) {
      if (const auto norm = layer.find(role); norm != layer.end()) return norm->second.offset;
    }
  }
  return 0;
}

}  // namespace

OutputHead outputHeadOf(const Model& model) {
  const ModelSpec& spec = model.spec;
  const std::string& embedding = model.embedding.info.name;
  // What stands before the names of tensors that are no layer's.
  const std::string root = embedding.substr(0, embedding.rfind('.', embedding.rfind(".weight") - 1) + 1);
  const auto norm = [&](const char* ending) -> std::vector<std::string> {
    return {root + "norm." + ending, root + "final_layernorm." + ending,
            std::string("output_norm.") + ending};
  };
  OutputHead head;
  head.norm = bound(model, tensorNamed(model, norm("weight"), false), root + "norm.weight", {spec.hidden});
  head.norm.offset = offsetOfNorms(model);
  if (const TensorInfo* bias = tensorNamed(model, norm("bias"), false))
    head.normBias = bound(model, bias, bias->name, {spec.hidden});
  const TensorInfo* matrix = tensorNamed(model, {"lm_head.weight", "output.weight"}, true);
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
