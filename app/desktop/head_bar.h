#pragma once
// Tool bar of the window: actions, the metric that colours the heads, the chosen head, the search.
#include <QToolBar>
#include <functional>

#include "app/desktop/window_tabs.h"
#include "widgets/pages/message_bar.h"

namespace plastiscope {

class CommandPalette;
class HeadStepper;
class MetricBox;
struct Command;

class HeadBar : public QToolBar {
  Q_OBJECT
 public:
  struct Commands {
    std::function<QAction*(const char* name)> action;
    std::function<std::vector<Command>()> listed;  // by the search
  };
  HeadBar(WindowTabs& tabs, MessageBar& messages, const Commands& commands);

  void refresh();  // after another page, or its selection
  CommandPalette& palette() const { return *m_palette; }
  // Metric that the current tab shows; "" = none.
  std::string metric() const;
  void stepHead(int by);
  void toggleStar();

 private:
  void addActions(const Commands& commands);
  void addMetric();
  void fillMetrics();
  void chooseHead(HeadName head);

  WindowTabs& m_tabs;
  MessageBar& m_messages;
  MetricBox* m_metric = nullptr;
  HeadStepper* m_stepper = nullptr;
  CommandPalette* m_palette = nullptr;
  std::shared_ptr<const AnalysisFile> m_metricsOf;  // analysis whose metrics are in the box
};

}  // namespace plastiscope
