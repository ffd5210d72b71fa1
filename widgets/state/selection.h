#pragma once
// What is selected in a model tab: one value, owned by one object; every view listens to its one signal.
#include <QObject>
#include <optional>
#include <set>
#include <string>

#include "core/base/json.h"
#include "core/capture/head_choice.h"
#include "widgets/state/history.h"

namespace plastiscope {

struct ViewSelection {
  std::optional<HeadName> head;
  std::string metric = "ap_overall";  // column of the heads table that colours the grid
  std::set<HeadName> marked;          // starred heads
  std::string filter;                 // of the head table (head_filter.h); "" = all heads
  bool operator==(const ViewSelection&) const = default;

  Json toJson() const;
  static ViewSelection fromJson(const Json& value);  // what is not understood keeps its default
};

class Selection : public QObject {
  Q_OBJECT
 public:
  explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

  const ViewSelection& value() const { return m_value; }
  void setHead(HeadName head);
  void setMetric(const std::string& metric);
  void toggleMark(HeadName head);
  void setFilter(const std::string& filter);
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
