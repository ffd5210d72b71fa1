#pragma once
// Locked ranges of colours and axes: every view of the same quantity uses the locked range, in all heads and
// tabs, until it is unlocked.
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
  // Nullopt = unlock.
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

// Zoomed part of a plot.
struct ViewRange {
  double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
  bool operator==(const ViewRange&) const = default;
};

// By name of the plot; a plot without an entry is shown whole.
using ViewRanges = std::map<std::string, ViewRange>;

}  // namespace plastiscope
