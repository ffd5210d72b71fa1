#include "widgets/export/page_plan.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/base/error.h"
#include "core/base/json.h"
#include "widgets/export/figure_renderer.h"
#include "widgets/plots/plot_renderer.h"

namespace plastiscope {

namespace {

constexpr double kLeastSize = 0.08;  // of a panel, in parts of the page's width
constexpr double kTouching = 1e-4;
constexpr double kHighestPage = 1.6;  // in its widths
constexpr double kSameRow = 0.03;     // tops of panels in one row

bool overlaps(const PanelPlace& a, const PanelPlace& b) {
  return a.x < b.right() - kTouching && b.x < a.right() - kTouching && a.y < b.bottom() - kTouching &&
         b.y < a.bottom() - kTouching;
}

// Shrunk and moved into the page.
PanelPlace onPage(PanelPlace place) {
  place.width = std::clamp(place.width, kLeastSize, 1.0);
  place.height = std::clamp(place.height, kLeastSize, kHighestPage);
  place.x = std::clamp(place.x, 0.0, 1 - place.width);
  place.y = std::clamp(place.y, 0.0, kHighestPage - place.height);
  return place;
}

// The first place from the top left without another panel.
PanelPlace freePlace(PanelPlace size, const std::vector<PanelPlace>& taken) {
  std::set<double> xs = {0}, ys = {0};
  for (const PanelPlace& place : taken) {
    xs.insert(place.right() + kPageGutter);
    ys.insert(place.bottom() + kPageGutter);
  }
  for (const double y : ys) {
    for (const double x : xs) {
      size.x = x;
      size.y = y;
      const auto meets = [&](const PanelPlace& place) { return overlaps(size, place); };
      if (size.right() <= 1 + kTouching && std::ranges::none_of(taken, meets)) return size;
    }
  }
  size.x = 0;
  return size;
}

// Numbers of inputs in the subject of a part; empty: none are named.
std::vector<std::size_t> inputsIn(const std::string& subject) {
  std::vector<std::size_t> inputs;
  for (const QString& word : QString::fromStdString(subject).split(QLatin1Char(':')).mid(1)) {
    bool number = false;
    const int input = word.toInt(&number);
    if (number && input > 0) inputs.push_back(static_cast<std::size_t>(input - 1));
  }
  return inputs;
}

std::string withInputs(const std::string& subject, const std::vector<std::size_t>& inputs) {
  QStringList words;
  for (const QString& word : QString::fromStdString(subject).split(QLatin1Char(':'))) {
    bool number = false;
    (void)word.toInt(&number);
    if (!number) words.append(word);
  }
  for (const std::size_t input : inputs) words.append(QString::number(input + 1));
  return words.join(QLatin1Char(':')).toStdString();
}

// Removes inputs that no panel shows, unless a panel shows all.
void dropUnused(PagePlan& plan) {
  std::set<std::size_t> used;
  for (const std::string& part : plan.spec.parts) {
    const auto inputs = inputsIn(pagePart(part).subject);
    if (inputs.empty()) return;
    used.insert(inputs.begin(), inputs.end());
  }
  Studies studies;
  QStringList files;
  std::map<std::size_t, std::size_t> now;
  for (const std::size_t input : used) {
    if (input >= plan.studies.size()) return;
    now[input] = studies.size();
    studies.push_back(plan.studies[input]);
    files.append(plan.files.value(static_cast<qsizetype>(input)));
  }
  for (std::string& text : plan.spec.parts) {
    PagePart part = pagePart(text);
    std::vector<std::size_t> inputs = inputsIn(part.subject);
    for (std::size_t& input : inputs) input = now.at(input);
    part.subject = withInputs(part.subject, inputs);
    text = part.text();
  }
  plan.studies = std::move(studies);
  plan.files = std::move(files);
  plan.spec.names.clear();
}

// Sorts rows from top to bottom, panels of a row from left to right; returns the new number of `panel`.
std::size_t sortReading(PagePlan& plan, std::size_t panel) {
  const std::vector<PanelPlace> places = plan.places();
  plan.spec.titles.resize(places.size());
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) {
    return std::pair(std::floor(places[i].y / kSameRow + 0.5), places[i].x);
  });
  std::vector<std::string> parts, titles;
  for (const std::size_t i : order) {
    parts.push_back(plan.spec.parts[i]);
    titles.push_back(plan.spec.titles[i]);
  }
  plan.spec.parts = std::move(parts);
  plan.spec.titles = std::move(titles);
  if (std::ranges::all_of(plan.spec.titles, &std::string::empty)) plan.spec.titles.clear();
  return static_cast<std::size_t>(std::ranges::find(order, panel) - order.begin());
}

}  // namespace

PageFigureMime::PageFigureMime(PageFigure figure) : m_figure(std::move(figure)) {
  setText(QString::fromStdString(partText(m_figure.spec)));
}

FigureSpec PagePlan::emptySpec() {
  FigureSpec spec;
  spec.figure = kPageFigure;
  spec.width = FigureWidth::Full;
  return spec;
}

PagePlan PagePlan::of(const Studies& studies, const QStringList& files, const FigureSpec& spec) {
  PagePlan plan{studies, files, spec};
  if (plan.spec.parts.empty() && !studies.empty())
    plan.spec.parts = usualPageParts(spec, studies.front()->capture != nullptr);
  if (composedHeight(plan.spec.parts) > 0 || plan.spec.parts.empty()) return plan;
  const FigureSize size = resolveSize(plan.spec);
  const auto [columns, rows] = panelGrid(plan.panels(), spec.columns);
  const double width = (1 - kPageGutter * (columns - 1)) / columns,
               height = (size.heightInches / size.widthInches - kPageGutter * (rows - 1)) / rows;
  for (std::size_t i = 0; i < plan.panels(); ++i) {
    const int row = static_cast<int>(i) / columns, column = static_cast<int>(i) % columns;
    PagePart part = pagePart(plan.spec.parts[i]);
    part.place = PanelPlace{column * (width + kPageGutter), row * (height + kPageGutter), width, height};
    plan.spec.parts[i] = part.text();
  }
  plan.spec.columns = 0;
  plan.spec.heightInches = 0;
  return plan;
}

std::vector<PanelPlace> PagePlan::places() const {
  std::vector<PanelPlace> places;
  for (const std::string& part : spec.parts) places.push_back(pagePart(part).place.value_or(PanelPlace()));
  return places;
}

QString PagePlan::titleOf(std::size_t panel) const {
  return panel < spec.titles.size() ? QString::fromStdString(spec.titles[panel]) : QString();
}

std::size_t PagePlan::add(const PageFigure& figure, std::optional<PanelPlace> at) {
  if (panels() >= kMaxPanels)
    throw UsageError("a page has at most " + std::to_string(kMaxPanels) + " panels");
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < figure.studies.size(); ++i) {
    const auto known = std::ranges::find(studies, figure.studies[i]);
    inputs.push_back(static_cast<std::size_t>(known - studies.begin()));
    if (known != studies.end()) continue;
    studies.push_back(figure.studies[i]);
    files.append(figure.files.value(static_cast<qsizetype>(i)));
    spec.names.clear();
  }
  if (spec.parts.empty()) {
    spec.plasticity = figure.spec.plasticity;
    spec.colour = figure.spec.colour;
  }
  PagePart part{withInputs(partText(figure.spec), inputs), {}};
  part.place = onPage(at ? *at : freePlace(usualPlace(figure.spec), places()));
  if (figureKind(figure.spec.figure).takes("text")) {
    spec.text = figure.spec.text;
    spec.query = figure.spec.query;
    spec.firstToken = figure.spec.firstToken;
    spec.tokenColour = figure.spec.tokenColour;
    spec.tokenRows = figure.spec.tokenRows;
  }
  spec.parts.push_back(part.text());
  return sortReading(*this, panels() - 1);
}

std::size_t PagePlan::put(std::size_t panel, const PanelPlace& place) {
  PagePart part = pagePart(spec.parts.at(panel));
  part.place = onPage(place);
  spec.parts[panel] = part.text();
  return sortReading(*this, panel);
}

void PagePlan::remove(std::size_t panel) {
  spec.parts.erase(spec.parts.begin() + static_cast<std::ptrdiff_t>(panel));
  if (panel < spec.titles.size()) spec.titles.erase(spec.titles.begin() + static_cast<std::ptrdiff_t>(panel));
  dropUnused(*this);
}

void PagePlan::setTitle(std::size_t panel, const QString& title) {
  spec.titles.resize(panels());
  // Semicolons separate titles on the command line.
  spec.titles.at(panel) = QString(title).replace(QLatin1Char(';'), QLatin1Char(',')).trimmed().toStdString();
  if (std::ranges::all_of(spec.titles, &std::string::empty)) spec.titles.clear();
}

void PagePlan::setSubject(std::size_t panel, const QString& subject) {
  PagePart part = pagePart(spec.parts.at(panel));
  part.subject = subject.section(QLatin1Char('@'), 0, 0).simplified().toStdString();
  spec.parts[panel] = part.text();
}

QString PagePlan::overlap() const {
  const std::vector<PanelPlace> all = places();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (overlaps(all[i], all[j]))
        return QObject::tr("Panels (%1) and (%2) overlap.")
            .arg(QChar::fromLatin1(static_cast<char>('a' + i)))
            .arg(QChar::fromLatin1(static_cast<char>('a' + j)));
    }
  }
  return {};
}

QString tooSmall(const PreparedFigure& page) {
  const auto [units, style] = layoutOf(page.spec);
  const LaidOutPlot laid = layOutPlot(units, style, page.content.plot);
  std::size_t box = 0;
  for (std::size_t i = 0; i < page.content.plot.panels.size(); ++i) {
    const PanelPlace& place = page.content.plot.places.at(i);
    const double width = units.width();
    const QRectF room(place.x * width, place.y * width, place.width * width, place.height * width);
    for (const std::size_t end = box + page.content.plot.panels[i].allBoxes().size(); box < end; ++box) {
      if (!room.adjusted(-1, -1, 1, 1).contains(laid.panels.at(box).box))
        return QObject::tr("Panel (%1) is too small for its figure.")
            .arg(QChar::fromLatin1(static_cast<char>('a' + i)));
    }
  }
  return {};
}

bool PagePlan::operator==(const PagePlan& other) const {
  return studies == other.studies && spec.toJson() == other.spec.toJson();
}

PanelPlace usualPlace(const FigureSpec& figure) {
  constexpr double kLeast = 0.6, kMost = 1.2;  // height of a panel, in its widths
  const FigureKind& kind = figureKind(figure.figure);
  const double width = kind.tall ? 1 : (1 - kPageGutter) / 2;  // tall ones have panels themselves
  return {0, 0, width, width * std::clamp(kind.proportion, kLeast, kMost)};
}

std::vector<double> pageColumns(const FigureSpec& spec) {
  const VenuePreset& venue = venuePreset(spec.preset);
  const double column = venue.columnInches / venue.textInches, half = kPageGutter / 2;
  std::vector<double> edges = {0, 1, 0.5 - half, 0.5 + half};
  for (const double third : {1.0 / 3, 2.0 / 3}) edges.insert(edges.end(), {third - half, third + half});
  if (spec.width == FigureWidth::Full && column < 1) edges.insert(edges.end(), {column, 1 - column});
  return edges;
}

namespace {

// One direction of a panel: its ends, and the lines that each may snap to.
struct Span {
  double low, high;
  bool moveLow, moveHigh;
  std::vector<double> lows = {}, highs = {}, used = {};

  // Edges are aligned with the same edge of another panel, or a gutter away from its opposite edge.
  void beside(double otherLow, double otherHigh) {
    lows.insert(lows.end(), {otherLow, otherHigh + kPageGutter});
    highs.insert(highs.end(), {otherHigh, otherLow - kPageGutter});
  }
  void snap(double reach, double most) {
    double best = reach, shift = 0;
    const auto consider = [&](double edge, const std::vector<double>& lines) {
      for (const double line : lines) {
        if (std::fabs(line - edge) >= best) continue;
        best = std::fabs(line - edge);
        shift = line - edge;
      }
    };
    if (moveLow) consider(low, lows);
    if (moveHigh) consider(high, highs);
    if (moveLow) low += shift;
    if (moveHigh) high += shift;
    if (moveLow && moveHigh) {  // moved: keeps its size
      const double into = std::clamp(low, 0.0, std::max(0.0, most - (high - low))) - low;
      low += into;
      high += into;
    } else if (moveLow) {
      low = std::clamp(low, 0.0, high - kLeastSize);
    } else if (moveHigh) {
      high = std::clamp(high, low + kLeastSize, most);
    }
    const auto mark = [&](double edge, const std::vector<double>& lines) {
      for (const double line : lines)
        if (std::fabs(line - edge) < kTouching) used.push_back(line);
    };
    if (moveLow) mark(low, lows);
    if (moveHigh) mark(high, highs);
  }
};

}  // namespace

SnappedPlace snapped(const PanelPlace& wanted, const MovedEdges& edges, const std::vector<PanelPlace>& others,
                     const std::vector<double>& columns, double reach) {
  Span x{wanted.x, wanted.right(), edges.left, edges.right, columns, columns},
      y{wanted.y, wanted.bottom(), edges.top, edges.bottom, {0}, {}};
  for (const PanelPlace& other : others) {
    x.beside(other.x, other.right());
    y.beside(other.y, other.bottom());
  }
  x.snap(reach, 1);
  y.snap(reach, kHighestPage);
  return {{x.low, y.low, x.high - x.low, y.high - y.low}, x.used, y.used};
}

}  // namespace plastiscope

#include "moc_page_plan.cpp"
