#include "widgets/compare/compare_tips.h"

#include <QCoreApplication>
#include <cmath>

#include "core/base/error.h"

namespace plastiscope {

namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(CompareTips)
};

QString bold(const std::string& name) {
  return QStringLiteral("<b>%1</b>").arg(QString::fromStdString(name).toHtmlEscaped());
}

QString counted(std::int64_t number) {
  return QString::fromStdString(withCommas(number));
}

QString valueText(double value) {
  return QString::fromStdString(fixedText(value, 3));
}

void addBin(std::vector<FigureTip>& tips, const ComparedProfile& profile, std::size_t bin, bool tokens) {
  const double x = tokens ? profile.tokens[bin] : profile.share(bin);
  const QString place = Words::tr("position %1 of %2 tokens (%3 %)")
                            .arg(counted(std::llround(profile.tokens[bin])), counted(profile.window),
                                 QString::fromStdString(fixedText(100 * profile.share(bin), 0)));
  const QString start = bold(profile.model.name);
  if (std::isfinite(profile.mean[bin])) {
    tips.push_back({0, x, profile.mean[bin],
                    start + QStringLiteral("<br>") + place + QStringLiteral("<br>") +
                        Words::tr("AP %1, mean over %2 heads")
                            .arg(valueText(profile.mean[bin]), counted(profile.meanHeads[bin]))});
  }
  if (!profile.head || bin >= profile.headAp.size() || !std::isfinite(profile.headAp[bin])) return;
  const QString head = QString::fromStdString(profile.head->text());
  tips.push_back({0, x, profile.headAp[bin],
                  start + QStringLiteral(" ") + head + QStringLiteral("<br>") + place +
                      QStringLiteral("<br>") +
                      Words::tr("AP %1 of the head").arg(valueText(profile.headAp[bin]))});
}

}  // namespace

std::vector<FigureTip> profileTips(const CompareViews& views) {
  std::vector<FigureTip> tips;
  for (const ComparedProfile& profile : views.profiles.models) {
    for (std::size_t bin = 0; bin < profile.tokens.size(); ++bin)
      addBin(tips, profile, bin, views.choices.tokens);
  }
  return tips;
}

std::vector<FigureTip> depthTips(const CompareViews& views) {
  std::vector<FigureTip> tips;
  if (!views.depths) return tips;
  const QString metric = QString::fromStdString(views.depths->metric.label);
  for (const ComparedDepth& model : views.depths->models) {
    for (std::size_t i = 0; i < model.depth.size(); ++i) {
      if (!std::isfinite(model.value[i])) continue;
      tips.push_back(
          {0, model.depth[i], model.value[i],
           Words::tr("%1<br>layer %2 (depth %3)<br>%4 %5, %6 over %7 heads")
               .arg(bold(model.model.name))
               .arg(model.layer[i])
               .arg(valueText(model.depth[i]), metric, QString::fromStdString(metricText(model.value[i])),
                    views.depths->median ? Words::tr("median") : Words::tr("mean"),
                    counted(model.heads[i]))});
    }
  }
  return tips;
}

}  // namespace plastiscope
