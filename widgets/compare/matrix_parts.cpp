#include "widgets/compare/matrix_parts.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/compare/measures.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace plastiscope {

namespace {

constexpr int kHeadMark = 14, kStripe = 3;

struct MatrixWords {
  Q_DECLARE_TR_FUNCTIONS(MatrixParts)
};

}  // namespace

// Colour bar of a row with its limits.
class ScaleStrip : public QWidget {
 public:
  explicit ScaleStrip(QWidget* parent) : QWidget(parent) { setFixedHeight(24); }
  void setScale(const std::optional<ColourScale>& scale) {
    m_scale = scale;
    setVisible(scale.has_value());
    update();
  }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    if (!m_scale) return;
    QPainter painter(this);
    const QRect strip(0, 0, width() - 8, 8);
    const ColourMap colours = colourMapOf(
        m_scale->colours,
        PlotStyle::screen(currentTheme().dark ? Theme::Dark : Theme::Light, QGuiApplication::font()));
    for (int x = 0; x < strip.width(); ++x)
      painter.fillRect(x, 0, 1, strip.height(), QColor(colours.at(static_cast<double>(x) / strip.width())));
    QFont font = painter.font();
    font.setPointSizeF(font.pointSizeF() * 0.82);
    painter.setFont(font);
    painter.setPen(currentTheme()[QStringLiteral("muted")]);
    const QRect below(0, 9, strip.width(), 15);
    painter.drawText(below, Qt::AlignLeft, QString::fromStdString(metricText(m_scale->low)));
    painter.drawText(below, Qt::AlignRight, QString::fromStdString(metricText(m_scale->high)));
  }

 private:
  std::optional<ColourScale> m_scale;
};

MatrixRowTitle::MatrixRowTitle(MatrixRow row, QWidget* parent)
    : QWidget(parent),
      m_what(styledLabel({}, "muted", this)),
      m_axes(styledLabel({}, "muted", this, -1)),
      m_less(new QPushButton(MatrixWords::tr("Diff."), this)),
      m_scale(new ScaleStrip(this)) {
  const QString title = QString::fromStdString(titleOf(row));
  auto* name = styledLabel(title, "strong", this);
  m_what->setWordWrap(true);
  for (QLabel* words : {m_what, m_axes}) words->setTextFormat(Qt::RichText);
  m_less->setCheckable(true);
  m_less->setObjectName(QStringLiteral("matrixDifference-") + QString::fromStdString(nameOf(row)));
  m_less->setProperty("small", true);
  explain(*m_less, MatrixWords::tr("Difference of %1 from the baseline").arg(title));
  m_less->setVisible(choosesDifferences(row));
  name->setVisible(row != MatrixRow::Numbers);  // each of its lines has a title
  setObjectName(QStringLiteral("matrixTitle"));
  auto* lines = columnIn(this, {rowOf({name, Stretch(), m_less}), m_what, m_scale, m_axes, Stretch()},
                         {.margins = {8, 2, 6, 2}, .spacing = 2});
  lines->setSizeConstraint(QLayout::SetNoConstraint);
}

void MatrixRowTitle::show(const Words& words, bool less, const std::optional<ColourScale>& scale) {
  m_what->setText(words.what);
  m_axes->setText(words.axes);
  m_axes->setVisible(!words.axes.isEmpty());
  m_less->setChecked(less);
  m_scale->setScale(scale);
}

MatrixColumnHead::MatrixColumnHead(QWidget* parent)
    : QFrame(parent),
      m_mark(new QLabel(this)),
      m_name(new ElidedLabel(600, this)),
      m_note(new ElidedLabel(600, this)),
      m_baseline(styledLabel(MatrixWords::tr("baseline"), "accent", this)),
      m_pin(iconButton(QStringLiteral("pin"), 12, {}, this)),
      m_close(iconButton(QStringLiteral("close"), 10, {}, this)) {
  setObjectName(QStringLiteral("matrixHead"));
  setProperty("card", "true");
  m_name->setProperty("strong", true);
  m_note->setProperty("muted", true);
  for (QToolButton* button : {m_pin, m_close}) button->setAutoRaise(true);
  columnIn(this,
           {rowOf({m_mark, m_name, Stretch(), m_close}, {.spacing = 5}),
            rowOf({m_note, Stretch(), m_baseline, m_pin}, {.spacing = 5})},
           {.margins = {7, 4, 2, 2}, .spacing = 0});
}

void MatrixColumnHead::show(const Look& look, const Words& words, bool baseline) {
  m_colour = look.colour;
  update();
  m_mark->setPixmap(look.mark.pixmap(QSize(kHeadMark, kHeadMark), devicePixelRatioF()));
  m_name->setName(words.name);
  m_note->setName(words.note);
  setToolTip(plainTip(words.whole));
  m_baseline->setVisible(baseline);
  m_pin->setVisible(!baseline);
  explain(*m_pin, MatrixWords::tr("Compare with %1: make it the baseline").arg(words.name));
  explain(*m_close, MatrixWords::tr("Remove %1 from the comparison").arg(words.name));
}

void MatrixColumnHead::paintEvent(QPaintEvent* event) {
  QFrame::paintEvent(event);
  QPainter(this).fillRect(0, 0, width(), kStripe, m_colour);
}

// ---- Numbers

namespace {

// Largest value that determines the decimals; 0 without an interval, as the precision is unknown.
double largestOf(const MatrixEstimate& difference) {
  if (!difference.interval.known()) return 0;
  double largest = std::fabs(difference.value);
  for (const double end : {difference.interval.low, difference.interval.high})
    if (std::isfinite(end)) largest = std::max(largest, std::fabs(end));
  return largest;
}

// Number of one capture: for the baseline with its interval, for others with the difference from it.
QString numberRow(const MatrixNumber& number, std::size_t column, bool less, bool published) {
  const auto text = [&number, published](double value) {
    return QString::fromStdString(comparedText(value, number.metric, published));
  };
  const MatrixEstimate &value = number.value[column], &difference = number.difference[column];
  const auto lessText = [&number, &difference, &text](double shown) {
    return number.metric.range
               ? QString::fromStdString(fixedText(shown, differenceDecimals(largestOf(difference))))
               : text(shown);
  };
  const auto ends = [](const Interval& interval, const auto& textOf) {
    return textOf(interval.low) + QStringLiteral("\u2009\u2026\u2009") + textOf(interval.high);
  };
  QString row = QStringLiteral("<td align='right' width='36'>%1</td>").arg(text(value.value));
  if (!less) {
    const bool known = value.interval.known();
    row += QStringLiteral("<td class='m' style='padding-left:6px'>%1&nbsp;</td>")
               .arg(known ? ends(value.interval, text) + QLatin1Char(' ') +
                                QString::fromStdString(nameOf(value.over))
                          : QString());
  } else if (!difference.verdict.empty() && difference.verdict != kDifferent) {
    row += QStringLiteral("<td class='m' colspan='2' style='padding-left:6px'>%1</td>")
               .arg(QString::fromStdString(difference.verdict));
  } else {
    const QString sign = difference.value > 0 ? QStringLiteral("+") : QString(),
                  shown = difference.isKnown() ? sign + lessText(difference.value) : QString(),
                  strong = difference.interval.known() ? QStringLiteral("<b>%1</b>").arg(shown) : shown;
    // A difference without an interval may be chance: no colour.
    const char* colour = !difference.interval.known() ? "text" : difference.value > 0 ? "bad" : "accent";
    row += QStringLiteral(
               "<td style='padding-left:6px; color:%1'>%2</td><td class='m' "
               "style='padding-left:6px'>%3&nbsp;</td>")
               .arg(currentTheme()[QLatin1String(colour)].name(), strong,
                    difference.interval.known() ? ends(difference.interval, lessText) : QString());
  }
  return QStringLiteral("<tr>%1</tr>").arg(row);
}

// Single-line text, so that rows align with their numbers.
QString lineOf(const QString& text) {
  return text.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;"));
}

QString tableOfRows(const QStringList& rows) {
  return QStringLiteral(
             "<qt><style>td{font-size:%1pt} .m{color:%2}</style><table cellspacing='0' "
             "cellpadding='1'>%3</table></qt>")
      .arg(QString::number(0.9 * QGuiApplication::font().pointSizeF()),
           currentTheme()[QStringLiteral("muted")].name(), rows.join(QString()));
}

// Headings of the columns.
QString headings(bool less) {
  QString row =
      QStringLiteral("<td class='m' align='right' width='36'>%1</td>").arg(MatrixWords::tr("value"));
  if (less)
    row += QStringLiteral("<td class='m' style='padding-left:6px'>%1</td>").arg(MatrixWords::tr("diff."));
  row += QStringLiteral("<td class='m' style='padding-left:6px'>%1</td>")
             .arg(less ? MatrixWords::tr("95 % over texts") : MatrixWords::tr("95 % over"));
  return QStringLiteral("<tr>%1</tr>").arg(row);
}

}  // namespace

QString matrixNumberTitles(const CompareMatrix& matrix) {
  QStringList rows = {QStringLiteral("<tr><td><b>%1</b></td></tr>")
                          .arg(lineOf(QString::fromStdString(titleOf(MatrixRow::Numbers))))};
  for (const MatrixNumber& number : matrix.numbers)
    rows.append(
        QStringLiteral("<tr><td>%1</td></tr>").arg(lineOf(QString::fromStdString(number.metric.title))));
  return tableOfRows(rows);
}

QString matrixNumbersText(const CompareMatrix& matrix, std::size_t column) {
  const bool less = matrix.differs(MatrixRow::Numbers) && column > 0;
  QStringList rows = {headings(less)};
  const bool published = publishedIdOf(matrix.columns[column].digest).has_value();
  for (const MatrixNumber& number : matrix.numbers) rows.append(numberRow(number, column, less, published));
  return tableOfRows(rows);
}

}  // namespace plastiscope
