#include "core/forward/mixer.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <span>
#include <utility>

namespace plastiscope {

namespace {

// The part of ascending positions that lies in [first, first + rows), as indices into them.
std::pair<std::size_t, std::size_t> rangeIn(const std::vector<std::int32_t>& positions, std::int64_t first,
                                            std::int64_t rows) {
  const auto begin = std::lower_bound(positions.begin(), positions.end(), first);
  const auto end = std::lower_bound(begin, positions.end(), first + rows);
  return {static_cast<std::size_t>(begin - positions.begin()),
          static_cast<std::size_t>(end - positions.begin())};
}

at::Tensor indexTensor(const std::vector<std::int64_t>& values, const at::Device& device) {
  return at::tensor(values, at::kLong).to(device);
}

}  // namespace

ChunkRows ChunkRows::all(std::int64_t first, std::int64_t rows) {
  const RowChoice run = RowChoice::run(first, rows);
  return {first, rows, run, run, run};
}

OperandRows::OperandRows(QkSink& sink, std::int64_t layer, const TokenSequence& sequence,
                         std::int64_t headDim)
    : m_layer(layer), m_example(sequence.example) {
  for (const auto kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    const auto heads = sink.heads(layer, kind);
    if (heads.empty()) continue;
    const auto positions = sink.positions(layer, kind, sequence.example);
    if (positions.empty()) continue;
    for (const auto point : {CapturePoint::PreRope, CapturePoint::PostRope}) {
      if (!sink.wants(point)) continue;
      const std::vector<std::int64_t> shape{static_cast<std::int64_t>(heads.size()),
                                            static_cast<std::int64_t>(positions.size()), headDim};
      m_wanted.push_back({kind, point, heads, positions, at::empty(shape, at::kFloat)});
    }
  }
}

const OperandRows::Wanted* OperandRows::find(QueryOrKey kind, CapturePoint point) const {
  for (const auto& wanted : m_wanted) {
    if (wanted.kind == kind && wanted.point == point) return &wanted;
  }
  return nullptr;
}

bool OperandRows::wants(QueryOrKey kind, CapturePoint point, std::int64_t first, std::int64_t rows) const {
  const Wanted* wanted = find(kind, point);
  if (wanted == nullptr) return false;
  const auto [begin, end] = rangeIn(wanted->positions, first, rows);
  return begin < end;
}

void OperandRows::collect(QueryOrKey kind, CapturePoint point, const RowChoice& rows,
                          const at::Tensor& vectors) {
  const Wanted* wanted = find(kind, point);
  if (wanted == nullptr || rows.count() == 0) return;
  const std::int64_t first = rows[0], last = rows[rows.count() - 1];
  const auto [begin, end] = rangeIn(wanted->positions, first, last + 1 - first);
  if (begin == end) return;
  const auto count = static_cast<std::int64_t>(end - begin);
  const std::span<const std::int32_t> positions(wanted->positions.data() + begin, end - begin);
  const std::vector<std::int64_t> heads(wanted->heads.begin(), wanted->heads.end());
  const at::Tensor chosen = vectors.index_select(0, indexTensor(rows.placesOf(positions), vectors.device()))
                                .index_select(1, indexTensor(heads, vectors.device()));
  wanted->vectors.narrow(1, static_cast<std::int64_t>(begin), count).copy_(chosen.transpose(0, 1));
}

NamedTensors OperandRows::collected(std::int64_t row) const {
  NamedTensors all;
  for (const Wanted& wanted : m_wanted) {
    const auto count = static_cast<std::int64_t>(rangeIn(wanted.positions, 0, row).second);
    all.emplace_back(std::string(nameOf(wanted.kind)) + "/" + std::string(nameOf(wanted.point)),
                     wanted.vectors.narrow(1, 0, count));
  }
  return all;
}

void OperandRows::deliver(QkSink& sink) const {
  for (const auto& wanted : m_wanted) {
    sink.take(m_layer, wanted.kind, wanted.point, m_example,
              {wanted.vectors.data_ptr<float>(), static_cast<std::size_t>(wanted.vectors.numel())});
  }
}

}  // namespace plastiscope
