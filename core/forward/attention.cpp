#include "core/forward/attention.h"

#include <ATen/Parallel.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

#include "core/forward/attention_kernel.h"
#include "core/forward/row_blocks.h"

namespace plastiscope {

namespace {

AttentionNumbers kindOf(const at::Tensor& tensor) {
  return tensor.scalar_type() == at::kFloat ? AttentionNumbers::Float32 : AttentionNumbers::BFloat16;
}

std::int64_t quotientUp(std::int64_t n, std::int64_t by) {
  return (n + by - 1) / by;
}

// Makes the numbers of each row contiguous.
at::Tensor withWholeRows(const at::Tensor& heads) {
  return heads.stride(2) == 1 ? heads : heads.contiguous();
}

// Memory aligned to a cache line.
class AttentionScratch {
 public:
  explicit AttentionScratch(std::size_t bytes)
      : m_bytes(static_cast<std::byte*>(::operator new(bytes, kLine))) {}
  ~AttentionScratch() { ::operator delete(m_bytes, kLine); }
  AttentionScratch(const AttentionScratch&) = delete;
  AttentionScratch& operator=(const AttentionScratch&) = delete;
  std::byte* bytes() const { return m_bytes; }

 private:
  static constexpr std::align_val_t kLine{64};
  std::byte* m_bytes;
};

// Tasks of one call: ranges of positions of one key head, longest first; threads take them in turn. Results
// do not depend on the ranges.
class AttentionTasks {
 public:
  AttentionTasks(const AttentionCall& call, const at::Tensor& out)
      : m_query(withWholeRows(call.query)),
        m_keys(withWholeRows(call.keys)),
        m_values(withWholeRows(call.values)),
        m_out(out),
        m_keyHeads(call.keys.size(0)),
        m_first(call.first),
        m_positions(call.positions),
        m_rows(call.query.size(0)) {
    const AttentionRule& rule = call.rule;
    if (rule.sinks.defined()) m_sinks = rule.sinks.to(at::kFloat).contiguous();
    m_whole.group = call.query.size(1) / m_keyHeads;
    m_whole.width = call.query.size(2);
    m_whole.queryStep = m_query.stride(0);
    m_whole.queryHeadStep = m_query.stride(1);
    m_whole.keyStep = m_keys.stride(1);
    m_whole.valueStep = m_values.stride(1);
    m_whole.outStep = m_out.stride(0);
    m_whole.scale = static_cast<float>(rule.scale);
    m_whole.softcap = static_cast<float>(rule.softcap);
    m_whole.window = rule.window;
    m_whole.chunked = rule.chunked;
    // Several tasks of equal length per thread, with at least 16 positions each if possible.
    const std::int64_t wanted = 4 * static_cast<std::int64_t>(at::get_num_threads());
    const std::int64_t even = std::max<std::int64_t>(quotientUp(m_rows * m_keyHeads, wanted), 16);
    m_runs = quotientUp(m_rows, std::min(even, attentionTaskRows(m_whole.group, m_whole.width)));
    m_taskRows = quotientUp(m_rows, std::max<std::int64_t>(1, m_runs));
  }

  std::int64_t count() const { return m_runs * m_keyHeads; }
  // One thread for small amounts of work, where starting others takes longer.
  std::int64_t threads() const {
    constexpr std::int64_t kLittle = 1 << 16;  // pairs of positions, over all key heads
    return m_rows * (m_first + m_rows) * m_keyHeads < kLittle ? 1 : at::get_num_threads();
  }
  std::size_t scratchBytes() const { return attentionScratchBytes(m_taskRows, m_whole.group, m_whole.width); }

  AttentionTask task(std::int64_t index) const {
    const std::int64_t head = index % m_keyHeads, run = m_runs - 1 - index / m_keyHeads;
    const std::int64_t row = run * m_taskRows, firstHead = head * m_whole.group;
    AttentionTask task = m_whole;
    task.first = m_first + row;
    if (!m_positions.empty()) task.positions = m_positions.data() + row;
    task.rows = std::min(m_taskRows, m_rows - row);
    task.query = placeOf(m_query, row * m_query.stride(0) + firstHead * m_query.stride(1));
    task.keys = placeOf(m_keys, head * m_keys.stride(0));
    task.values = placeOf(m_values, head * m_values.stride(0));
    task.out = placeOf(m_out, row * m_out.stride(0) + firstHead * m_whole.width);
    if (m_sinks.defined()) task.sinks = m_sinks.const_data_ptr<float>() + firstHead;
    return task;
  }

 private:
  static std::byte* placeOf(const at::Tensor& tensor, std::int64_t number) {
    return static_cast<std::byte*>(tensor.data_ptr()) +
           number * static_cast<std::int64_t>(tensor.element_size());
  }

  at::Tensor m_query, m_keys, m_values, m_out, m_sinks;
  std::int64_t m_keyHeads, m_first;
  std::span<const std::int32_t> m_positions;
  std::int64_t m_rows;
  std::int64_t m_taskRows = 0, m_runs = 0;
  AttentionTask m_whole;  // fields shared by all tasks
};

AttentionWatch watchOf(ParallelStop& stop) {
  return {[](void* self) { return static_cast<ParallelStop*>(self)->goesOn(); }, &stop};
}

}  // namespace

at::Tensor kernelAttention(const AttentionCall& call, const AttentionKernel& kernel) {
  const at::Tensor out =
      at::empty({call.query.size(0), call.query.size(1) * call.query.size(2)}, call.query.options());
  const AttentionTasks tasks(call, out);
  const AttentionBody body = kernel.body(kindOf(call.query));
  ParallelStop stop(call.betweenTiles);
  std::atomic<std::int64_t> next = 0;
  forEachInParallel(tasks.threads(), [&](std::int64_t) {
    const AttentionScratch scratch(tasks.scratchBytes());
    for (std::int64_t i = next++; i < tasks.count(); i = next++) {
      if (!body(tasks.task(i), scratch.bytes(), watchOf(stop))) break;
    }
  });
  stop.askAll();
  return out;
}

namespace {

// On a GPU it is faster to compute all rows from the first to the last than single ones.
at::Tensor attentionOfList(const AttentionCall& call) {
  const std::int64_t first = call.positions.front(), rows = call.positions.back() - first + 1;
  const at::Tensor places = ReadRows::list(call.positions).positions(call.query.device()).sub_(first);
  const at::Tensor query = at::zeros({rows, call.query.size(1), call.query.size(2)}, call.query.options());
  query.index_copy_(0, places, call.query);
  return libraryAttention({query, first, call.keys, call.values, call.rule, call.betweenTiles})
      .index_select(0, places);
}

}  // namespace

at::Tensor causalAttention(const AttentionCall& call) {
  const auto type = call.query.scalar_type();
  if (!call.query.device().is_cpu() || (type != at::kFloat && type != at::kBFloat16)) {
    if (call.positions.empty()) return libraryAttention(call);
    if (!call.query.device().is_cpu()) return attentionOfList(call);
    std::vector<at::Tensor> rows;
    for (std::size_t i = 0; i < call.positions.size(); ++i) {
      const at::Tensor row = call.query.narrow(0, static_cast<std::int64_t>(i), 1);
      rows.push_back(
          libraryAttention({row, call.positions[i], call.keys, call.values, call.rule, call.betweenTiles}));
    }
    return at::cat(rows);
  }
  return kernelAttention(call, attentionKernel(kindOf(call.query)));
}

}  // namespace plastiscope
