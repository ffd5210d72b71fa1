#pragma once
// What is selected in a model tab: one value, owned by one object; every view listens to its one signal.
#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/row_choice.h"
#include "core/base/json_value.h"
#include "core/capture/head_choice.h"
#include "core/views/head_metrics.h"
#include "core/views/head_order.h"
#include "core/views/plasticity_choice.h"
#include "core/views/row_colours.h"
#include "widgets/state/history.h"
#include "widgets/state/locked_ranges.h"

namespace plastiscope {

// Rows of a layer, such as a lasso catches: indices into CaptureFile::rows(), ascending. All heads of a layer
// are captured at the same positions, so that they mean the same tokens in each of them.
struct SelectedRows {
  std::int64_t layer = 0;
  std::vector<std::int64_t> query, key;
  bool operator==(const SelectedRows&) const = default;
};

// A cell of the plasticity map.
struct CellChoice {
  std::int64_t distance = 0, midpoint = 0;
  bool operator==(const CellChoice&) const = default;
};

// Plots that can be zoomed.
inline constexpr const char *kPlaneZoom = "plane", *kProfileZoom = "profile", *kGridZoom = "grid";

struct ViewSelection {
  std::optional<HeadName> head;
  std::vector<HeadName> several;      // heads whose mean is shown, ascending; none, or with `head` among them
  ApKind plasticity = ApKind::Aligned;  // that is shown, where the analysis has it
  std::string metric = "ap_aligned";    // column of the heads table that colours the grid
  HeadOrder order = HeadOrder::Layers;        // of the grid
  HeadShow show = HeadShow::Heads;            // what its cells stand for
  HeadAxes axes{"bias_window", "ap_aligned_drop", ""};  // of the heads as points
  std::set<HeadName> marked;                  // starred heads
  std::string filter;                         // of the head table (head_filter.h); "" = all heads
  std::optional<std::int64_t> position;       // of the query, tokens: the scrubber's
  std::optional<CellChoice> cell;             // whose key pairs are listed
  RowColour rowColour = RowColour::Position;  // of the plane
  RowChoice rowChoice;                        // which rows everything is computed from
  ViewRanges zoom;                            // of kPlaneZoom: of this head only
  std::shared_ptr<const SelectedRows> rows;   // null = none; never empty; lives only as long as the tab
  bool operator==(const ViewSelection&) const = default;

  void usePlasticity(ApKind kind);  // metrics that are AP become those of this kind

  Json toJson() const;
  static ViewSelection fromJson(const Json& value);  // what is not understood keeps its default
};

inline std::optional<ViewRange> zoomOf(const ViewSelection& value, const std::string& plot) {
  const auto found = value.zoom.find(plot);
  return found == value.zoom.end() ? std::nullopt : std::optional(found->second);
}

// "L38-L42 x H8-H15: 40" of heads that fill a rectangle, else "40 heads".
QString severalText(const std::vector<HeadName>& heads);

class Selection : public QObject {
  Q_OBJECT
 public:
  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

  const ViewSelection& value() const { return m_value; }
  void setHead(HeadName head);  // one outside of several ends those
  // Two or more, in any order; the chosen head stays when it is among them, else the first is chosen. Fewer:
  // none.
  void setSeveral(std::vector<HeadName> heads);
  void setMetric(const std::string& metric);
  void setPlasticity(ApKind plasticity);
  void setGrid(HeadOrder order, HeadShow show);
  void setAxes(const HeadAxes& axes);
  void toggleMark(HeadName head);
  void setFilter(const std::string& filter);
  void setPosition(std::optional<std::int64_t> position);
  void setCell(std::optional<CellChoice> cell);
  void setRowColour(RowColour colour);
  void setRowChoice(const RowChoice& choice);  // other rows have other indices: none are selected
  // Nothing = the whole plot.
  void setZoom(const std::string& plot, const std::optional<ViewRange>& range);
  // Rows of the chosen head's layer; without any, none are selected.
  void setRows(std::vector<std::int64_t> query, std::vector<std::int64_t> key);
  // A new start (file opened, session restored): not a step of the history.
  void reset(const ViewSelection& value);

  bool canUndo() const { return m_history.canUndo(); }
  bool canRedo() const { return m_history.canRedo(); }
  void undo();
  void redo();

 Q_SIGNALS:
  void changed(const ViewSelection& now, const ViewSelection& before);

 private:
  void change(const ViewSelection& next, int kind);
  void show(const ViewSelection& next);

  ViewSelection m_value;
  History<ViewSelection> m_history;
};

}  // namespace plastiscope
