#include "core/forward/layer_reader.h"

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <utility>

#include "core/forward/row_blocks.h"

namespace plastiscope {

std::span<float> floatsOf(const at::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

namespace {

// Whether the stored bytes are the numbers of the compute type in the right order.
bool isStoredAs(const BoundTensor& tensor, c10::ScalarType dtype) {
  if (!tensor.isPlain() || !tensor.perExpert.empty()) return false;
  return (tensor.info.type == TensorType::BF16 && dtype == at::kBFloat16) ||
         (tensor.info.type == TensorType::F16 && dtype == at::kHalf);
}

void dropPageCache(const Model& model, const BoundTensor& tensor) {
  if (tensor.perExpert.empty()) model.weights->dropPageCache(tensor.info);
  for (const TensorInfo& one : tensor.perExpert) model.weights->dropPageCache(one);
}

// A stream that waits for all work submitted so far, because memory reused for weights may still be read by
// it.
c10::Stream copiesTo(const c10::Device& device) {
  const c10::impl::VirtualGuardImpl gpu(device.type());
  const c10::Stream copies = gpu.getStreamFromGlobalPool(device);
  c10::Event soFar(device.type());
  soFar.record(gpu.getStream(device));
  soFar.block(copies);
  return copies;
}

}  // namespace

LayerReader::LayerReader(const Model& model, std::int64_t layer, const Compute& compute)
    : m_model(model),
      m_tensors(model.layers.at(layer)),
      m_options(at::TensorOptions(compute.device).dtype(compute.dtype)),
      m_normType(model.spec.norm.computeInFloat32 ? at::kFloat : compute.dtype) {
  if (!compute.device.is_cpu()) m_copies = copiesTo(compute.device);
}

// Waits for pending copies before the buffers are freed.
LayerReader::~LayerReader() {
  try {
    if (m_copies) m_copies->synchronize();
  } catch (const c10::Error&) {  // device error, reported elsewhere
  }
}

const BoundTensor* LayerReader::find(TensorRole role) const {
  const auto found = m_tensors.find(role);
  return found == m_tensors.end() ? nullptr : &found->second;
}

at::Tensor LayerReader::floats(TensorRole role) {
  const BoundTensor* tensor = find(role);
  if (tensor == nullptr) return {};
  return part(*tensor, at::empty(tensor->shape, m_options.dtype(at::kFloat)));
}

NormWeights LayerReader::norm(TensorRole weight, TensorRole bias) {
  NormWeights norm = this->norm(weight);
  const BoundTensor* tensor = find(bias);
  if (tensor == nullptr) return norm;
  norm.bias = part(*tensor, at::empty(tensor->shape, m_options.dtype(m_normType)));
  return norm;
}

NormWeights LayerReader::norm(TensorRole weight) {
  const BoundTensor* tensor = find(weight);
  if (tensor == nullptr) return {};
  return {part(*tensor, at::empty(tensor->shape, m_options.dtype(m_normType))), {}};
}

at::Tensor LayerReader::firstRows(TensorRole role, std::int64_t rows) {
  const BoundTensor* tensor = find(role);
  if (tensor == nullptr) return {};
  std::vector<std::int64_t> shape = tensor->shape;
  shape[0] = rows;
  return part(*tensor, at::empty(shape, m_options));
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
    const at::Tensor place = whole.narrow(axis, first, counts[i]);
    const BoundTensor* tensor = find(roles[i]);
    if (tensor != nullptr) {
      part(*tensor, place);
    } else {
      place.zero_();
    }
    first += counts[i];
  }
  return whole;
}

at::Tensor LayerReader::part(const BoundTensor& tensor, at::Tensor target) {
  m_parts.emplace_back(tensor, std::move(target));
  cut(m_parts.back());
  return m_parts.back().target;
}

// Cuts along the outermost dimension; large matrices along their rows, or along columns if stored transposed.
void LayerReader::cut(Part& part) {
  const at::Tensor& whole = part.target;
  const BoundTensor& tensor = *part.tensor;
  const auto add = [&](const at::Tensor& rows, std::int64_t firstRow) {
    m_pieces.push_back({&part, rows, firstRow});
    ++part.piecesLeft;
  };
  const auto cutRows = [&](const at::Tensor& rows, std::int64_t firstRow, std::int64_t together) {
    const std::int64_t count = rows.size(0), each = rows.numel() / std::max<std::int64_t>(1, count);
    const std::int64_t fit = kLoadedNumbers / std::max<std::int64_t>(1, each) / together * together;
    const std::int64_t most = std::max(together, fit);
    for (std::int64_t row = 0; row < count; row += most)
      add(rows.narrow(0, row, std::min(most, count - row)), firstRow + row * (each / tensor.columns()));
  };
  if (tensor.liesAcross()) {
    // MXFP4 is unpacked by whole experts.
    const std::int64_t columns = whole.size(2);
    const std::int64_t most = tensor.info.type == TensorType::MXFP4
                                  ? columns
                                  : std::max<std::int64_t>(1, kLoadedNumbers / whole.size(1));
    for (std::int64_t i = 0; i < whole.size(0); ++i)
      for (std::int64_t column = 0; column < columns; column += most)
        add(whole[i].narrow(1, column, std::min(most, columns - column)), i * columns + column);
  } else if (whole.dim() == 3 && whole.numel() > whole.size(0) * kLoadedNumbers) {
    for (std::int64_t i = 0; i < whole.size(0); ++i) cutRows(whole[i], i * whole.size(1), 1);
  } else if (whole.dim() > 0) {
    cutRows(whole, 0, whole.dim() == 3 ? 1 : tensor.rowsTogether());
  } else {
    add(whole, 0);
  }
}

void LayerReader::read(const Piece& piece) const {
  if (!m_copies) {
    read(piece, piece.target);
  } else {
    const at::Tensor staged =
        at::empty(piece.target.sizes(), piece.target.options().device(at::kCPU).pinned_memory(true));
    read(piece, staged);
    const c10::StreamGuard beside(*m_copies);
    piece.target.copy_(staged, /*non_blocking=*/true);
  }
  if (--piece.part->piecesLeft == 0) dropPageCache(m_model, *piece.part->tensor);
}

// Reads into a target on the CPU.
void LayerReader::read(const Piece& piece, const at::Tensor& target) const {
  const BoundTensor& tensor = *piece.part->tensor;
  const bool whole = target.is_contiguous();
  if (tensor.liesAcross()) {
    const at::Tensor wide = at::empty({target.size(1), target.size(0)}, at::kFloat);
    m_model.readColumns(tensor, piece.first / tensor.columns(), piece.first % tensor.columns(),
                        floatsOf(wide));
    target.copy_(wide.t());
  } else if (whole && isStoredAs(tensor, target.scalar_type())) {
    const auto first = static_cast<std::uint64_t>(piece.first * tensor.columns()) * target.element_size();
    m_model.weights->readBytes(tensor.info, first,
                               {static_cast<std::byte*>(target.data_ptr()), target.nbytes()});
  } else if (whole && target.scalar_type() == at::kFloat) {
    m_model.readRows(tensor, piece.first, floatsOf(target));
  } else {
    const at::Tensor wide = at::empty(target.sizes(), at::kFloat);
    m_model.readRows(tensor, piece.first, floatsOf(wide));
    target.copy_(wide);
  }
}

bool LayerReader::read(const std::function<bool()>& goesOn) {
  forEachInParallel(at::get_num_threads(), [&](std::int64_t) {
    while (goesOn()) {
      const std::size_t piece = m_next++;
      if (piece >= m_pieces.size()) break;
      read(m_pieces[piece]);
    }
  });
  if (m_next < m_pieces.size()) return false;
  if (m_copies) m_copies->synchronize();
  return true;
}

}  // namespace plastiscope
