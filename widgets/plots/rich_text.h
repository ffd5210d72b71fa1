#pragma once
// One line of text with <sub>, <sup>, <i>, <b>, as vectors: titles and legend entries as r<sub>Q</sub>.
#include <QFont>
#include <QPointF>
#include <QSizeF>
#include <QString>
#include <vector>

class QPainter;

namespace plastiscope {

class RichText {
 public:
  // Unknown tags are shown literally; &lt; &gt; &amp; are decoded.
  RichText(const QString& markup, const QFont& font);
  QSizeF size() const { return {m_width, m_height}; }
  double ascent() const { return m_ascent; }  // from the top to the baseline
  // Uses the painter's pen; `topLeft` of the line box.
  void draw(QPainter& painter, QPointF topLeft) const;

  // Fits a text: the first of "long title|short title" that fits; then trailing " · parts" are left out; then
  // the font shrinks to at least 70 %.
  static RichText fitted(const QString& markup, const QFont& font, double width);
  // The markup that remains before the font shrinks.
  static QString fittedMarkup(const QString& markup, const QFont& font, double width);

 private:
  struct Run {
    QString text;
    QFont font;
    double x = 0, rise = 0;  // from the start of the line; above the baseline
  };
  std::vector<Run> m_runs;
  double m_width = 0, m_height = 0, m_ascent = 0;
};

}  // namespace plastiscope
