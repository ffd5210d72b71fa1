#pragma once
// Difference of another model from the first: by head, or by cell of the plasticity maps.
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
  // Choices for the title bar: heads or maps, and the model.
  QComboBox* what() const { return m_what; }
  QComboBox* against() const { return m_against; }

 Q_SIGNALS:
  void titleChanged(const QString& title);

 private:
  void choose();
  void take(const CompareViews& views);
  void fillAgainst(const CompareViews& views);
  void mark();  // marks the cell of the maps

  CompareModel& m_model;
  QComboBox *m_what, *m_against;
  QStackedWidget* m_stack;
  HeadGridView* m_heads;
  PlasticityMapView* m_map;
};

}  // namespace plastiscope
