#pragma once
// One line of text with <sub>, <sup>, <i>, <b>, as vectors: axis titles and legends such as r<sub>Q</sub>.
#include <QFont>
#include <QPointF>
#include <QSizeF>
#include <QString>
#include <vector>

class QPainter;

namespace plastiscope {

class RichText {
 public:
  // Unknown tags are shown as they stand; &lt; &gt; &amp; are understood.
  RichText(const QString& markup, const QFont& font);
  QSizeF size() const { return {m_width, m_height}; }
  double ascent() const { return m_ascent; }  // of the baseline below the top
  // With the painter's pen; `topLeft` of the line box.
  void draw(QPainter& painter, QPointF topLeft) const;

  // What fits: of "long title|short title" the first that does; then trailing " · parts" are left out; then
  // the type shrinks to at least 70 %.
  static RichText fitted(const QString& markup, const QFont& font, double width);
  // The markup that is left of it, before the type shrinks.
  static QString fittedMarkup(const QString& markup, const QFont& font, double width);

 private:
  struct Run {
    QString text;
    QFont font;
    double x = 0, rise = 0;  // from the line's start; above the baseline
  };
  std::vector<Run> m_runs;
  double m_width = 0, m_height = 0, m_ascent = 0;
};

}  // namespace plastiscope
