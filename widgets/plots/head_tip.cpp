#include "widgets/plots/head_tip.h"

#include <QObject>
#include <QTextDocument>
#include <QToolTip>
#include <algorithm>

namespace plastiscope {

namespace {

constexpr int kMaxOfNote = 300;  // characters

QString cardHtml(const std::vector<CardLine>& card, const QString& name, const QColor& colour) {
  QString html = QStringLiteral("<table cellspacing='0' cellpadding='1'>");
  for (std::size_t i = 0; i < card.size(); ++i) {
    const QString label = QString::fromStdString(card[i].label),
                  value = QString::fromStdString(card[i].value);
    html += i == 0 ? QStringLiteral(
                         "<tr><td><span style='background-color:%1'>&nbsp;&nbsp;&nbsp;</span> "
                         "<b>%2 %3</b>&nbsp;&nbsp;&nbsp;</td><td align='right'>%4</td></tr>")
                         .arg(colour.name(), label, value, name)
                   : QStringLiteral("<tr><td>%1&nbsp;</td><td align='right'>%2</td></tr>").arg(label, value);
  }
  return html + QStringLiteral("</table>");
}

QString noteHtml(const std::string& note) {
  return QStringLiteral("<hr><i>%1</i>")
      .arg(QString::fromStdString(note)
               .left(kMaxOfNote)
               .toHtmlEscaped()
               .replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

}  // namespace

QString headTip(const HeadGridData& data, HeadName cell, const QColor& colour, const HeadRemarks& remarks) {
  const QString name = QString::fromStdString(data.nameOf(cell)),
                problem = QString::fromStdString(remarks.problem).toHtmlEscaped();
  if (!data.at(cell.layer, cell.head).captured) {
    const QString why =
        problem.isEmpty() ? QObject::tr("not captured") : QObject::tr("damaged: %1").arg(problem);
    return "<b>" + name + "</b><br>" + why;
  }
  return cardHtml(headCard(data, cell), name, colour) +
         (remarks.note.empty() ? QString() : noteHtml(remarks.note)) +
         (problem.isEmpty() ? QString() : QObject::tr("<hr>Damaged: %1").arg(problem));
}

QPoint tipPlace(const QString& html, const QRect& cell, const QRect& view) {
  QTextDocument text;
  text.setDefaultFont(QToolTip::font());
  text.setHtml(html);
  const QSize size = text.size().toSize() + QSize(10, 8);  // plus the frame of a tip
  constexpr int kAway = 8;
  const int top = std::clamp(cell.top(), view.top(), std::max(view.top(), view.bottom() - size.height()));
  if (cell.right() + kAway + size.width() <= view.right()) return {cell.right() + kAway, top};
  if (cell.left() - kAway - size.width() >= view.left()) return {cell.left() - kAway - size.width(), top};
  const int left = std::max(view.left(), view.right() - size.width());
  const bool below = cell.bottom() + kAway + size.height() <= view.bottom();
  return {left, below ? cell.bottom() + kAway : cell.top() - kAway - size.height()};
}

}  // namespace plastiscope
