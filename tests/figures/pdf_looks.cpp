#include "figures/pdf_looks.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <string_view>

#include "core/base/files.h"

namespace plastiscope::test {

std::optional<QSizeF> pageOf(const QByteArray& pdf) {
  const auto box = QRegularExpression("/MediaBox \\[([-0-9.]+) ([-0-9.]+) ([-0-9.]+) ([-0-9.]+) *\\]")
                       .match(QString::fromLatin1(pdf));
  if (!box.hasMatch()) return {};
  return QSizeF(box.captured(3).toDouble() - box.captured(1).toDouble(),
                box.captured(4).toDouble() - box.captured(2).toDouble());
}

std::optional<QStringList> fontsOf(const QByteArray& pdf) {
  const QString tool = QStandardPaths::findExecutable("pdffonts");
  if (tool.isEmpty()) return {};
  const QTemporaryDir folder;
  const QString file = folder.filePath("figure.pdf");
  writeFileAtomically(file.toStdString(),
                      std::string_view(pdf.constData(), static_cast<std::size_t>(pdf.size())));
  QProcess process;
  process.start(tool, {file});
  if (!process.waitForFinished()) return QStringList();
  return QString::fromUtf8(process.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts).mid(2);  // header
}

bool isEmbeddedTrueType(const QString& fontLine) {
  return QRegularExpression("TrueType\\s+\\S+\\s+yes").match(fontLine).hasMatch();
}

}  // namespace plastiscope::test
