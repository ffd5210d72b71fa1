#pragma once
// Side-by-side views of compared models: head grids and plasticity maps.
#include <QIcon>
#include <QWidget>
#include <vector>

#include "core/compare/matching.h"
#include "widgets/compare/compare_model.h"
#include "widgets/state/sliced_work.h"

class QHBoxLayout;

namespace plastiscope {

class ColumnHeader;
class PlotView;

// A view per model below a line with the model's name. Columns follow the models and are filled in time
// slices while visible; derived classes define their content.
class CompareColumns : public QWidget {
  Q_OBJECT
 public:
  bool settled() const { return m_slices.done(); }  // all columns are up to date

 Q_SIGNALS:
  void viewMade(plastiscope::PlotView* view);

 protected:
  CompareColumns(CompareModel& model, QWidget* parent);

  CompareModel& model() const { return m_model; }
  std::size_t columns() const { return m_columns.size(); }
  PlotView* viewAt(std::size_t index) const { return m_columns[index].view; }
  // Makes the view of a new column, which owns it.
  virtual PlotView* makeView(std::size_t index) = 0;
  // Shows model `index` in its view.
  virtual void fill(PlotView& view, const CompareViews& views, std::size_t index) = 0;
  // Note to the right of the model's name.
  virtual QString noteOf(const CompareViews& views, std::size_t index) const = 0;
  void retitle();  // after notes have changed
  void changeEvent(QEvent* event) override;

 private:
  struct Column {
    QWidget* holder = nullptr;
    ColumnHeader* header = nullptr;
    PlotView* view = nullptr;
  };
  void take(const CompareViews& views);
  void makeNext();
  bool fillNext();  // returns true if more are left
  void retitle(const CompareViews& views, std::size_t index);
  Column makeColumn(std::size_t index);

  CompareModel& m_model;
  QHBoxLayout* m_row;
  std::vector<Column> m_columns;  // made so far
  std::vector<QIcon> m_marks;     // [models]
  std::size_t m_next = 0;         // next column to fill
  SlicedWork m_slices;
};

// Head grids with a common colour range and linked heads.
class CompareGrids : public CompareColumns {
  Q_OBJECT
 public:
  explicit CompareGrids(CompareModel& model, QWidget* parent = nullptr);

 protected:
  PlotView* makeView(std::size_t index) override;
  void fill(PlotView& view, const CompareViews& views, std::size_t index) override;
  QString noteOf(const CompareViews& views, std::size_t index) const override;
};

// Maps with a common colour range unless unlocked, and a common marked cell.
class CompareMaps : public CompareColumns {
  Q_OBJECT
 public:
  explicit CompareMaps(CompareModel& model, QWidget* parent = nullptr);

 Q_SIGNALS:
  void placeChanged(const QString& place);  // place of the marked cell; "" = none

 protected:
  PlotView* makeView(std::size_t index) override;
  void fill(PlotView& view, const CompareViews& views, std::size_t index) override;
  QString noteOf(const CompareViews& views, std::size_t index) const override;

 private:
  std::vector<ComparedCell> markedCells(const CompareViews& views) const;  // [models]
  void mark();
  void activated(std::size_t index, MapCell cell);
};

}  // namespace plastiscope
