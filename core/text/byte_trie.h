#pragma once
// A map from byte strings to numbers, searched byte by byte.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace plastiscope {

class ByteTrie {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0}, kRoot = 0;
  static constexpr std::size_t kMaxNodes = std::size_t{1} << 24;

  ByteTrie();
  // Replaces an earlier number of the same string. False when the trie is full.
  bool add(std::string_view key, std::int32_t value);
  // The child of `node` for a byte, or kNone.
  std::uint32_t step(std::uint32_t node, char byte) const {
    if (node == kRoot) return m_root[static_cast<unsigned char>(byte)];
    return m_slots[find(edge(node, byte))].child;
  }
  // The number of the string that ends at `node`, or -1.
  std::int32_t value(std::uint32_t node) const { return m_values[node]; }

 private:
  struct Slot {
    std::uint32_t edge = kNone, child = kNone;
  };
  static std::uint32_t edge(std::uint32_t node, char byte) {
    return node * 256 + static_cast<unsigned char>(byte);
  }
  std::size_t find(std::uint32_t edge) const {
    const std::size_t mask = m_slots.size() - 1;
    std::size_t index = (edge * std::uint64_t{0x9E3779B97F4A7C15} >> 32) & mask;
    while (m_slots[index].edge != kNone && m_slots[index].edge != edge) index = (index + 1) & mask;
    return index;
  }
  void grow();

  std::vector<std::uint32_t> m_root;  // [256] children of the root
  std::vector<Slot> m_slots;          // edges of other nodes: open addressing, at most half full
  std::vector<std::int32_t> m_values;
};

inline ByteTrie::ByteTrie() : m_root(256, kNone), m_slots(16), m_values(1, -1) {}

inline void ByteTrie::grow() {
  const std::vector<Slot> old = std::exchange(m_slots, std::vector<Slot>(m_slots.size() * 2));
  for (const Slot& slot : old) {
    if (slot.edge != kNone) m_slots[find(slot.edge)] = slot;
  }
}

inline bool ByteTrie::add(std::string_view key, std::int32_t value) {
  if (m_values.size() + key.size() > kMaxNodes) return false;
  std::uint32_t node = kRoot;
  for (const char byte : key) {
    std::uint32_t child = step(node, byte);
    if (child == kNone) {
      child = static_cast<std::uint32_t>(m_values.size());
      m_values.push_back(-1);
      if (m_values.size() * 2 > m_slots.size()) grow();
      if (node == kRoot) {
        m_root[static_cast<unsigned char>(byte)] = child;
      } else {
        m_slots[find(edge(node, byte))] = {edge(node, byte), child};
      }
    }
    node = child;
  }
  m_values[node] = value;
  return true;
}

}  // namespace plastiscope
