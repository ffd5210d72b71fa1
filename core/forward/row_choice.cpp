#include "core/forward/row_choice.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>
#include <algorithm>
#include <utility>

#include "core/forward/row_blocks.h"

namespace plastiscope {

ReadRows ReadRows::run(std::int64_t first, std::int64_t count) {
  ReadRows choice;
  choice.m_first = first;
  choice.m_count = count;
  return choice;
}

ReadRows ReadRows::list(std::span<const std::int32_t> positions) {
  ReadRows choice;
  choice.m_count = std::ssize(positions);
  choice.m_positions.assign(positions.begin(), positions.end());
  return choice;
}

std::int64_t ReadRows::operator[](std::int64_t i) const {
  return isRun() ? m_first + i : m_positions[static_cast<std::size_t>(i)];
}

ReadRows ReadRows::part(std::int64_t at, std::int64_t count) const {
  if (isRun()) return run(m_first + at, count);
  return list(std::span(m_positions).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count)));
}

at::Tensor ReadRows::positions(const at::Device& device) const {
  if (isRun()) return at::arange(m_first, m_first + m_count, at::TensorOptions(device).dtype(at::kLong));
  return at::tensor(std::vector<std::int64_t>(m_positions.begin(), m_positions.end()), at::kLong)
      .to(device, /*non_blocking=*/true);
}

at::Tensor ReadRows::rowsOf(const at::Tensor& x, std::int64_t origin) const {
  if (isRun()) return x.narrow(0, m_count > 0 ? m_first - origin : 0, m_count);
  return x.index_select(0, positions(x.device()).sub_(origin));
}

at::Tensor ReadRows::placesOf(const ReadRows& some, const at::Device& device) const {
  return at::tensor(placesOf(some.m_positions), at::kLong).to(device, /*non_blocking=*/true);
}

std::vector<std::int64_t> ReadRows::placesOf(std::span<const std::int32_t> wanted) const {
  std::vector<std::int64_t> places(wanted.begin(), wanted.end());
  auto from = m_positions.begin();
  for (std::int64_t& place : places) {
    if (isRun()) {
      place -= m_first;
    } else {
      from = std::lower_bound(from, m_positions.end(), place);
      place = from - m_positions.begin();
    }
  }
  return places;
}

namespace {

// Parts (at, count) of a list, each within one attention tile and with at most kRowBlock rows.
std::vector<std::pair<std::int64_t, std::int64_t>> tileParts(const ReadRows& list) {
  std::vector<std::pair<std::int64_t, std::int64_t>> parts;
  for (std::int64_t at = 0; at < list.count();) {
    const std::int64_t tile = list[at] / kAttentionTile;
    std::int64_t count = 1;
    while (count < kRowBlock && at + count < list.count() && list[at + count] / kAttentionTile == tile)
      ++count;
    parts.emplace_back(at, count);
    at += count;
  }
  return parts;
}

}  // namespace

void forRowBlocks(const c10::Device& device, const ReadRows& choice,
                  const std::function<void(std::int64_t, const ReadRows&)>& body) {
  if (choice.isRun() || !device.is_cpu()) {
    forRowBlocks(device, choice.count(),
                 [&](std::int64_t at, std::int64_t count) { body(at, choice.part(at, count)); });
    return;
  }
  const auto parts = tileParts(choice);
  forEachInParallel(std::ssize(parts), [&](std::int64_t i) {
    const auto [at, count] = parts[static_cast<std::size_t>(i)];
    body(at, choice.part(at, count));
  });
}

void forRowBlocks(const c10::Device& device, const ReadRows& choice, const std::function<void()>& checkpoint,
                  const std::function<void(std::int64_t, const ReadRows&)>& body) {
  ParallelStop stop(checkpoint);
  forRowBlocks(device, choice, [&](std::int64_t at, const ReadRows& rows) {
    if (stop.goesOn()) body(at, rows);
  });
  stop.askAll();
}

}  // namespace plastiscope
