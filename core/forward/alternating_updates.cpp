#include "core/forward/alternating_updates.h"

#include <ATen/ops/addcmul.h>
#include <ATen/ops/baddbmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/linear.h>

#include "core/forward/row_blocks.h"

namespace plastiscope {

AltUp::AltUp(const ModelSpec& spec, LayerReader& reader, bool corrects)
    : m_spec(spec),
      m_routerNorm(reader.norm(TensorRole::AltUpRouterNorm)),
      m_router(reader.tensor(TensorRole::AltUpRouter)),
      m_prediction(reader.tensor(TensorRole::AltUpPrediction)) {
  if (!corrects) return;
  m_correction = reader.tensor(TensorRole::AltUpCorrection);
  m_outputScale = reader.tensor(TensorRole::AltUpOutputScale);
}

// Scores of a stream from -1 to 1: [rows, streams].
at::Tensor AltUp::routed(const at::Tensor& stream) const {
  const at::Tensor input =
      normalised(stream, m_routerNorm, m_spec.norm).mul_(1 / static_cast<double>(m_spec.hidden));
  return at::linear(input, m_router).to(at::kFloat).tanh_().to(stream.scalar_type());
}

at::Tensor AltUp::predicted(const at::Tensor& rows) const {
  const std::int64_t count = m_spec.altUp.streams;
  const at::Tensor streams = rows.unflatten(1, {count, m_spec.hidden});
  const at::Tensor shares = at::linear(routed(active(streams)), m_prediction).unflatten(1, {count, count});
  return at::baddbmm(streams, shares, streams);
}

at::Tensor AltUp::corrected(const at::Tensor& predictions, const at::Tensor& output) const {
  const at::Tensor change = output.sub(active(predictions));
  const at::Tensor shares = at::linear(routed(output), m_correction).add_(1);
  return at::addcmul(predictions, shares.unsqueeze(2), change.unsqueeze(1));
}

at::Tensor AltUp::scaledActive(const at::Tensor& streams) const {
  return m_outputScale.defined() ? active(streams).mul(m_outputScale) : active(streams);
}

namespace {

// x in float32, scaled to the root mean square of `like`, row by row.
at::Tensor asLargeAs(const at::Tensor& like, const at::Tensor& x) {
  constexpr double kLeast = 1e-5;
  const auto meanSquare = [](const at::Tensor& rows) {
    return rows.to(at::kFloat).square().mean(-1, /*keepdim=*/true);
  };
  return x.mul(meanSquare(like).div_(meanSquare(x).clamp_min_(kLeast)).sqrt_());
}

}  // namespace

StreamProjections::StreamProjections(const Model& model, TensorRole role, const Compute& compute) {
  const BoundTensor& tensor = model.besideLayers.at(role);
  const at::Tensor wide = at::empty(tensor.shape, at::kFloat);
  model.read(tensor, floatsOf(wide));
  m_matrices = wide.to(compute.device, compute.dtype);
}

at::Tensor StreamProjections::spread(const at::Tensor& embeddings) const {
  const std::int64_t rows = embeddings.size(0), others = m_matrices.size(0);
  const at::Tensor all = at::empty({rows, others + 1, embeddings.size(1)}, embeddings.options());
  forRowBlocks(embeddings.device(), rows, [&](std::int64_t first, std::int64_t count) {
    const at::Tensor own = embeddings.narrow(0, first, count), place = all.narrow(0, first, count);
    place.select(1, 0).copy_(own);
    for (std::int64_t i = 0; i < others; ++i)
      place.select(1, i + 1).copy_(asLargeAs(own, at::linear(own, m_matrices[i])));
  });
  return all.flatten(1);
}

at::Tensor StreamProjections::merged(const at::Tensor& rows) const {
  const std::int64_t others = m_matrices.size(0);
  const at::Tensor streams = rows.unflatten(1, {others + 1, -1}), own = streams.select(1, 0);
  const at::Tensor sum = own.to(at::kFloat, /*non_blocking=*/false, /*copy=*/true);
  for (std::int64_t i = 0; i < others; ++i)
    sum.add_(asLargeAs(own, at::linear(streams.select(1, i + 1), m_matrices[i])));
  return sum.div_(others + 1).to(rows.scalar_type());
}

}  // namespace plastiscope
