#pragma once
// A hash table from pairs of token ids to merges: open addressing, built once.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plastiscope {

struct Merge {
  std::uint32_t rank = 0;
  std::int32_t result = 0;  // token id
};

class PairTable {
 public:
  explicit PairTable(std::size_t expected) {
    std::size_t size = 16;
    while (size < expected * 2) size *= 2;
    m_slots.resize(size);
  }

  // A later merge of the same pair replaces an earlier one, as in the `tokenizers` library.
  void set(std::int32_t left, std::int32_t right, Merge merge) {
    Slot& slot = m_slots[find(keyOf(left, right))];
    slot.key = keyOf(left, right);
    slot.merge = merge;
  }

  const Merge* get(std::int32_t left, std::int32_t right) const {
    const Slot& slot = m_slots[find(keyOf(left, right))];
    return slot.key == kEmpty ? nullptr : &slot.merge;
  }

 private:
  static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
  struct Slot {
    std::uint64_t key = kEmpty;
    Merge merge;
  };

  static std::uint64_t keyOf(std::int32_t left, std::int32_t right) {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32) |
           static_cast<std::uint32_t>(right);
  }
  // The slot of the key, or the empty one where it would go.
  std::size_t find(std::uint64_t key) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t index = ((key ^ (key >> 29)) * 0x9E3779B97F4A7C15u >> 20) & mask;
    while (m_slots[index].key != kEmpty && m_slots[index].key != key) index = (index + 1) & mask;
    return index;
  }

  std::vector<Slot> m_slots;
};

}  // namespace plastiscope
