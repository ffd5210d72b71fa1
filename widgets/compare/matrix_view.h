#pragma once
// Comparison as a matrix: views as rows, captures as columns, the first one the baseline. Titles stay visible
// while cells scroll; cursor, cell and head are common to all columns.
#include <QWidget>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/compare/compare_matrix.h"
#include "widgets/compare/compare_model.h"
#include "widgets/state/locked_ranges.h"
#include "widgets/state/sliced_work.h"

class QLabel;
class QPushButton;
class QScrollArea;

namespace plastiscope {

class FigureView;
class MatrixColumnHead;
class MatrixRowTitle;
class PlotView;

class MatrixView : public QWidget {
  Q_OBJECT
 public:
  explicit MatrixView(CompareModel& model, QWidget* parent = nullptr);
  ~MatrixView() override;

  void setViews(std::shared_ptr<const CompareViews> views);
  FigureView* cellAt(MatrixRow row, std::size_t column) const;  // null: no such cell, or a cell of numbers
  QString numbersAt(std::size_t column) const;                  // rich
  bool settled() const { return m_slices.done(); }              // all cells are up to date

 Q_SIGNALS:
  void cellMade(plastiscope::PlotView* view);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Cell {
    QLabel* note = nullptr;      // null: not made yet
    FigureView* view = nullptr;  // null in the row of numbers, which is text
  };
  struct CellPlace {
    MatrixRow row;
    std::size_t column;
    bool operator==(const CellPlace&) const = default;
  };
  Cell makeCell(MatrixRow row, std::size_t column);
  void build();  // makes the cells for all rows and columns
  void fill();
  // Cells are filled in time slices, visible ones first.
  void fillRow(MatrixRow row);
  bool fillNext();  // returns true if more are left
  bool isSeen(const CellPlace& place) const;
  void fillCell(const CellPlace& place);
  QRect rectOf(const CellPlace& place) const;  // in the body
  void putInPlace(const CellPlace& place);
  void arrange();
  void activated(MatrixRow row, std::size_t column, QPointF place);
  // Zooms all columns of a row alike.
  void zoomRow(MatrixRow row, const FigureView& by, const std::optional<ViewRange>& range);
  void zoomCell(MatrixRow row, FigureView& view) const;
  void forgetZooms(const CompareMatrix& before, const CompareMatrix& now);
  void setDifferences(MatrixRow row, bool wanted);
  void setAllDifferences(bool wanted);

  CompareModel& m_model;
  std::shared_ptr<const CompareViews> m_views;
  QLabel* m_corner;
  QPushButton *m_values, *m_less;  // for all rows
  QScrollArea *m_heads, *m_titles, *m_body;
  std::vector<MatrixColumnHead*> m_columnHeads;
  std::map<MatrixRow, MatrixRowTitle*> m_rowTitles;
  std::map<MatrixRow, std::vector<Cell>> m_cells;
  std::map<MatrixRow, std::pair<int, int>> m_rowPlaces;  // top and height
  int m_columnWidth = 0;
  std::map<MatrixRow, ViewRange> m_zooms;  // as shares of the whole range of each cell
  std::vector<CellPlace> m_waiting;        // to be filled
  SlicedWork m_slices;
};

}  // namespace plastiscope
