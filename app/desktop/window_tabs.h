#pragma once
// The tabs of the window, and what the current one shows.
#include <QTabWidget>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "core/capture/head_list.h"

namespace plastiscope {

class AnalysisFile;
class PanelWindow;
class Selection;

class WindowTabs : public QTabWidget {
  Q_OBJECT
 public:
  explicit WindowTabs(QWidget* parent = nullptr);

  template <typename Page>
  Page* current() const {  // null for a page of another kind
    return qobject_cast<Page*>(currentWidget());
  }
  template <typename Page>
  std::vector<Page*> pages() const {  // of this kind, in order
    std::vector<Page*> pages;
    for (int i = 0; i < count(); ++i) {
      if (auto* page = qobject_cast<Page*>(widget(i))) pages.push_back(page);
    }
    return pages;
  }
  // These five refer to the current model or compare tab: null, empty or nullopt for other tabs.
  PanelWindow* panels() const;
  Selection* selection() const;
  std::shared_ptr<const AnalysisFile> analysis() const;
  std::vector<HeadName> heads() const;
  std::optional<HeadName> neighbourHead(int step) const;

  // Tab of a file that is open, being opened or missing; -1: none.
  int tabOf(const std::filesystem::path& file) const;
  QWidget* pageOf(const std::filesystem::path& file) const { return widget(tabOf(file)); }
  void close(int index);
  void step(int by);
  bool settled() const;  // no page loads or waits for data

 Q_SIGNALS:
  void closing(QWidget* page);  // to be deleted later
  void closed();
};

}  // namespace plastiscope
