#pragma once
// Another model less the first: head by head, or cell by cell of the plasticity maps.
#include <QWidget>

#include "widgets/compare/compare_model.h"

class QComboBox;
class QStackedWidget;

namespace plastiscope {

class HeadGridView;
class PlasticityMapView;

class CompareDifference : public QWidget {
  Q_OBJECT
 public:
  explicit CompareDifference(CompareModel& model, QWidget* parent = nullptr);
  // For the title bar: heads or maps, and which model.
  QComboBox* what() const { return m_what; }
  QComboBox* against() const { return m_against; }

 Q_SIGNALS:
  void titleChanged(const QString& title);

 private:
  void choose();
  void take(const CompareViews& views);
  void fillAgainst(const CompareViews& views);
  void mark();  // the cell of the maps

  CompareModel& m_model;
  QComboBox *m_what, *m_against;
  QStackedWidget* m_stack;
  HeadGridView* m_heads;
  PlasticityMapView* m_map;
};

}  // namespace plastiscope
