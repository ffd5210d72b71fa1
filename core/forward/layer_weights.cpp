#include "core/forward/layer_weights.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <cstring>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

std::span<float> floatsOf(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

// True when the bytes of the file are the numbers of the compute type, in the right order.
bool isStoredAs(const BoundTensor& tensor, c10::ScalarType dtype) {
  if (tensor.permutedHeads > 0) return false;
  return (tensor.info.type == TensorType::BF16 && dtype == at::kBFloat16) ||
         (tensor.info.type == TensorType::F16 && dtype == at::kHalf);
}

void readInto(const Model& model, const BoundTensor& tensor, const at::Tensor& target) {
  if (target.device().is_cpu() && isStoredAs(tensor, target.scalar_type()) &&
      tensor.info.bytes == target.nbytes()) {
    model.weights->readBytes(tensor.info, 0, {static_cast<std::byte*>(target.data_ptr()), target.nbytes()});
  } else if (target.device().is_cpu() && target.scalar_type() == at::kFloat) {
    model.read(tensor, floatsOf(target));
  } else {
    const at::Tensor wide = at::empty(target.sizes(), at::kFloat);
    model.read(tensor, floatsOf(wide));
    target.copy_(wide);
  }
  model.weights->forget(tensor.info);
}

// Collects what is to be read, then reads it with all threads.
class LayerReader {
 public:
  LayerReader(const Model& model, std::int64_t layer, const Compute& compute)
      : m_model(model),
        m_tensors(model.layers.at(static_cast<std::size_t>(layer))),
        m_options(at::TensorOptions(compute.device).dtype(compute.dtype)) {}

  at::Tensor vector(TensorRole role) { return stacked({role}, {}); }

  // The tensors of these roles one below the other. Absent ones are left out when `rows` is empty; otherwise
  // they are zeros of that many rows, and the result is undefined when all are absent.
  at::Tensor stacked(const std::vector<TensorRole>& roles, const std::vector<std::int64_t>& rows) {
    std::vector<std::int64_t> shape{0}, counts;
    bool any = false;
    for (std::size_t i = 0; i < roles.size(); ++i) {
      const BoundTensor* tensor = find(roles[i]);
      counts.push_back(rows.empty() ? 0 : rows[i]);
      if (tensor != nullptr) {
        any = true;
        counts.back() = tensor->info.shape.at(0);
        shape.resize(1);
        shape.insert(shape.end(), tensor->info.shape.begin() + 1, tensor->info.shape.end());
      }
      shape[0] += counts.back();
    }
    if (!any) return {};
    at::Tensor whole = at::empty(shape, m_options);
    std::int64_t first = 0;
    for (std::size_t i = 0; i < roles.size(); ++i) {
      const at::Tensor part = whole.narrow(0, first, counts[i]);
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

  void readAll() {
    forEachInParallel(static_cast<std::int64_t>(m_parts.size()), [&](std::int64_t i) {
      const auto& part = m_parts[static_cast<std::size_t>(i)];
      readInto(m_model, *part.tensor, part.target);
    });
  }

 private:
  const BoundTensor* find(TensorRole role) const {
    const auto found = m_tensors.find(role);
    return found == m_tensors.end() ? nullptr : &found->second;
  }

  struct Part {
    const BoundTensor* tensor;
    at::Tensor target;
  };
  const Model& m_model;
  const std::map<TensorRole, BoundTensor>& m_tensors;
  at::TensorOptions m_options;
  std::vector<Part> m_parts;
};

}  // namespace

LayerWeights loadLayer(const Model& model, std::int64_t layer, const Compute& compute, bool operandsOnly) {
  using enum TensorRole;
  const ModelSpec& spec = model.spec;
  const std::int64_t queryRows = spec.queryHeads * spec.headDim, keyRows = spec.keyHeads * spec.headDim;
  LayerReader reader(model, layer, compute);
  LayerWeights weights;
  weights.inputNorm = reader.vector(InputNorm);
  if (operandsOnly) {
    weights.operands = reader.stacked({Query, Key}, {});
    weights.operandsBias = reader.stacked({QueryBias, KeyBias}, {queryRows, keyRows});
  } else {
    weights.operands = reader.stacked({Query, Key, Value}, {});
    weights.operandsBias = reader.stacked({QueryBias, KeyBias, ValueBias}, {queryRows, keyRows, keyRows});
    weights.output = reader.vector(Output);
    weights.outputBias = reader.vector(OutputBias);
    weights.postAttentionNorm = reader.vector(PostAttentionNorm);
    weights.mlp.gateUp = reader.stacked({Gate, Up}, {});
    weights.mlp.gateUpBias = reader.stacked({GateBias, UpBias}, {spec.intermediate, spec.intermediate});
    weights.mlp.down = reader.vector(Down);
    weights.mlp.downBias = reader.vector(DownBias);
  }
  reader.readAll();
  return weights;
}

at::Tensor embed(const Model& model, const std::vector<std::int32_t>& tokens, const Compute& compute) {
  const auto count = static_cast<std::int64_t>(tokens.size());
  for (const auto token : tokens) {
    if (token < 0 || token >= model.spec.vocabulary) {
      throw InputError("token " + std::to_string(token) + " is outside the model's vocabulary of " +
                       withCommas(model.spec.vocabulary));
    }
  }
  const at::Tensor rows = at::empty({count, model.spec.hidden}, compute.dtype);
  forRowBlocks(at::kCPU, count, [&](std::int64_t first, std::int64_t blockRows) {
    const at::Tensor wide = at::empty({blockRows, model.spec.hidden}, at::kFloat);
    for (std::int64_t i = 0; i < blockRows; ++i) {
      model.readEmbeddingRow(tokens[static_cast<std::size_t>(first + i)], floatsOf(wide.select(0, i)));
    }
    rows.narrow(0, first, blockRows).copy_(wide);
    model.weights->forget(model.embedding.info);  // a long text touches most of it
  });
  return rows.to(compute.device);
}

}  // namespace plastiscope
