#pragma once
// Selection of a model tab: one value in one object, with one signal for all views; undo and redo.
#include <QObject>
#include <QString>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/analysis/row_choice.h"
#include "core/base/json_value.h"
#include "core/capture/head_list.h"
#include "core/views/attended_data.h"
#include "core/views/attention_data.h"
#include "core/views/head_group.h"
#include "core/views/head_metrics.h"
#include "core/views/head_order.h"
#include "core/views/plasticity_choice.h"
#include "core/views/row_colours.h"
#include "widgets/state/locked_ranges.h"

namespace plastiscope {

// Undo and redo of plain values: up to 100 steps; quick changes of one kind merge into one step.
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

// Selected rows of a layer, for example by lasso: indices into CaptureFile::rows(), ascending. All heads of a
// layer are captured at the same positions, so the rows are the same tokens in each of them.
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
inline constexpr const char *kPlaneZoom = "plane", *kProfileZoom = "profile", *kGridZoom = "grid",
                            *kAttentionZoom = "attention";

struct ViewSelection {
  std::optional<HeadName> head;
  std::vector<HeadName> several;        // heads whose mean is shown, ascending; empty, or including `head`
  ApKind plasticity = ApKind::Aligned;  // shown where the analysis has it
  std::string metric = "ap_aligned";    // column of the heads table that colours the grid
  HeadOrder order = HeadOrder::Layers;  // order of heads in the grid
  HeadShow show = HeadShow::Heads;      // content of its cells
  HeadAxes axes{"bias_window", "ap_aligned_drop", ""};  // axes of the scatter of heads
  std::set<HeadName> marked;                            // starred heads
  HeadGroups groups;                          // of the study's notes, which keep them; not saved with the tab
  std::vector<std::string> shownGroups;       // names of the groups drawn in grid, scatter and profile
  std::string group;                          // compared with other heads; "" = none
  std::string against = "layers";             // those heads: "rest", "layers", or the name of a group
  std::string filter;                         // filter of the head table (head_filter.h); "" = all heads
  std::optional<std::int64_t> position;       // position of the query (scrubber), tokens
  std::optional<CellChoice> cell;             // map cell whose key pairs are listed
  RowColour rowColour = RowColour::Position;  // colouring of the plane
  AttendedPart attendedPart = AttendedPart::Place;  // of what the head looks at
  RowChoice attended;                               // its queries
  AttentionChoice attention;                        // options of the attention map
  std::string attentionText;                        // id of its text; "" = the first one
  RowChoice rowChoice;                              // rows that everything is computed from
  ViewRanges zoom;                                  // kPlaneZoom applies to this head only
  std::string causes;                               // figure of the panel Causes; "" = the first; not undone
  std::shared_ptr<const SelectedRows> rows;         // null = none; never empty; not saved with the tab
  bool operator==(const ViewSelection&) const = default;

  void usePlasticity(ApKind kind);                            // changes AP metrics to those of this kind
  const HeadGroup* findGroup(const std::string& name) const;  // null: no group of that name
  HeadGroups drawnGroups() const;  // those of `shownGroups`, in the order of `groups`
  // Replaces the groups, and forgets the names that none of them has.
  void useGroups(const HeadGroups& all);

  Json toJson() const;
  static ViewSelection fromJson(const Json& value);  // invalid values keep their defaults
};

inline std::optional<ViewRange> zoomOf(const ViewSelection& value, const std::string& plot) {
  const auto found = value.zoom.find(plot);
  return found == value.zoom.end() ? std::nullopt : std::optional(found->second);
}

// The filter expression for the heads of a group.
inline std::string groupFilter(const std::string& name) {
  return "group:" + name;
}

// "L38-L42 x H8-H15: 40" for heads that fill a rectangle, else "40 heads".
QString severalText(const std::vector<HeadName>& heads);

class Selection : public QObject {
  Q_OBJECT
 public:
  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

  const ViewSelection& value() const { return m_value; }
  void setHead(HeadName head);  // clears `several` if the head is not in it
  // Two or more heads, in any order; the selected head is kept if it is among them, else the first is
  // selected. Fewer: none.
  void setSeveral(std::vector<HeadName> heads);
  void setMetric(const std::string& metric);
  void setPlasticity(ApKind plasticity);
  void setGrid(HeadOrder order, HeadShow show);
  void setAxes(const HeadAxes& axes);
  void toggleMark(HeadName head);
  void setGroups(const HeadGroups& groups, const std::vector<std::string>& shown);
  // With a new name: shown and compared; `heads`: its captured heads, which are selected.
  void addGroup(const HeadGroup& group, std::vector<HeadName> heads);
  // Keeps its place; `group` may have another name.
  void replaceGroup(const std::string& name, const HeadGroup& group);
  void setShownGroups(const std::vector<std::string>& names);
  // Compares a group; `heads`: its captured heads, which are selected.
  void setGroup(const std::string& name, std::vector<HeadName> heads);
  void setAgainst(const std::string& against);
  void setFilter(const std::string& filter);
  void setPosition(std::optional<std::int64_t> position);
  void setCell(std::optional<CellChoice> cell);
  void setRowColour(RowColour colour);
  void setAttended(AttendedPart part, const RowChoice& choice);
  void setAttention(const AttentionChoice& choice);
  void setAttentionText(const std::string& text);  // shows the whole map
  void setRowChoice(const RowChoice& choice);      // row indices change: clears selected rows
  // Nullopt = the whole plot.
  void setZoom(const std::string& plot, const std::optional<ViewRange>& range);
  void setCauses(const std::string& figure);  // without a step of the history
  // Rows of the selected head's layer; empty: clears the selection.
  void setRows(std::vector<std::int64_t> query, std::vector<std::int64_t> key);
  // Replaces the value (file opened, session restored) without a step of the history.
  void reset(const ViewSelection& value);

  bool canUndo() const { return m_history.canUndo(); }
  bool canRedo() const { return m_history.canRedo(); }
  void undo();
  void redo();

 Q_SIGNALS:
  void changed(const ViewSelection& now, const ViewSelection& before);

 private:
  template <typename Edit>
  void edit(int kind, const Edit& change);  // change(next) edits a copy of the value
  void show(const ViewSelection& next);
  void showStep(ViewSelection step);  // of the history

  ViewSelection m_value;
  History<ViewSelection> m_history;
};

}  // namespace plastiscope
