#pragma once
// Head grids and plasticity maps of compared models: side by side, as the difference of two, and as text.
#include <QIcon>
#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

#include "core/compare/matching.h"
#include "widgets/compare/compare_model.h"
#include "widgets/state/sliced_work.h"

class QComboBox;
class QHBoxLayout;
class QStackedWidget;

namespace plastiscope {

class ColumnHeader;
class HeadGridView;
class PlasticityMapView;
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
  void setViews(const CompareViews& views);
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

// ---- Texts on compared views

// "A 0.612 · B 0.587": profiles nearest to a position in the first model's window; other models use the same
// share of the window or the same token, depending on the axis.
QString profilesAt(const CompareViews& views, std::int64_t position);

// The selected cell of the first available map; other maps show the cell at the same distances. Nullopt: no
// selected cell, no map, or the cell is outside the first map.
std::optional<MapCell> markedCell(const CompareModel& model);

QString cellValue(const ComparedCell& cell);          // "PP 0.612", "no pairs"
QString cellPlace(const MapData& map, MapCell cell);  // in tokens
// Values of all models at a cell of the map of model `index`, for a tool tip (rich).
QString cellTip(const CompareViews& views, std::size_t index, MapCell cell);

// Difference of another model from the first: by head, or by cell of the plasticity maps.
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
  void setViews(const CompareViews& views);
  void fillAgainst(const CompareViews& views);
  void mark();  // marks the cell of the maps

  CompareModel& m_model;
  QComboBox *m_what, *m_against;
  QStackedWidget* m_stack;
  HeadGridView* m_heads;
  PlasticityMapView* m_map;
};

}  // namespace plastiscope
