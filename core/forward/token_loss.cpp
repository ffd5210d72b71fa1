#include "core/forward/token_loss.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/maximum.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "core/forward/alternating_updates.h"
#include "core/forward/layer_parts.h"
#include "core/forward/layer_reader.h"
#include "core/forward/linear.h"
#include "core/forward/row_blocks.h"
#include "core/model/model.h"

namespace plastiscope {

namespace {

at::Tensor wholeTensor(const Model& model, const BoundTensor& tensor, const at::TensorOptions& options) {
  const at::Tensor wide = at::empty(tensor.info.shape, at::kFloat);
  model.read(tensor, floatsOf(wide));
  return wide.to(options.device(), options.dtype().toScalarType());
}

// Running softmax per row, over blocks of the vocabulary.
struct RunningSoftmax {
  at::Tensor highest, sum,
      wanted;  // [rows]: maximum float32; sum of exp(score - highest) and next token's score float64

  RunningSoftmax(std::int64_t rows, const at::TensorOptions& options)
      : highest(at::full({rows}, -std::numeric_limits<double>::infinity(), options.dtype(at::kFloat))),
        sum(at::zeros({rows}, options.dtype(at::kDouble))),
        wanted(at::zeros({rows}, options.dtype(at::kDouble))) {}

  // scores [count, entries] float32: rows from `row` on, vocabulary from `first` on; came [count] int64: the
  // next tokens.
  void add(std::int64_t row, std::int64_t first, const at::Tensor& scores, const at::Tensor& came) const {
    const auto part = [&](const at::Tensor& all) { return all.narrow(0, row, scores.size(0)); };
    const at::Tensor before = part(highest), now = at::maximum(before, scores.amax(1));
    const at::Tensor added = scores.sub(now.unsqueeze(1)).exp_().sum(1, false, at::kDouble);
    part(sum).mul_(before.sub(now).to(at::kDouble).exp_()).add_(added);
    before.copy_(now);
    const at::Tensor place = came.sub(first), here = place.ge(0).logical_and(place.lt(scores.size(1)));
    const at::Tensor found = scores.gather(1, place.clamp(0, scores.size(1) - 1).unsqueeze(1)).squeeze(1);
    part(wanted).copy_(at::where(here, found.to(at::kDouble), part(wanted)));
  }

  at::Tensor losses() const { return highest.to(at::kDouble).add_(sum.log()).sub_(wanted); }
};

// Rows of the output matrix in the compute type.
at::Tensor matrixRows(const Model& model, const BoundTensor& matrix, const Compute& compute,
                      std::int64_t first, std::int64_t count) {
  const std::int64_t hidden = model.spec.hidden, atOnce = std::max<std::int64_t>(1, kLoadedNumbers / hidden);
  const at::Tensor wide = at::empty({count, hidden}, at::kFloat),
                   rows = at::empty({count, hidden}, compute.dtype);
  forEachInParallel((count + atOnce - 1) / atOnce, [&](std::int64_t i) {
    const std::int64_t begin = i * atOnce, some = std::min(atOnce, count - begin);
    const at::Tensor piece = wide.narrow(0, begin, some);
    model.readRows(matrix, first + begin, floatsOf(piece));
    rows.narrow(0, begin, some).copy_(piece);
  });
  return rows.to(compute.device);
}

}  // namespace

std::vector<float> tokenLosses(const Model& model, const Compute& compute, const at::Tensor& hidden,
                               const std::vector<std::int32_t>& tokens,
                               const std::function<void()>& checkpoint) {
  const ModelSpec& spec = model.spec;
  std::vector<float> losses(tokens.size(), std::numeric_limits<float>::quiet_NaN());
  const std::int64_t rows = std::ssize(tokens) - 1;
  if (rows <= 0) return losses;
  const OutputHead output = outputHeadOf(model);
  const at::TensorOptions options = at::TensorOptions(compute.device).dtype(compute.dtype);
  const auto normOptions = options.dtype(spec.norm.computeInFloat32 ? at::kFloat : compute.dtype);
  NormWeights norm;
  if (output.norm) norm.weight = wholeTensor(model, *output.norm, normOptions);
  if (output.normBias) norm.bias = wholeTensor(model, *output.normBias, normOptions);
  const at::Tensor bias =
      output.matrixBias ? wholeTensor(model, *output.matrixBias, options.dtype(at::kFloat)) : at::Tensor();
  const at::Tensor came =
      at::tensor(std::vector<std::int64_t>(tokens.begin() + 1, tokens.end()), at::kLong).to(compute.device);
  std::optional<StreamProjections> streams;
  if (spec.altUp.streams > 0) streams.emplace(model, TensorRole::AltUpUnprojection, compute);
  const at::Tensor normed = at::empty({rows, spec.hidden}, options);
  const auto forRows = [&](const std::function<void(std::int64_t, std::int64_t)>& work) {
    for (std::int64_t begin = 0; begin < rows; begin += kLossRows) {
      forRowBlocks(compute.device, std::min(kLossRows, rows - begin),
                   [&](std::int64_t at, std::int64_t count) { work(begin + at, count); });
    }
  };
  forRows([&](std::int64_t row, std::int64_t count) {
    const at::Tensor states = hidden.narrow(0, row, count);
    const at::Tensor last = streams ? streams->merged(states) : states;
    normed.narrow(0, row, count).copy_(normalised(last, norm, spec.norm));
  });
  const RunningSoftmax softmax(rows, options);
  for (std::int64_t first = 0; first < spec.vocabulary; first += kHeadRows) {
    checkpoint();
    const std::int64_t entries = std::min(kHeadRows, spec.vocabulary - first);
    Linear head(matrixRows(model, output.matrix, compute, first, entries), {});
    head.pack();
    forRows([&](std::int64_t row, std::int64_t count) {
      at::Tensor scores = head.times(normed.narrow(0, row, count)).to(at::kFloat);
      if (bias.defined()) scores.add_(bias.narrow(0, first, entries));
      if (spec.logitScale != 1) scores.mul_(spec.logitScale);
      if (spec.logitSoftcap > 0) scores.div_(spec.logitSoftcap).tanh_().mul_(spec.logitSoftcap);
      softmax.add(row, first, scores, came.narrow(0, row, count));
    });
  }
  model.weights->dropPageCache(output.matrix.info);
  const at::Tensor found = softmax.losses().to(at::kCPU, at::kFloat);
  std::copy_n(found.const_data_ptr<float>(), rows, losses.begin() + 1);
  return losses;
}

}  // namespace plastiscope
