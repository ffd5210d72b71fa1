// Softmax by position of one head: pairwise and softmax plasticity, and where the attention goes.
#include <algorithm>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

struct CurveStyle {
  SoftmaxValue value;
  const char* name;
  Stroke stroke;
  bool band = false;  // draws its interval
};

const CurveStyle kPlasticities[] = {
    {SoftmaxValue::PairPlasticity, "PP", {Ink::Selection}, true},
    {SoftmaxValue::Plasticity, "SP", {Ink::Text}, true},
    {SoftmaxValue::WeightedPlasticity, "attention-weighted PP", {Ink::Selection, 1.2, Weight::Thin, {4, 3}}},
    {SoftmaxValue::BinnedPlasticity, "SP, not aligned", {Ink::Muted, 1.2, Weight::Thin, {4, 3}}}};
const CurveStyle kShares[] = {{SoftmaxValue::Sink4, "first 4 tokens", {Ink::Key}},
                              {SoftmaxValue::Recent256, "last 256 tokens", {Ink::Query}},
                              {SoftmaxValue::Top32, "top 32 keys", {Ink::Muted, 1.2, Weight::Thin, {4, 3}}},
                              {SoftmaxValue::EffectiveKeys, "effective share of keys", {Ink::Text}}};

std::string tipOf(const SoftmaxData& data, std::span<const CurveStyle> styles, std::size_t bin) {
  std::string tip =
      "position " + numberLabel(data.tau[bin], 0) + " \u00b7 " + withCommas(data.queries[bin]) + " queries";
  for (const CurveStyle& style : styles) {
    const SoftmaxCurve& curve = data.of(style.value);
    tip += "<br>" + std::string(style.name) + " " + fixedText(curve.value[bin], 3) +
           overText({curve.low[bin], curve.high[bin]}, data.over);
  }
  return tip;
}

Box boxOf(const SoftmaxData& data, std::span<const CurveStyle> styles, Plot& plot) {
  Box box;
  box.x = positionAxis(PositionAxis::Tokens, static_cast<double>(std::max<std::int64_t>(1, data.window)), 1);
  box.y.grid = true;
  Extent reached{0, 1};
  Texts tips;
  for (std::size_t bin = 0; bin < data.tau.size(); ++bin) tips.push_back(tipOf(data, styles, bin));
  for (const CurveStyle& style : styles) {
    const SoftmaxCurve& curve = data.of(style.value);
    if (!anyFinite(curve.value)) continue;
    reached.add(curve.value);
    if (style.band && anyFinite(curve.low))
      box.marks.push_back(bandMark(data.tau, curve.low, curve.high, style.stroke.colour));
    box.marks.push_back({LineMark{data.tau, curve.value, style.stroke}, style.name, {}, {}, tips});
    plot.legend.push_back(lineEntry(style.name, style.stroke));
  }
  box.y.high = reached.high;
  return box;
}

}  // namespace

Plot softmaxPlot(const SoftmaxData& data, const ValueRange& range) {
  Plot plot;
  plot.legend = {textEntry(data.scopeText)};
  Box plasticity = boxOf(data, kPlasticities, plot);
  plasticity.y.title = "plasticity PP and SP|PP and SP";
  plasticity.height = 1.5;
  plasticity.x.title = "";
  plasticity.x.labels = false;
  if (range) std::tie(plasticity.y.low, plasticity.y.high) = *range;
  if (data.over != IntervalOver::None)
    plot.legend.push_back(bandEntry(intervalText(data.over, data.examples), Ink::Text));
  const SplitPart& correlation = data.correlation;
  plot.legend.push_back(
      textEntry(estimateText("rank correlation of PP and SP", correlation.value, correlation.interval)));
  Box shares = boxOf(data, kShares, plot);
  shares.y.title = "share of the attention, or of the keys|share";
  plot.boxes = {std::move(plasticity), std::move(shares)};
  return plot;
}

}  // namespace plastiscope
