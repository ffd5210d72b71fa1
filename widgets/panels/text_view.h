#pragma once
// A text of a capture as a document: tokens in the colour of what the head says of them, captured rows told
// from the rest, an overview of the whole text beside it. Only what is seen is drawn.
#include <QAbstractScrollArea>
#include <QImage>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/views/text_data.h"

namespace plastiscope {

// What stands on the page; the document and the rows belong to one example.
struct TextPage {
  std::shared_ptr<const TextDocument> text;
  std::shared_ptr<const HeadText> head;  // may be null: the words alone
  QueryOrKey coloured = QueryOrKey::Query;
  TokenMeasure measure = TokenMeasure::A;
};

// The colours of a page from low to high, with the numbers at both ends.
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

class TextView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit TextView(QWidget* parent = nullptr);
  void setPage(TextPage page);
  // Instead of a text; "" shows it again (setPage does too).
  void setMessage(const QString& sentence);
  const QString& message() const { return m_message; }
  // Positions: rows that are selected, words found, ascending; keys that a chosen query scores highest, the
  // highest first: they are numbered.
  void setSelected(std::vector<std::int64_t> query, std::vector<std::int64_t> key);
  void setStrongest(std::vector<std::int64_t> keys);
  void setFound(std::vector<TokenSpan> places);         // ascending
  void setLinked(std::vector<std::int64_t> positions);  // at the characters selected in another tab
  void show(std::int64_t position);                     // scrolls when it is out of sight

  // The tokens in sight, [first, last).
  std::pair<std::int64_t, std::int64_t> seen() const;
  std::optional<std::int64_t> tokenAt(const QPoint& inViewport) const;
  QRectF rectOf(std::int64_t position) const;  // in the viewport
  std::pair<double, double> range() const { return m_range; }
  QSize sizeHint() const override { return {520, 420}; }

 Q_SIGNALS:
  void tokenActivated(qint64 position);
  void rowStepped(int step);  // to the captured row before or after, by the arrow keys
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
  struct Line {
    std::size_t first = 0, last = 0;  // tokens
  };
  void layOut();
  void colour();
  void drawLine(QPainter& painter, const Line& line, double top);
  void drawFound(QPainter& painter, const Line& line, double top) const;
  void drawRank(QPainter& painter, int rank, const QRectF& frame) const;
  int rankOf(std::int64_t position) const;  // among the strongest keys, from 1; 0: not one of them
  void drawOverview(QPainter& painter);
  QImage overview(int height) const;
  double lineHeight() const;
  double widthOf(std::size_t token) const { return m_widths[token]; }
  std::size_t lineOf(std::int64_t position) const;
  QRect overviewRect() const;
  void goToOverview(const QPoint& place);
  bool hasOverview() const { return m_lines.size() > static_cast<std::size_t>(pageLines()); }
  int pageLines() const;
  QString tipOf(std::int64_t position) const;

  TextPage m_page;
  QString m_message;
  std::unordered_map<std::string, double> m_knownWidths;  // of tokens, pixels
  std::vector<double> m_widths;                           // [tokens]
  std::vector<Line> m_lines;
  std::vector<float> m_values;   // [tokens]
  std::vector<bool> m_captured;  // [tokens] with a value of their own
  std::vector<bool> m_other;     // [tokens] with a sampled row of the other kind
  std::pair<double, double> m_range{0, 1};
  std::vector<std::int64_t> m_query, m_key, m_linked;  // ascending
  std::vector<TokenSpan> m_found;
  std::vector<std::int64_t> m_strongest;  // highest score first
  double m_gutter = 0;
  QImage m_overview;
};

}  // namespace plastiscope
