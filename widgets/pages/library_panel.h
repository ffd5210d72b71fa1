#pragma once
// Library dock: a filter box over the tree of models, captures and analyses; and the details dock below it.
#include <QWidget>
#include <filesystem>
#include <vector>

#include "widgets/models/library_model.h"

class QLabel;
class QLineEdit;
class QMenu;
class QSortFilterProxyModel;
class QTreeView;

namespace plastiscope {

class IconLabel;

class LibraryPanel : public QWidget {
  Q_OBJECT
 public:
  explicit LibraryPanel(LibraryModel& model, QWidget* parent = nullptr);
  void select(const std::filesystem::path& path);  // emits nothing
  const LibraryEntry* selected() const;            // the current one

 Q_SIGNALS:
  void selectionChanged();
  void opened(const std::filesystem::path& path);                               // double click, Enter
  void captureRequested(const std::filesystem::path& model);                    // context menu
  void compareRequested(const std::filesystem::path& study);                    // context menu
  void comparisonRequested(const std::vector<std::filesystem::path>& studies);  // of several selected ones
  void refreshRequested();

 private:
  void showMenu(const QPoint& place);
  bool addSeveral(QMenu& menu);  // entries for several selected studies; false: fewer are selected
  void rebuilt();

  LibraryModel& m_model;
  QSortFilterProxyModel* m_proxy;
  QLineEdit* m_filter;
  QTreeView* m_tree;
  std::filesystem::path m_chosen;  // kept while the tree is rebuilt
};

// Properties of the entry selected in the library or of the current tab.
class DetailsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit DetailsPanel(QWidget* parent = nullptr);
  void show(const LibraryEntry& entry);
  void clear();
  using QWidget::show;

 private:
  IconLabel* m_icon;
  QLabel *m_name, *m_empty;
  QWidget* m_rows = nullptr;
  QWidget* m_body;
};

}  // namespace plastiscope
