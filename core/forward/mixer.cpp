#include "core/forward/mixer.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

namespace plastiscope {

namespace {

// Index range of the ascending positions that lie in [first, first + rows).
std::pair<std::size_t, std::size_t> rangeIn(const std::vector<std::int32_t>& positions, std::int64_t first,
                                            std::int64_t rows) {
  const auto begin = std::lower_bound(positions.begin(), positions.end(), first);
  const auto end = std::lower_bound(begin, positions.end(), first + rows);
  return {static_cast<std::size_t>(begin - positions.begin()),
          static_cast<std::size_t>(end - positions.begin())};
}

at::Tensor indexTensor(const std::vector<std::int64_t>& values, const at::Device& device) {
  return at::tensor(values, at::kLong).to(device, /*non_blocking=*/true);
}

}  // namespace

ChunkRows ChunkRows::all(std::int64_t first, std::int64_t rows) {
  const ReadRows run = ReadRows::run(first, rows);
  return {first, rows, run, run, run};
}

OperandRows::OperandRows(QkSink& sink, std::int64_t layer, const TokenSequence& sequence,
                         std::int64_t headDim, const c10::Device& device)
    : m_layer(layer), m_example(sequence.example), m_device(device) {
  std::vector<std::int32_t> every(sequence.tokens.size());
  std::iota(every.begin(), every.end(), 0);
  for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    const auto heads = sink.heads(layer, kind), dense = sink.denseHeads(layer, kind);
    for (const auto point : {CapturePoint::PreRope, CapturePoint::PostRope}) {
      if (!heads.empty() && sink.wants(point))
        want({kind, point, false, heads, sink.positions(layer, kind, sequence.example)}, headDim);
      if (!dense.empty() && sink.wantsDense(point)) want({kind, point, true, dense, every}, headDim);
    }
  }
}

void OperandRows::want(Wanted wanted, std::int64_t headDim) {
  if (wanted.positions.empty()) return;
  const std::vector<std::int64_t> shape{std::ssize(wanted.heads), std::ssize(wanted.positions), headDim};
  wanted.vectors = at::empty(shape, at::TensorOptions(m_device).dtype(at::kFloat));
  wanted.missing = shape[1];
  m_wanted.push_back(std::move(wanted));
}

bool OperandRows::wants(QueryOrKey kind, CapturePoint point, std::int64_t first, std::int64_t rows) const {
  return std::ranges::any_of(m_wanted, [&](const Wanted& wanted) {
    const auto [begin, end] = rangeIn(wanted.positions, first, rows);
    return wanted.kind == kind && wanted.point == point && begin < end;
  });
}

void OperandRows::collect(QueryOrKey kind, CapturePoint point, const ReadRows& rows,
                          const at::Tensor& vectors) {
  if (rows.count() == 0) return;
  for (Wanted& wanted : m_wanted) {
    if (wanted.kind == kind && wanted.point == point) collect(wanted, rows, vectors);
  }
}

void OperandRows::collect(Wanted& wanted, const ReadRows& rows, const at::Tensor& vectors) const {
  const std::int64_t first = rows[0], last = rows[rows.count() - 1];
  const auto [begin, end] = rangeIn(wanted.positions, first, last + 1 - first);
  const std::span<const std::int32_t> between(wanted.positions.data() + begin, end - begin);
  std::vector<std::int32_t> positions;
  std::vector<std::int64_t> places;  // their indices among the wanted ones
  for (std::size_t i = 0; i < between.size(); ++i) {
    if (!rows.isRun() && !std::ranges::binary_search(rows.listed(), between[i])) continue;
    positions.push_back(between[i]);
    places.push_back(static_cast<std::int64_t>(begin + i));
  }
  if (positions.empty()) return;
  const std::vector<std::int64_t> heads(wanted.heads.begin(), wanted.heads.end());
  const at::Tensor chosen = vectors.index_select(0, indexTensor(rows.placesOf(positions), vectors.device()))
                                .index_select(1, indexTensor(heads, vectors.device()))
                                .transpose(0, 1);
  if (positions.size() == between.size())
    wanted.vectors.narrow(1, places.front(), std::ssize(places)).copy_(chosen);
  else
    wanted.vectors.index_copy_(1, indexTensor(places, wanted.vectors.device()), chosen.to(at::kFloat));
  wanted.missing -= std::ssize(places);
  if (wanted.missing == 0 && !m_device.is_cpu()) send(wanted);
}

// Copies to the host while the GPU continues with the layer.
void OperandRows::send(Wanted& wanted) const {
  wanted.onHost =
      at::empty(wanted.vectors.sizes(), wanted.vectors.options().device(at::kCPU).pinned_memory(true));
  wanted.onHost.copy_(wanted.vectors, /*non_blocking=*/true);
  wanted.sent.emplace(m_device.type());
  wanted.sent->record(c10::impl::VirtualGuardImpl(m_device.type()).getStream(m_device));
}

NamedTensors OperandRows::collected(std::int64_t row) const {
  NamedTensors all;
  for (const Wanted& wanted : m_wanted) {
    const auto count = static_cast<std::int64_t>(rangeIn(wanted.positions, 0, row).second);
    all.emplace_back((wanted.dense ? "dense_" : "") + std::string(nameOf(wanted.kind)) + "/" +
                         std::string(nameOf(wanted.point)),
                     wanted.vectors.narrow(1, 0, count));
  }
  return all;
}

void OperandRows::deliver(QkSink& sink) const {
  for (const auto& wanted : m_wanted) {
    if (wanted.sent) wanted.sent->synchronize();
    const at::Tensor here = wanted.sent ? wanted.onHost : wanted.vectors.cpu();
    const std::span<const float> vectors(here.data_ptr<float>(), static_cast<std::size_t>(here.numel()));
    if (wanted.dense)
      sink.takeDense(m_layer, wanted.kind, m_example, vectors);
    else
      sink.take(m_layer, wanted.kind, wanted.point, m_example, vectors);
  }
}

}  // namespace plastiscope
