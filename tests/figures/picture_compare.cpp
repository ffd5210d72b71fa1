#include "figures/picture_compare.h"

#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "core/base/files.h"

namespace plastiscope::test {

namespace {

constexpr int kCompareWindow = 8;

// Structural similarity of one window (Wang et al. 2004, constants for 8-bit grey).
double windowSimilarity(const QImage& a, const QImage& b, int left, int top) {
  double n = 0, sumA = 0, sumB = 0, sumAA = 0, sumBB = 0, sumAB = 0;
  for (int y = top; y < top + kCompareWindow; ++y) {
    for (int x = left; x < left + kCompareWindow; ++x) {
      const double va = a.constScanLine(y)[x], vb = b.constScanLine(y)[x];
      n += 1;
      sumA += va;
      sumB += vb;
      sumAA += va * va;
      sumBB += vb * vb;
      sumAB += va * vb;
    }
  }
  const double meanA = sumA / n, meanB = sumB / n;
  const double varA = sumAA / n - meanA * meanA, varB = sumBB / n - meanB * meanB,
               cov = sumAB / n - meanA * meanB;
  constexpr double kC1 = 6.5025, kC2 = 58.5225;
  return (2 * meanA * meanB + kC1) * (2 * cov + kC2) /
         ((meanA * meanA + meanB * meanB + kC1) * (varA + varB + kC2));
}

}  // namespace

double similarity(const QImage& a, const QImage& b, int width) {
  if (a.isNull() || b.isNull()) return 0;
  const double shapeA = static_cast<double>(a.height()) / a.width(),
               shapeB = static_cast<double>(b.height()) / b.width();
  if (std::fabs(shapeA / shapeB - 1) > 0.01) return 0;
  const int height = static_cast<int>(std::lround(width * shapeA));
  const auto reduced = [&](const QImage& image) {
    return image.scaled(width, height, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
        .convertToFormat(QImage::Format_Grayscale8);
  };
  const QImage ga = reduced(a), gb = reduced(b);
  double sum = 0;
  int windows = 0;
  for (int top = 0; top + kCompareWindow <= height; top += kCompareWindow / 2) {
    for (int left = 0; left + kCompareWindow <= width; left += kCompareWindow / 2) {
      sum += windowSimilarity(ga, gb, left, top);
      ++windows;
    }
  }
  return windows == 0 ? 0 : sum / windows;
}

double largestDifference(const QImage& a, const QImage& b) {
  if (a.isNull() || a.size() != b.size()) return 255;
  const QImage ca = a.convertToFormat(QImage::Format_RGB32), cb = b.convertToFormat(QImage::Format_RGB32);
  double largest = 0;
  for (int top = 0; top + kCompareWindow <= ca.height(); top += kCompareWindow / 2) {
    for (int left = 0; left + kCompareWindow <= ca.width(); left += kCompareWindow / 2) {
      std::array<double, 3> sums{};
      for (int y = top; y < top + kCompareWindow; ++y) {
        for (int x = left; x < left + kCompareWindow; ++x) {
          const QRgb p = ca.pixel(x, y), q = cb.pixel(x, y);
          sums[0] += std::abs(qRed(p) - qRed(q));
          sums[1] += std::abs(qGreen(p) - qGreen(q));
          sums[2] += std::abs(qBlue(p) - qBlue(q));
        }
      }
      largest =
          std::max(largest, *std::max_element(sums.begin(), sums.end()) / (kCompareWindow * kCompareWindow));
    }
  }
  return largest;
}

double shareOf(const QImage& image, QRgb colour, int tolerance) {
  std::int64_t hits = 0;
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      const QRgb p = image.pixel(x, y);
      const int off = std::max({std::abs(qRed(p) - qRed(colour)), std::abs(qGreen(p) - qGreen(colour)),
                                std::abs(qBlue(p) - qBlue(colour))});
      if (off <= tolerance) ++hits;
    }
  }
  return static_cast<double>(hits) / (static_cast<double>(image.width()) * image.height());
}

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
