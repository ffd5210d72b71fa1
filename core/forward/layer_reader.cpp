#include "core/forward/layer_reader.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>

#include "core/forward/row_blocks.h"

namespace plastiscope {

std::span<float> floatsOf(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

namespace {

// True when the bytes of the file are the numbers of the compute type, in the right order.
bool isStoredAs(const BoundTensor& tensor, c10::ScalarType dtype) {
  if (!tensor.isPlain() || !tensor.perExpert.empty()) return false;
  return (tensor.info.type == TensorType::BF16 && dtype == at::kBFloat16) ||
         (tensor.info.type == TensorType::F16 && dtype == at::kHalf);
}

void dropPageCache(const Model& model, const BoundTensor& tensor) {
  if (tensor.perExpert.empty()) model.weights->dropPageCache(tensor.info);
  for (const TensorInfo& one : tensor.perExpert) model.weights->dropPageCache(one);
}

std::int64_t elementsOf(const std::vector<std::int64_t>& shape) {
  std::int64_t elements = 1;
  for (const auto size : shape) elements *= size;
  return elements;
}

}  // namespace

LayerReader::LayerReader(const Model& model, std::int64_t layer, const Compute& compute)
    : m_model(model),
      m_tensors(model.layers.at(static_cast<std::size_t>(layer))),
      m_options(at::TensorOptions(compute.device).dtype(compute.dtype)),
      m_normType(model.spec.norm.computeInFloat32 ? at::kFloat : compute.dtype) {}

const BoundTensor* LayerReader::find(TensorRole role) const {
  const auto found = m_tensors.find(role);
  return found == m_tensors.end() ? nullptr : &found->second;
}

at::Tensor LayerReader::floats(TensorRole role) {
  const BoundTensor* tensor = find(role);
  if (tensor == nullptr) return {};
  m_parts.push_back({tensor, at::empty(tensor->shape, m_options.dtype(at::kFloat))});
  return m_parts.back().target;
}

NormWeights LayerReader::norm(TensorRole weight, TensorRole bias) {
  NormWeights norm = this->norm(weight);
  const BoundTensor* tensor = find(bias);
  if (tensor == nullptr) return norm;
  norm.bias = at::empty(tensor->shape, m_options.dtype(m_normType));
  m_parts.push_back({tensor, norm.bias});
  return norm;
}

NormWeights LayerReader::norm(TensorRole weight) {
  const BoundTensor* tensor = find(weight);
  if (tensor == nullptr) return {};
  m_parts.push_back({tensor, at::empty(tensor->shape, m_options.dtype(m_normType))});
  return {m_parts.back().target, {}};
}

at::Tensor LayerReader::firstRows(TensorRole role, std::int64_t rows) {
  const BoundTensor* tensor = find(role);
  if (tensor == nullptr) return {};
  std::vector<std::int64_t> shape = tensor->shape;
  shape[0] = rows;
  m_parts.push_back({tensor, at::empty(shape, m_options)});
  return m_parts.back().target;
}

at::Tensor LayerReader::stacked(const std::vector<TensorRole>& roles, const std::vector<std::int64_t>& rows) {
  std::vector<std::int64_t> shape, counts;
  std::size_t axis = 0;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const BoundTensor* tensor = find(roles[i]);
    counts.push_back(rows.empty() ? 0 : rows[i]);
    if (tensor == nullptr) continue;
    axis = roles[i] >= TensorRole::ExpertGate && roles[i] <= TensorRole::ExpertDownBias ? 1 : 0;
    shape = tensor->shape;
    counts.back() = tensor->shape.at(axis);
  }
  if (shape.empty()) return {};
  shape[axis] = 0;
  for (const auto count : counts) shape[axis] += count;
  at::Tensor whole = at::empty(shape, m_options);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const at::Tensor part = whole.narrow(static_cast<std::int64_t>(axis), first, counts[i]);
    const BoundTensor* tensor = find(roles[i]);
    if (tensor != nullptr) {
      m_parts.push_back({tensor, part});
    } else {
      part.zero_();
    }
    first += counts[i];
  }
  return whole;
}

void LayerReader::read(const Part& part) const {
  const BoundTensor& tensor = *part.tensor;
  const at::Tensor& target = part.target;
  const std::int64_t elements = elementsOf(tensor.shape);
  const bool whole = target.numel() == elements;
  const bool direct = target.device().is_cpu() && target.is_contiguous();
  if (direct && isStoredAs(tensor, target.scalar_type())) {
    const auto bytes = std::min<std::size_t>(tensor.info.bytes, target.nbytes());
    m_model.weights->readBytes(tensor.info, 0, {static_cast<std::byte*>(target.data_ptr()), bytes});
  } else if (direct && whole && target.scalar_type() == at::kFloat) {
    m_model.read(tensor, floatsOf(target));
  } else {
    const at::Tensor wide = at::empty(tensor.shape, at::kFloat);
    m_model.read(tensor, floatsOf(wide));
    target.copy_(whole ? wide : wide.narrow(0, 0, target.size(0)));
  }
  dropPageCache(m_model, tensor);
}

void LayerReader::readAll() {
  forEachInParallel(static_cast<std::int64_t>(m_parts.size()),
                    [&](std::int64_t i) { read(m_parts[static_cast<std::size_t>(i)]); });
}

}  // namespace plastiscope
