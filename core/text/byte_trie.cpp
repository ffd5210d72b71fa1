#include "core/text/byte_trie.h"

#include <utility>

namespace plastiscope {

ByteTrie::ByteTrie() : m_root(256, kNone), m_slots(16), m_values(1, -1) {}

void ByteTrie::grow() {
  const std::vector<Slot> old = std::exchange(m_slots, std::vector<Slot>(m_slots.size() * 2));
  for (const Slot& slot : old) {
    if (slot.edge != kNone) m_slots[find(slot.edge)] = slot;
  }
}

bool ByteTrie::add(std::string_view key, std::int32_t value) {
  if (m_values.size() + key.size() > kMostNodes) return false;
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
