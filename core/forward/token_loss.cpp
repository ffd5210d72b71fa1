#include "core/forward/token_loss.h"

#include <ATen/ops/cat.h>
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
  // [rows] for ranks, or undefined: the next token's score float32, and the number of higher ones int32
  at::Tensor own = {}, above = {};

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
    if (!own.defined()) return;
    const at::Tensor higher = scores.gt(part(own).unsqueeze(1)).sum(1, false, at::kInt);
    part(above).add_(higher).sub_(found.gt(part(own)).logical_and_(here).to(at::kInt));
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

// What the output computes for rows of a text: the next token's negative log-likelihood and, if wanted, rank.
class OutputScores {
 public:
  // hidden [rows, ModelSpec::stateWidth()]; came [rows]: the tokens that follow.
  OutputScores(const Model& model, const Compute& compute, const at::Tensor& hidden,
               const std::vector<std::int32_t>& came, const std::function<void()>& checkpoint)
      : m_model(model),
        m_compute(compute),
        m_output(outputHeadOf(model)),
        m_options(at::TensorOptions(compute.device).dtype(compute.dtype)),
        m_came(came),
        m_checkpoint(checkpoint),
        m_normed(at::empty({hidden.size(0), model.spec.hidden}, m_options)) {
    const ModelSpec& spec = model.spec;
    const auto normOptions = m_options.dtype(spec.norm.computeInFloat32 ? at::kFloat : compute.dtype);
    NormWeights norm;
    if (m_output.norm) norm.weight = wholeTensor(model, *m_output.norm, normOptions);
    if (m_output.normBias) norm.bias = wholeTensor(model, *m_output.normBias, normOptions);
    if (m_output.matrixBias) m_bias = wholeTensor(model, *m_output.matrixBias, m_options.dtype(at::kFloat));
    std::optional<StreamProjections> streams;
    if (spec.altUp.streams > 0) streams.emplace(model, TensorRole::AltUpUnprojection, compute);
    forRows([&](std::int64_t row, std::int64_t count) {
      const at::Tensor states = hidden.narrow(0, row, count);
      const at::Tensor last = streams ? streams->merged(states) : states;
      m_normed.narrow(0, row, count).copy_(normalised(last, norm, spec.norm));
    });
  }

  // `ranks`: receives 1 + the number of tokens with a higher score, if it is not null.
  std::vector<float> losses(std::vector<std::int32_t>* ranks = nullptr) const {
    const std::int64_t rows = std::ssize(m_came);
    const std::vector<std::int64_t> next(m_came.begin(), m_came.end());
    const at::Tensor came = at::tensor(next, at::kLong).to(m_compute.device);
    RunningSoftmax softmax(rows, m_options);
    if (ranks != nullptr) {
      softmax.own = ownScores();
      softmax.above = at::zeros({rows}, m_options.dtype(at::kInt));
    }
    for (std::int64_t first = 0; first < m_model.spec.vocabulary; first += kHeadRows) {
      m_checkpoint();
      const std::int64_t entries = std::min(kHeadRows, m_model.spec.vocabulary - first);
      Linear head(matrixRows(m_model, m_output.matrix, m_compute, first, entries), {});
      head.pack();
      const at::Tensor bias = m_bias.defined() ? m_bias.narrow(0, first, entries) : m_bias;
      forRows([&](std::int64_t row, std::int64_t count) {
        softmax.add(row, first, scores(head, bias, row, count), came.narrow(0, row, count));
      });
    }
    m_model.weights->dropPageCache(m_output.matrix.info);
    if (ranks != nullptr) {
      const at::Tensor here = softmax.above.cpu();
      const auto* above = here.const_data_ptr<std::int32_t>();
      for (std::int64_t row = 0; row < rows; ++row) ranks->push_back(1 + above[row]);
    }
    const at::Tensor found = softmax.losses().to(at::kCPU, at::kFloat);
    return {found.const_data_ptr<float>(), found.const_data_ptr<float>() + rows};
  }

 private:
  void forRows(const std::function<void(std::int64_t, std::int64_t)>& work) const {
    const std::int64_t rows = m_normed.size(0);
    for (std::int64_t begin = 0; begin < rows; begin += kLossRows) {
      forRowBlocks(m_compute.device, std::min(kLossRows, rows - begin),
                   [&](std::int64_t at, std::int64_t count) { work(begin + at, count); });
    }
  }

  // Scores of the entries of `head`: [count, entries] float32.
  at::Tensor scores(const Linear& head, const at::Tensor& bias, std::int64_t row, std::int64_t count) const {
    const ModelSpec& spec = m_model.spec;
    at::Tensor all = head.times(m_normed.narrow(0, row, count)).to(at::kFloat);
    if (bias.defined()) all.add_(bias);
    if (spec.logitScale != 1) all.mul_(spec.logitScale);
    if (spec.logitSoftcap > 0) all.div_(spec.logitSoftcap).tanh_().mul_(spec.logitSoftcap);
    return all;
  }

  // The score of each row's next token: [rows] float32.
  at::Tensor ownScores() const {
    std::vector<std::int64_t> distinct(m_came.begin(), m_came.end());
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<at::Tensor> matrix;
    for (const std::int64_t token : distinct)
      matrix.push_back(matrixRows(m_model, m_output.matrix, m_compute, token, 1));
    const Linear head(at::cat(matrix), {});
    const at::Tensor tokens = at::tensor(distinct, at::kLong).to(m_compute.device);
    const at::Tensor bias = m_bias.defined() ? m_bias.index_select(0, tokens) : m_bias;
    std::vector<std::int64_t> places;
    for (const std::int32_t token : m_came)
      places.push_back(std::ranges::lower_bound(distinct, std::int64_t{token}) - distinct.begin());
    const at::Tensor column = at::tensor(places, at::kLong).to(m_compute.device).unsqueeze(1);
    const at::Tensor own = at::empty({std::ssize(m_came)}, m_options.dtype(at::kFloat));
    forRows([&](std::int64_t row, std::int64_t count) {
      const at::Tensor all = scores(head, bias, row, count);
      own.narrow(0, row, count).copy_(all.gather(1, column.narrow(0, row, count)).squeeze(1));
    });
    return own;
  }

  const Model& m_model;
  const Compute& m_compute;
  OutputHead m_output;
  at::TensorOptions m_options;
  std::vector<std::int32_t> m_came;
  const std::function<void()>& m_checkpoint;
  at::Tensor m_normed;  // [rows, hidden]
  at::Tensor m_bias;
};

}  // namespace

std::vector<float> tokenLosses(const Model& model, const Compute& compute, const at::Tensor& hidden,
                               const std::vector<std::int32_t>& tokens,
                               const std::function<void()>& checkpoint) {
  std::vector<float> losses(tokens.size(), std::numeric_limits<float>::quiet_NaN());
  const std::int64_t rows = std::ssize(tokens) - 1;
  if (rows <= 0) return losses;
  const OutputScores output(model, compute, hidden.narrow(0, 0, rows), {tokens.begin() + 1, tokens.end()},
                            checkpoint);
  std::ranges::copy(output.losses(), losses.begin() + 1);
  return losses;
}

std::vector<TokenOutcome> tokenOutcomes(const Model& model, const Compute& compute, const at::Tensor& hidden,
                                        const std::vector<std::int32_t>& tokens,
                                        const std::vector<std::int32_t>& positions,
                                        const std::function<void()>& checkpoint) {
  if (positions.empty()) return {};
  std::vector<std::int32_t> came, before;
  for (const std::int32_t position : positions) {
    came.push_back(tokens.at(static_cast<std::size_t>(position)));
    before.push_back(position - 1);
  }
  const OutputScores output(model, compute, ReadRows::list(before).rowsOf(hidden), came, checkpoint);
  std::vector<std::int32_t> ranks;
  const std::vector<float> losses = output.losses(&ranks);
  std::vector<TokenOutcome> outcomes(positions.size());
  for (std::size_t i = 0; i < outcomes.size(); ++i) outcomes[i] = {losses[i], ranks[i]};
  return outcomes;
}

}  // namespace plastiscope
