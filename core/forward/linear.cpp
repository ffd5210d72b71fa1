#include "core/forward/linear.h"

#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <optional>
#include <string_view>
#include <utility>

#include "core/forward/device.h"
#include "core/forward/row_blocks.h"
#include "core/forward/work_meter.h"

namespace plastiscope {

namespace {

// Products with matrices in oneDNN's layout, which libtorch offers as registered operators only.
struct PackedProducts {
  using Reorder = at::Tensor(const at::Tensor&, std::optional<std::int64_t>);
  using Product = at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                             std::string_view, c10::List<std::optional<at::Scalar>>,
                             std::optional<std::string_view>);
  c10::TypedOperatorHandle<Reorder> reorder;
  c10::TypedOperatorHandle<Product> product;
};

// Nothing if this libtorch or processor does not support them.
const std::optional<PackedProducts>& packedProducts() {
  static const std::optional<PackedProducts> found = []() -> std::optional<PackedProducts> {
    auto& dispatcher = c10::Dispatcher::singleton();
    const auto reorder = dispatcher.findSchema({"mkldnn::_reorder_linear_weight", ""});
    const auto product = dispatcher.findSchema({"mkldnn::_linear_pointwise", ""});
    if (!cpuIsFastIn("bfloat16") || !reorder || !product) return std::nullopt;
    return PackedProducts{reorder->typed<PackedProducts::Reorder>(),
                          product->typed<PackedProducts::Product>()};
  }();
  return found;
}

// Pads with rows of zeros: oneDNN generates code for every number of rows (0.4 MB per number and matrix, up
// to a thousand kept), and texts and experts have arbitrary numbers of rows.
at::Tensor withWholeTiles(const at::Tensor& x) {
  const std::int64_t rows = x.size(0), tile = rows > 64 ? 32 : 16, whole = (rows + tile - 1) / tile * tile;
  if (whole == rows) return x;
  const at::Tensor all = at::zeros({whole, x.size(1)}, x.options());
  all.narrow(0, 0, rows).copy_(x);
  return all;
}

}  // namespace

Linear::Linear(at::Tensor weight, at::Tensor bias) : m_weight(std::move(weight)), m_bias(std::move(bias)) {}

Linear Linear::outputs(std::int64_t first, std::int64_t count) const {
  return {m_weight.narrow(0, first, count), m_bias.defined() ? m_bias.narrow(0, first, count) : m_bias};
}

at::Tensor Linear::times(const at::Tensor& x) const {
  const WorkTimer timer(WorkKind::Products, 2.0 * static_cast<double>(x.size(0) * m_weight.numel()));
  if (!m_packed) return at::linear(x, m_weight, m_bias);
  const auto bias = m_bias.defined() ? std::optional(m_bias) : std::nullopt;
  return packedProducts()
      ->product.call(withWholeTiles(x), m_weight, bias, "none", c10::List<std::optional<at::Scalar>>(), "")
      .narrow(0, 0, x.size(0));
}

void Linear::pack() {
  const bool packable = defined() && m_weight.is_cpu() && m_weight.scalar_type() == at::kBFloat16;
  if (m_packed || !packable || !packedProducts()) return;
  m_weight = packedProducts()->reorder.call(m_weight, kRowBlock);
  m_packed = true;
}

}  // namespace plastiscope
