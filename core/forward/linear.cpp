#include "core/forward/linear.h"

#include <ATen/core/List.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Scalar.h>
#include <sys/mman.h>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "core/forward/device.h"
#include "core/forward/row_blocks.h"
#include "core/forward/work_meter.h"

// Of MKL, which libtorch brings along on x86; nothing where it does not.
extern "C" {
__attribute__((weak)) std::size_t cblas_sgemm_pack_get_size(int side, int m, int n, int k);
__attribute__((weak)) void cblas_sgemm_pack(int layout, int side, int trans, int m, int n, int k, float alpha,
                                            const float* from, int step, float* to);
__attribute__((weak)) void cblas_sgemm_compute(int layout, int transA, int transB, int m, int n, int k,
                                               const float* a, int stepA, const float* b, int stepB,
                                               float beta, float* c, int stepC);
}

namespace plastiscope {

namespace {

// oneDNN's products with matrices in its own order. libtorch has them as registered operators alone.
struct PackedProducts {
  using Reorder = at::Tensor(const at::Tensor&, std::optional<std::int64_t>);
  using Product = at::Tensor(const at::Tensor&, const at::Tensor&, const std::optional<at::Tensor>&,
                             std::string_view, c10::List<std::optional<at::Scalar>>,
                             std::optional<std::string_view>);
  c10::TypedOperatorHandle<Reorder> reorder;
  c10::TypedOperatorHandle<Product> product;
};

// Nothing where this libtorch has none.
const std::optional<PackedProducts>& packedProducts() {
  static const std::optional<PackedProducts> found = []() -> std::optional<PackedProducts> {
    auto& dispatcher = c10::Dispatcher::singleton();
    const auto reorder = dispatcher.findSchema({"mkldnn::_reorder_linear_weight", ""});
    const auto product = dispatcher.findSchema({"mkldnn::_linear_pointwise", ""});
    if (!reorder || !product) return std::nullopt;
    return PackedProducts{reorder->typed<PackedProducts::Reorder>(),
                          product->typed<PackedProducts::Product>()};
  }();
  return found;
}

// Values of CBLAS: rows of numbers; the second matrix; as it is, with rows and columns exchanged, packed.
constexpr int kRowMajor = 101, kSecond = 162, kAsItIs = 111, kTransposed = 112, kPacked = 151;

// Memory whose pages are not there before they are written to: what MKL asks for is up to 10 MB more than
// what it writes.
at::Tensor untouchedMemory(std::size_t bytes) {
  void* const place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) throw std::bad_alloc();
  return at::from_blob(
      place, {static_cast<std::int64_t>(bytes)}, [bytes](void* all) { munmap(all, bytes); }, at::kByte);
}

// weight [outputs, inputs] of float32. It must stay where it is.
at::Tensor packedByMkl(const at::Tensor& weight) {
  const at::Tensor rows = weight.contiguous();
  const int n = static_cast<int>(rows.size(0)), k = static_cast<int>(rows.size(1));
  const int m = static_cast<int>(kRowBlock);
  const at::Tensor packed = untouchedMemory(cblas_sgemm_pack_get_size(kSecond, m, n, k));
  cblas_sgemm_pack(kRowMajor, kSecond, kTransposed, m, n, k, 1, rows.const_data_ptr<float>(), k,
                   static_cast<float*>(packed.data_ptr()));
  return packed;
}

// oneDNN writes code for every number of rows that it meets, and keeps 0.4 MB for each and matrix, a thousand
// of them. Texts and experts end anywhere: so rows of zeros are added until there are few numbers.
at::Tensor withWholeTiles(const at::Tensor& x) {
  const std::int64_t rows = x.size(0), tile = rows > 64 ? 32 : 16, whole = (rows + tile - 1) / tile * tile;
  if (whole == rows) return x;
  const at::Tensor all = at::zeros({whole, x.size(1)}, x.options());
  all.narrow(0, 0, rows).copy_(x);
  return all;
}

}  // namespace

Linear::Linear(at::Tensor weight, at::Tensor bias) : m_weight(std::move(weight)), m_bias(std::move(bias)) {
  if (!defined()) return;
  m_outputs = m_weight.size(0);
  m_inputs = m_weight.size(1);
}

Linear Linear::outputs(std::int64_t first, std::int64_t count) const {
  return {m_weight.narrow(0, first, count), m_bias.defined() ? m_bias.narrow(0, first, count) : m_bias};
}

at::Tensor Linear::times(const at::Tensor& x) const {
  const WorkTimer timer(WorkKind::Products, 2.0 * static_cast<double>(x.size(0) * m_outputs * m_inputs));
  if (m_order == Order::Plain) return at::linear(x, m_weight, m_bias);
  if (m_order == Order::OneDnn) {
    const auto bias = m_bias.defined() ? std::optional(m_bias) : std::nullopt;
    return packedProducts()
        ->product.call(withWholeTiles(x), m_weight, bias, "none", c10::List<std::optional<at::Scalar>>(), "")
        .narrow(0, 0, x.size(0));
  }
  const at::Tensor rows = x.stride(1) == 1 ? x : x.contiguous();
  const at::Tensor out = at::empty({x.size(0), m_outputs}, x.options());
  if (m_bias.defined()) out.copy_(m_bias.expand_as(out));
  cblas_sgemm_compute(kRowMajor, kAsItIs, kPacked, static_cast<int>(x.size(0)), static_cast<int>(m_outputs),
                      static_cast<int>(m_inputs), rows.const_data_ptr<float>(),
                      static_cast<int>(rows.stride(0)), static_cast<const float*>(m_weight.const_data_ptr()),
                      static_cast<int>(m_inputs), m_bias.defined() ? 1.0F : 0.0F, out.data_ptr<float>(),
                      static_cast<int>(m_outputs));
  return out;
}

bool Linear::has(Order order, at::ScalarType type) {
  if (order == Order::Plain) return true;
#if defined(__x86_64__)
  if (order == Order::Mkl) return type == at::kFloat && cblas_sgemm_pack != nullptr;
  return packedProducts() && (type == at::kFloat || (type == at::kBFloat16 && cpuIsFastIn("bfloat16")));
#else
  return false;
#endif
}

Linear::Order Linear::fastest(at::ScalarType type) {
#if defined(__x86_64__)
  // MKL has its fastest code for the processors of its maker alone.
  if (__builtin_cpu_is("intel") && has(Order::Mkl, type)) return Order::Mkl;
#endif
  return has(Order::OneDnn, type) ? Order::OneDnn : Order::Plain;
}

void Linear::pack(Order order) {
  if (!defined() || !m_weight.is_cpu() || m_order != Order::Plain || order == Order::Plain) return;
  m_weight =
      order == Order::Mkl ? packedByMkl(m_weight) : packedProducts()->reorder.call(m_weight, kRowBlock);
  m_order = order;
}

}  // namespace plastiscope
