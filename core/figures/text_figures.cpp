// Figures of a head on a text: a coloured page of the document, and how a query scores the keys before it.
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/figures/figures.h"

namespace plastiscope {

namespace {

const Colour kSeparation(0x009e73, 0x3cc29a);  // the part of a score on b

std::string bold(const std::string& plain) {
  return "<b>" + richEscaped(plain) + "</b>";
}

// "tokens 2,029–2,556 of 4,096"
std::string stretchText(const TextExcerpt& excerpt) {
  return "tokens " + withCommas(excerpt.first) + "\u2013" + withCommas(excerpt.last()) + " of " +
         withCommas(excerpt.tokens);
}

LegendEntry frameEntry(const std::string& text, const Colour& colour, const Colour& fill) {
  LegendEntry entry = boxEntry(text, fill);
  entry.symbol.rim = Stroke{colour, 1.2, Weight::Thin};
  return entry;
}

std::vector<LegendEntry> excerptLegend(const TextExcerpt& excerpt) {
  const bool queries = excerpt.coloured == QueryOrKey::Query;
  const Colour own = queries ? Ink::Query : Ink::Key, other = queries ? Ink::Key : Ink::Query;
  const auto holds = [](const std::vector<bool>& marks) { return std::ranges::count(marks, true) > 0; };
  std::vector<LegendEntry> legend = {
      textEntry(bold(excerpt.head.text()) + ", " + richEscaped(excerpt.text.id)),
      textEntry(stretchText(excerpt)),
      frameEntry(queries ? "query row" : "key row", own, own.mixed(Ink::Ground, 0.4))};
  if (std::ranges::count(excerpt.colour.captured, false) > 0)
    legend.push_back(boxEntry("not captured: mean of rows near it", own.mixed(Ink::Ground, 0.72)));
  if (holds(excerpt.colour.other))
    legend.push_back(lineEntry(queries ? "key row" : "query row", {other, 1.2}));
  if (excerpt.query) legend.push_back(boxEntry("query " + withCommas(*excerpt.query), Ink::Selection));
  if (std::ranges::count_if(excerpt.rank, [](std::size_t rank) { return rank > 0; }) > 0)
    legend.push_back(frameEntry("keys that it scores highest", Ink::Key, Ink::Ground));
  return legend;
}

}  // namespace

Plot excerptPlot(const std::shared_ptr<const TextExcerpt>& excerpt) {
  Box box;
  box.frame = Frame::None;
  for (Axis* axis : {&box.x, &box.y}) axis->labels = axis->tickMarks = false;
  const std::string colours = excerpt->coloured == QueryOrKey::Query ? "queries" : "keys";
  Mark page{ExcerptMark{excerpt, colours}};
  for (std::size_t i = 0; i < excerpt->text.size(); ++i) page.tips.push_back(tokenTip(*excerpt, i));
  box.marks.push_back(std::move(page));
  box.scale = {colours, excerpt->colour.range.first, excerpt->colour.range.second,
               measureTitle(excerpt->measure, excerpt->coloured)};
  Plot plot;
  plot.legend = excerptLegend(*excerpt);
  plot.boxes.push_back(std::move(box));
  return plot;
}

// --- Keys of a query ------------------------------------------------------------------------------------

namespace {

// For very many keys the highest and lowest of each run: more cannot be resolved.
std::vector<ScoredKey> outlineOf(const std::vector<ScoredKey>& keys) {
  constexpr std::size_t kMaxKeys = 8192;
  if (keys.size() <= kMaxKeys) return keys;
  const std::size_t run = (2 * keys.size() + kMaxKeys - 1) / kMaxKeys;
  std::vector<ScoredKey> outline;
  for (auto begin = keys.begin(); begin != keys.end();) {
    const auto end = keys.end() - begin > std::ptrdiff_t(run) ? begin + std::ptrdiff_t(run) : keys.end();
    const auto [low, high] = std::ranges::minmax_element(begin, end, {}, &ScoredKey::score);
    outline.push_back(*std::min(low, high));
    if (low != high) outline.push_back(*std::max(low, high));
    begin = end;
  }
  return outline;
}

std::vector<ScoredKey> knownKeys(const QueryScores& scores) {
  std::vector<ScoredKey> known;
  std::ranges::copy_if(scores.keys, std::back_inserter(known),
                       [](const ScoredKey& key) { return std::isfinite(key.score); });
  return known;
}

// Scores from the position axis alone: their least-squares line over position.
LineMark positionAlone(const QueryScores& scores, const std::vector<ScoredKey>& known, const Stroke& stroke) {
  double meanT = 0, tt = 0, ta = 0;
  for (const ScoredKey& key : known) meanT += static_cast<double>(key.position);
  meanT /= std::max(1.0, static_cast<double>(known.size()));
  for (const ScoredKey& key : known) {
    const double t = static_cast<double>(key.position) - meanT;
    tt += t * t;
    ta += t * (key.a - scores.mean.a);
  }
  const auto end = static_cast<double>(scores.position);
  const auto at = [&](double position) {
    return scores.mean.score + (tt > 0 ? ta / tt : 0) * (position - meanT);
  };
  return {{0, end}, {at(0), at(end)}, stroke};
}

Axis keyPositionAxis(const QueryScores& scores) {
  Axis axis = positionAxis(PositionAxis::Tokens,
                           1.03 * static_cast<double>(std::max<std::int64_t>(1, scores.position)), 1);
  axis.title = "position of the key";
  return axis;
}

Axis scoreAxis(const std::vector<ScoredKey>& known) {
  Axis axis;
  axis.title = "score, logits";
  axis.grid = true;
  if (known.empty()) return axis;
  const auto [low, high] = std::ranges::minmax(known, {}, &ScoredKey::score);
  const double room = std::max(1e-6, 0.08 * (high.score - low.score));
  axis.low = low.score - room;
  axis.high = high.score + room;
  return axis;
}

}  // namespace

Plot queryScoresPlot(const QueryScores& scores) {
  const std::vector<ScoredKey> known = knownKeys(scores);
  Box box;
  box.x = keyPositionAxis(scores);
  box.y = scoreAxis(known);
  constexpr std::size_t kMany = 300;  // above this number points would hide the trend
  const double size = scores.keys.size() > kMany ? 0.5 : 1;
  PointMarks keys{{}, {}, {Marker::Circle, Ink::Key, false, size, Rim::None}};
  for (const ScoredKey& key : outlineOf(known)) {
    keys.x.push_back(static_cast<double>(key.position));
    keys.y.push_back(key.score);
  }
  PointMarks rings{{}, {}, {Marker::Ring, Ink::Selection, true, 2, Rim::None}};
  LabelMarks ranks{.radius = 2};  // ranks as in the text and the list
  for (const std::size_t place : scores.strongest(QueryScores::kMarked)) {
    rings.x.push_back(static_cast<double>(scores.keys[place].position));
    rings.y.push_back(scores.keys[place].score);
    ranks.texts.push_back(std::to_string(rings.x.size()));
  }
  ranks.x = rings.x;
  ranks.y = rings.y;
  const Stroke trend{Ink::Query, 1.2, Weight::Line, {5, 3}};
  Plot plot;
  plot.oneLine = true;
  plot.legend = {pointEntry(scores.everyKey ? "all keys" : "captured keys", keys.style),
                 lineEntry("trend on <i>a</i> alone", trend), pointEntry("highest scores", rings.style)};
  box.marks.push_back({std::move(keys), "key"});
  box.marks.push_back({positionAlone(scores, known, trend), "position alone"});
  box.marks.push_back({std::move(rings), "among the highest"});
  box.marks.push_back({std::move(ranks)});
  plot.boxes.push_back(std::move(box));
  return plot;
}

namespace {

// The token in brackets and the start of the following text: "[keep] intact all…", "[3 spaces] The".
std::string briefWords(const RowText& words) {
  constexpr std::size_t kLongest = 17, kLongestToken = 14;
  const bool blank = words.token.find_first_not_of(' ') == std::string::npos;
  const std::size_t spaces = words.token.size();
  const std::string token =
      blank ? spaces == 1 ? "space" : std::to_string(spaces) + " spaces"
            : beginningOf(words.token.substr(words.token.starts_with(' ') ? 1 : 0), kLongestToken);
  return "[" + token + "]" + beginningOf(words.after, kLongest - std::min(kLongest, characters(token)));
}

// "1  [keep] intact all no…  2,175"
std::string keyName(const RankedKey& key, const RowText& words) {
  return std::to_string(key.rank) + "  " + (words.empty() ? "key" : briefWords(words)) + "  " +
         withCommas(key.key.position);
}

struct ScorePart {
  const char* title;
  double RankedKey::*value;
  Colour colour;
};

std::vector<ScorePart> scoreParts() {
  return {{"position <i>a</i>", &RankedKey::a, Ink::Query},
          {"separation <i>b</i>", &RankedKey::b, kSeparation},
          {"content, the rest", &RankedKey::rest, Ink::Bars}};
}

// Stacks each part on the earlier parts of its sign.
BarMarks partBars(const std::vector<RankedKey>& keys, const std::vector<ScorePart>& parts, std::size_t part) {
  BarMarks bars;
  bars.lying = true;
  bars.fills = {parts[part].colour};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const double value = keys[i].*parts[part].value;
    double from = 0;
    for (std::size_t before = 0; before < part; ++before) {
      const double other = keys[i].*parts[before].value;
      if ((other < 0) == (value < 0)) from += other;
    }
    bars.left.push_back(from);
    bars.right.push_back(from + value);
    bars.bottom.push_back(static_cast<double>(i) + kHalfBar);
    bars.top.push_back(static_cast<double>(i) - kHalfBar);
  }
  return bars;
}

// The total scores, as lines across the bars.
SegmentMarks sumMarks(const std::vector<RankedKey>& keys, const Stroke& stroke) {
  SegmentMarks sums{{}, {}, {}, {}, {stroke}};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    constexpr double kHalf = 0.44;
    sums.x0.push_back(keys[i].sum());
    sums.x1.push_back(keys[i].sum());
    sums.y0.push_back(static_cast<double>(i) - kHalf);
    sums.y1.push_back(static_cast<double>(i) + kHalf);
  }
  return sums;
}

Plot scorePartsPlot(const QueryKeys& data) {
  const Stroke sum{Ink::Text, 1.2};
  Plot plot;
  Box box;
  MetricInfo metric;
  metric.label = "score less its mean, logits|score less mean, logits";
  metric.isSigned = true;
  Values reached;
  const std::vector<ScorePart> parts = scoreParts();
  for (std::size_t part = 0; part < parts.size(); ++part) {
    BarMarks bars = partBars(data.strongest, parts, part);
    append(reached, bars.right);
    box.marks.push_back({std::move(bars), parts[part].title});
    plot.legend.push_back(boxEntry(parts[part].title, parts[part].colour));
  }
  box.marks.push_back({RuleMarks{true, {0}, {Ink::AxisLine, 1, Weight::Axis}}});
  box.marks.push_back({.kind = sumMarks(data.strongest, sum), .layer = Layer::Above});
  plot.legend.push_back(lineEntry("their sum", sum));
  box.x = valueAxis(metric, reached, false, {});
  box.x.title = metric.label;
  for (std::size_t i = 0; i < data.strongest.size(); ++i)
    box.y.names.push_back(keyName(data.strongest[i], data.words[i]));
  box.y.ticks = Ticks::AllNames;
  box.y.tickMarks = false;
  box.y.reversed = true;
  box.y.low = -0.6;
  box.y.high = static_cast<double>(data.strongest.size()) - 0.4;
  plot.boxes.push_back(std::move(box));
  return plot;
}

}  // namespace

Plot queryKeysPlot(const QueryKeys& data, bool parts) {
  const QueryScores& scores = data.scores;
  Plot whole, above = queryScoresPlot(scores);
  above.oneLine = false;
  whole.unlike = true;
  const std::string query = data.query.empty() ? "query"
                                               : richEscaped(data.query.before) + bold(data.query.token) +
                                                     richEscaped(data.query.after);
  whole.legend = {
      textEntry(bold(data.head.text()) + ", " + richEscaped(data.text)), textEntry(query),
      textEntry("query " + withCommas(scores.position) + ", " + withCommas(std::ssize(scores.keys)) +
                (scores.everyKey ? " keys" : " captured keys") + ", mean score " +
                numberLabel(scores.mean.score, 2))};
  if (!parts) {
    above.legend.insert(above.legend.begin(), whole.legend.begin(), whole.legend.end());
    return above;
  }
  whole.panels.push_back(std::move(above));
  whole.panels.push_back(scorePartsPlot(data));
  return whole;
}

}  // namespace plastiscope
