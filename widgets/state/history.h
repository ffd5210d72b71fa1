#pragma once
// Undo and redo of plain values: up to 100 steps; quick changes of one kind merge into one step.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace plastiscope {

template <typename Value>
class History {
 public:
  static constexpr std::size_t kSteps = 100;
  static constexpr std::int64_t kMergeMilliseconds = 800;

  // `before` is the previous value. Consecutive changes of the same `kind` (> 0) within kMergeMilliseconds
  // become one step: holding an arrow key is one undo.
  void push(const Value& before, int kind, std::int64_t nowMilliseconds) {
    const bool merges = kind > 0 && kind == m_lastKind &&
                        nowMilliseconds - m_lastTime <= kMergeMilliseconds && !m_undo.empty();
    m_lastKind = kind;
    m_lastTime = nowMilliseconds;
    m_redo.clear();
    if (merges) return;
    m_undo.push_back(before);
    if (m_undo.size() > kSteps) m_undo.erase(m_undo.begin());
  }

  bool canUndo() const { return !m_undo.empty(); }
  bool canRedo() const { return !m_redo.empty(); }

  // Returns the previous value; `current` becomes the redo step. Call only when canUndo().
  Value undo(const Value& current) { return step(m_undo, m_redo, current); }
  Value redo(const Value& current) { return step(m_redo, m_undo, current); }

 private:
  Value step(std::vector<Value>& from, std::vector<Value>& to, const Value& current) {
    to.push_back(current);
    Value value = from.back();
    from.pop_back();
    m_lastKind = 0;
    return value;
  }

  std::vector<Value> m_undo, m_redo;
  int m_lastKind = 0;
  std::int64_t m_lastTime = 0;
};

}  // namespace plastiscope
