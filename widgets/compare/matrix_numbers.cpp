#include "widgets/compare/matrix_numbers.h"

#include <QColor>
#include <QCoreApplication>
#include <QGuiApplication>
#include <QStringList>
#include <algorithm>
#include <cmath>

#include "widgets/state/theme.h"

namespace plastiscope {

namespace {

struct NumberWords {
  Q_DECLARE_TR_FUNCTIONS(MatrixNumbers)
};

// Largest value that determines the decimals; 0 without an interval, as the precision is unknown.
double largestOf(const MatrixEstimate& difference) {
  if (!difference.interval.known()) return 0;
  double largest = std::fabs(difference.value);
  for (const double end : {difference.interval.low, difference.interval.high})
    if (std::isfinite(end)) largest = std::max(largest, std::fabs(end));
  return largest;
}

// Number of one capture: for the baseline with its interval, for others with the difference from it.
QString numberRow(const MatrixNumber& number, std::size_t column, bool less) {
  const auto text = [&number](double value) {
    return QString::fromStdString(metricText(value, number.metric));
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
      QStringLiteral("<td class='m' align='right' width='36'>%1</td>").arg(NumberWords::tr("value"));
  if (less)
    row += QStringLiteral("<td class='m' style='padding-left:6px'>%1</td>").arg(NumberWords::tr("diff."));
  row += QStringLiteral("<td class='m' style='padding-left:6px'>%1</td>")
             .arg(less ? NumberWords::tr("95 % over texts") : NumberWords::tr("95 % over"));
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
  for (const MatrixNumber& number : matrix.numbers) rows.append(numberRow(number, column, less));
  return tableOfRows(rows);
}

}  // namespace plastiscope
