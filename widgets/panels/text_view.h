#pragma once
// A text of a capture as a document: tokens coloured by values of a head, captured rows distinguished, with
// an overview of the whole text. Draws only the visible part.
#include <QAbstractScrollArea>
#include <QFont>
#include <QImage>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/query_or_key.h"
#include "core/views/text_excerpt.h"

namespace plastiscope {

// Widths of a document's tokens in a font, in pixels. Long texts have thousands of different tokens, so
// workers measure them.
struct TokenWidths {
  QFont font;
  std::vector<double> tokens;
};
TokenWidths measureTokens(const TextDocument& text, const QFont& font);

// Content of the page; document and rows belong to one example. The keys with the highest scores are
// numbered.
struct TextPage {
  std::shared_ptr<const TextDocument> text;
  std::shared_ptr<const HeadText> head;  // may be null: text only
  QueryOrKey coloured = QueryOrKey::Query;
  TokenMeasure measure = TokenMeasure::A;
  std::shared_ptr<const TokenWidths> widths = {};  // null, or of another font: the view measures
};

class TextView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit TextView(QWidget* parent = nullptr);
  void setPage(TextPage page);
  // Shown instead of a text; "" shows the text again, as does setPage.
  void setMessage(const QString& sentence);
  const QString& message() const { return m_message; }
  // Positions of selected rows, ascending.
  void setSelected(std::vector<std::int64_t> query, std::vector<std::int64_t> key);
  void setFound(std::vector<TokenSpan> places);         // ascending
  void setLinked(std::vector<std::int64_t> positions);  // matches of the characters selected in another tab
  void show(std::int64_t position);                     // scrolls if it is not visible
  void showFirst(std::int64_t position);                // scrolls its line to the top, if possible

  // Visible tokens, [first, last).
  std::pair<std::int64_t, std::int64_t> seen() const;
  std::optional<std::int64_t> tokenAt(const QPoint& inViewport) const;
  QRectF rectOf(std::int64_t position) const;  // in the viewport
  std::pair<double, double> range() const { return m_colours.range; }
  QSize sizeHint() const override { return {520, 420}; }

 Q_SIGNALS:
  void tokenActivated(qint64 position);
  void rowStepped(int step);  // arrow keys: to the next or previous captured row
  void seenChanged();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;  // tool tips

 private:
  static constexpr int kTextGap = 8, kOverviewWidth = 44;

  void layOut();
  void colour();
  void drawLine(QPainter& painter, const TokenLine& line, double top);
  void drawFound(QPainter& painter, const TokenLine& line, double top) const;
  void drawRank(QPainter& painter, int rank, const QRectF& frame) const;
  std::span<const std::int64_t> strongest() const;
  int rankOf(std::int64_t position) const;  // rank among the strongest keys, from 1; 0: not among them
  void drawOverview(QPainter& painter);
  QImage overview(QSize size) const;
  double lineHeight() const;
  double widthOf(std::size_t token) const { return m_page.widths->tokens[token]; }
  std::size_t lineOf(std::int64_t position) const;
  QRect overviewRect() const;
  void goToOverview(const QPoint& place);
  bool hasOverview() const { return m_lines.size() > static_cast<std::size_t>(pageLines()); }
  int pageLines() const;
  QString tipOf(std::int64_t position) const;

  TextPage m_page;
  QString m_message;
  double m_gutter = 0, m_room = 0;  // width for positions; width of a line, pixels
  std::vector<TokenLine> m_lines;
  TokenColouring m_colours;
  std::vector<std::int64_t> m_query, m_key, m_linked;  // ascending
  std::vector<TokenSpan> m_found;
  QImage m_overview;
};

// Colour scale from low to high with the numbers at both ends.
class ColourStrip : public QWidget {
  Q_OBJECT
 public:
  explicit ColourStrip(QWidget* parent = nullptr);
  void setScale(QueryOrKey kind, std::pair<double, double> range);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text(double value) const;
  QueryOrKey m_kind = QueryOrKey::Query;
  std::pair<double, double> m_range{0, 1};
};

}  // namespace plastiscope
