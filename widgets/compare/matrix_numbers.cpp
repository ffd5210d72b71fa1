#include "widgets/compare/matrix_numbers.h"

#include <QColor>
#include <QCoreApplication>
#include <QStringList>

#include "widgets/state/theme.h"

namespace plastiscope {

namespace {

struct NumberWords {
  Q_DECLARE_TR_FUNCTIONS(MatrixNumbers)
};

// A number of one capture, and how it differs from the baseline.
QString numberRow(const MatrixNumber& number, std::size_t column, bool less) {
  const auto text = [&number](double value) {
    return QString::fromStdString(metricText(value, number.metric));
  };
  const MatrixEstimate &value = number.value[column], &difference = number.difference[column];
  QString row = QStringLiteral("<td align='right' width='52'>%1</td>").arg(text(value.value));
  if (!less) {
    const bool known = value.interval.known();
    row +=
        QStringLiteral("<td class='m' style='padding-left:10px'>%1</td>")
            .arg(known
                     ? QStringLiteral("%1 \u2026 %2").arg(text(value.interval.low), text(value.interval.high))
                     : QString());
  } else if (!difference.isKnown()) {
    row += QStringLiteral("<td></td>");
  } else if (difference.differs().has_value() && !*difference.differs()) {
    row += QStringLiteral("<td class='m' style='padding-left:10px'>%1</td>")
               .arg(NumberWords::tr("not distinguishable"));
  } else {
    const QString sign = difference.value > 0 ? QStringLiteral("+") : QString();
    row += QStringLiteral("<td style='padding-left:10px; color:%1'><b>%2%3</b></td>")
               .arg(currentTheme()[difference.value > 0 ? QStringLiteral("bad") : QStringLiteral("accent")]
                        .name(),
                    sign, text(difference.value));
    if (difference.interval.known())
      row += QStringLiteral("<td class='m' style='padding-left:8px'>%1 \u2026 %2</td>")
                 .arg(text(difference.interval.low), text(difference.interval.high));
  }
  return QStringLiteral("<tr>%1</tr>").arg(row);
}

// As one line, so that rows stand beside their numbers.
QString lineOf(const QString& text) {
  return text.toHtmlEscaped().replace(QLatin1Char(' '), QStringLiteral("&nbsp;"));
}

QString tableOfRows(const QStringList& rows) {
  return QStringLiteral(
             "<qt><style>.m{color:%1}</style><table cellspacing='0' cellpadding='1'>%2</table></qt>")
      .arg(currentTheme()[QStringLiteral("muted")].name(), rows.join(QString()));
}

}  // namespace

QString matrixNumberTitles(const CompareMatrix& matrix) {
  QStringList rows;
  for (const MatrixNumber& number : matrix.numbers)
    rows.append(
        QStringLiteral("<tr><td>%1</td></tr>").arg(lineOf(QString::fromStdString(number.metric.title))));
  return tableOfRows(rows);
}

QString matrixNumbersText(const CompareMatrix& matrix, std::size_t column) {
  const bool less = matrix.differs(MatrixRow::Numbers) && column > 0;
  QStringList rows;
  for (const MatrixNumber& number : matrix.numbers) rows.append(numberRow(number, column, less));
  return tableOfRows(rows);
}

}  // namespace plastiscope
