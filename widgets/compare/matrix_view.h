#pragma once
// The comparison as a matrix: views down, captures across, the first of them the baseline. Titles of rows and
// columns stay while the cells are scrolled; cursor, cell and head are the same in all columns.
#include <QWidget>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/compare/compare_matrix.h"
#include "widgets/compare/compare_model.h"
#include "widgets/state/locked_ranges.h"
#include "widgets/state/turns.h"

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
  FigureView* cellAt(MatrixRow row, std::size_t column) const;  // null: no such cell, or of numbers
  QString numbersAt(std::size_t column) const;                  // rich; as shown
  bool settled() const { return m_turns.done(); }               // all cells show what they should

 Q_SIGNALS:
  void cellMade(plastiscope::PlotView* view);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* object, QEvent* event) override;

 private:
  struct Cell {
    QLabel* note = nullptr;      // null: not made yet
    FigureView* view = nullptr;  // null in the row of numbers, which is a text
  };
  struct CellPlace {
    MatrixRow row;
    std::size_t column;
    bool operator==(const CellPlace&) const = default;
  };
  Cell makeCell(MatrixRow row, std::size_t column);
  void build();  // cells as many as there are rows and columns
  void fill();
  // Very many cells take long: they are filled in turns, those that are seen first.
  void fillRow(MatrixRow row);
  bool fillNext();  // whether more are waiting
  bool isSeen(const CellPlace& place) const;
  void fillCell(const CellPlace& place);
  QRect rectOf(const CellPlace& place) const;  // in the body
  void putInPlace(const CellPlace& place);
  void arrange();
  void activated(MatrixRow row, std::size_t column, QPointF place);
  // All columns of a row show the same part.
  void zoomRow(MatrixRow row, const FigureView& by, const std::optional<ViewRange>& range);
  void zoomCell(MatrixRow row, FigureView& view) const;
  void forgetZooms(const CompareMatrix& before, const CompareMatrix& now);
  void setDifferences(MatrixRow row, bool wanted);
  void setAllDifferences(bool wanted);

  CompareModel& m_model;
  std::shared_ptr<const CompareViews> m_views;
  QLabel* m_corner;
  QPushButton *m_values, *m_less;  // of all rows at once
  QScrollArea *m_heads, *m_titles, *m_body;
  std::vector<MatrixColumnHead*> m_columnHeads;
  std::map<MatrixRow, MatrixRowTitle*> m_rowTitles;
  std::map<MatrixRow, std::vector<Cell>> m_cells;
  std::map<MatrixRow, std::pair<int, int>> m_rowPlaces;  // from the top, and height
  int m_columnWidth = 0;
  std::map<MatrixRow, ViewRange> m_zooms;  // in shares of what each cell shows as a whole
  std::vector<CellPlace> m_waiting;        // to be filled
  Turns m_turns;
};

}  // namespace plastiscope
