#pragma once
// Ranges of colours and axes that a person locked: every view of the same quantity shows the locked one, in
// all heads and all tabs, until it is unlocked.
#include <QObject>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace plastiscope {

using LockedRange = std::pair<double, double>;

class LockedRanges : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // `quantity`: "ap_drop", "map", "plane a", ...: views that use the same name share the range.
  std::optional<LockedRange> of(const std::string& quantity) const {
    const auto found = m_ranges.find(quantity);
    return found == m_ranges.end() ? std::nullopt : std::optional(found->second);
  }
  // Nothing = unlock.
  void set(const std::string& quantity, std::optional<LockedRange> range) {
    if (of(quantity) == range) return;
    if (range)
      m_ranges[quantity] = *range;
    else
      m_ranges.erase(quantity);
    Q_EMIT changed(quantity);
  }

 Q_SIGNALS:
  void changed(const std::string& quantity);

 private:
  std::map<std::string, LockedRange> m_ranges;
};

// The part of a plot that a person zoomed to.
struct ViewRange {
  double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
  bool operator==(const ViewRange&) const = default;
};

// By the name of the plot; a plot without an entry shows everything.
using ViewRanges = std::map<std::string, ViewRange>;

}  // namespace plastiscope
