// One query position: slider, numbers of its bin, and the spread of PP over its key pairs.
#include "widgets/panels/scrubber_panel.h"

#include <QCheckBox>
#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QSlider>
#include <QSpinBox>
#include <QToolTip>
#include <algorithm>
#include <numeric>

#include "core/jobs/inspect_job.h"
#include "core/views/explore_data.h"
#include "widgets/models/study_model.h"
#include "widgets/panels/view_panel.h"
#include "widgets/plots/plot_style.h"
#include "widgets/state/file_text.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

namespace {

constexpr int kWidth = 190, kHeight = 24, kSpace = 4;

}  // namespace

SpreadBars::SpreadBars(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Spread of PP over key pairs"));
  setFixedSize(sizeHint());
}

QSize SpreadBars::sizeHint() const {
  return {kWidth, kHeight};
}

void SpreadBars::setCounts(std::vector<std::int64_t> counts) {
  m_counts = std::move(counts);
  const std::int64_t all = std::accumulate(m_counts.begin(), m_counts.end(), std::int64_t{0});
  setAccessibleDescription(all > 0 ? tr("%1 pairs").arg(QLocale::c().toString(all)) : tr("no pairs"));
  update();
}

QRectF SpreadBars::barsRect() const {
  const QFontMetrics metrics(font());
  const int left = metrics.horizontalAdvance(tr("PP 0")) + kSpace,
            right = metrics.horizontalAdvance("1") + kSpace;
  return QRectF(rect()).adjusted(left, 1, -right, -2);
}

void SpreadBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const PlotColours colours = plotColours(themeOf(palette()), false);
  const QRectF box = barsRect();
  painter.setPen(colours.muted);
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter, tr("PP 0"));
  painter.drawText(rect(), Qt::AlignRight | Qt::AlignVCenter, QStringLiteral("1"));
  painter.drawLine(QLineF(box.bottomLeft(), box.bottomRight()));
  const std::int64_t most = m_counts.empty() ? 0 : *std::max_element(m_counts.begin(), m_counts.end());
  if (most == 0) return;
  const double step = box.width() / static_cast<double>(m_counts.size());
  for (std::size_t i = 0; i < m_counts.size(); ++i) {
    const double height = box.height() * static_cast<double>(m_counts[i]) / static_cast<double>(most);
    // A bin with any pair shows at least a line.
    const double seen = m_counts[i] > 0 ? std::max(1.0, height) : 0;
    painter.fillRect(QRectF(box.left() + static_cast<double>(i) * step, box.bottom() - seen, step - 1, seen),
                     colours.selection);
  }
}

bool SpreadBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || m_counts.empty()) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QRectF box = barsRect();
  const auto steps = static_cast<double>(m_counts.size());
  const double place = (help->pos().x() - box.left()) / box.width() * steps;
  if (place < 0 || place >= steps) return QWidget::event(event);
  const auto step = static_cast<std::size_t>(place);
  QToolTip::showText(help->globalPos(),
                     tr("PP %1 to %2: %3 pairs")
                         .arg(static_cast<double>(step) / steps, 0, 'f', 2)
                         .arg(static_cast<double>(step + 1) / steps, 0, 'f', 2)
                         .arg(QLocale::c().toString(m_counts[step])),
                     this);
  return true;
}

namespace {

constexpr int kMaxText = 460;  // pixels

class ScrubberPanel : public ComputedPanel {
 public:
  ScrubberPanel(StudyModel& model, QWidget* parent)
      : ComputedPanel(model, parent),
        m_on(named("scrubberOn", new QCheckBox(tr("Query position"), this))),
        m_slider(named("scrubber", new QSlider(Qt::Horizontal, this))),
        m_spin(named("scrubberPosition", new QSpinBox(this))),
        m_text(named("scrubberText", new ElidedLabel(kMaxText, this))),
        m_bars(named("scrubberSpread", new SpreadBars(this))) {
    build();
    connect(&model, &StudyModel::headReady, this, &ScrubberPanel::setStale);
    connect(&model.selection(), &Selection::changed, this, [this] { follow(); });
    follow();
  }

 private:
  void build() {
    const int last = static_cast<int>(std::max<std::int64_t>(0, m_model.facts().window - 1));
    m_on->setToolTip(tr("Follow one query position: its queries are ringed in the plane and the cloud"));
    m_slider->setAccessibleName(tr("Query position"));
    m_slider->setRange(0, last);
    m_slider->setPageStep(std::max(1, last / 20));
    m_slider->setSingleStep(std::max(1, last / 200));
    m_spin->setAccessibleName(tr("Query position in tokens"));
    m_spin->setRange(0, last);
    m_spin->setGroupSeparatorShown(true);
    m_spin->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_spin->setKeyboardTracking(false);
    m_spin->setFixedWidth(72);
    rowIn(this, {m_on, {m_slider, 2}, m_spin, {m_text, 5}, m_bars},
          {.margins = {10, 4, 10, 4}, .spacing = 10});
    connect(m_slider, &QSlider::valueChanged, this, &ScrubberPanel::choose);
    connect(m_spin, &QSpinBox::valueChanged, this, &ScrubberPanel::choose);
    connect(m_on, &QCheckBox::toggled, this, [this](bool on) {
      if (m_following) return;
      m_model.selection().setPosition(on ? std::optional<std::int64_t>(m_slider->value()) : std::nullopt);
    });
  }

  void choose(int position) {
    if (!m_following) m_model.selection().setPosition(position);
  }

  void follow() {
    const auto& position = m_model.selection().value().position;
    m_following = true;
    m_on->setChecked(position.has_value());
    const int place = position ? static_cast<int>(std::min<std::int64_t>(*position, m_slider->maximum()))
                               : m_slider->maximum() / 2;
    if (position || !m_placed) {
      m_slider->setValue(place);
      m_spin->setValue(place);
      m_placed = true;
    }
    m_following = false;
    showBin();
  }

  void compute() override {
    const auto& head = m_model.selection().value().head;
    m_spread.reset();
    m_problem.clear();
    m_runner.drop();
    showBin();
    if (!head || !m_model.study()->capture) return;
    m_runner.start(
        [study = m_model.study(), head = *head](Progress& progress) {
          return inspectSpread(*study->capture, head, settingsOf(*study->analysis), progress);
        },
        [this](JobResult<PpSpread> spread) {
          if (spread.ok())
            m_spread = std::move(*spread.value);
          else if (!spread.stopped())
            m_problem = spread.failure.sentence;
          showBin();
        });
  }

  void showBin() {
    const auto& position = m_model.selection().value().position;
    const auto bin = position && m_spread ? binAt(*m_spread, static_cast<double>(*position)) : std::nullopt;
    m_bars->setCounts(bin ? m_spread->counts[*bin] : std::vector<std::int64_t>());
    const ViewSelection& now = m_model.selection().value();
    const bool oneOfSeveral = now.head && !now.several.empty();
    const QString text = oneOfSeveral
                             ? tr("L%1 H%2: %3").arg(now.head->layer).arg(now.head->head).arg(words(position))
                             : words(position);
    m_text->setName(text);
    m_text->setToolTip(plainTip(text));
    m_text->setProperty("muted", !position.has_value());
  }

  QString words(const std::optional<std::int64_t>& position) const {
    if (!m_problem.isEmpty()) return m_problem;
    if (!m_model.study()->capture)
      return tr("This view needs the rows of the capture, but only its analysis was found.");
    if (!position) return tr("Slide, or click the profile.");
    return m_spread ? QString::fromStdString(spreadText(*m_spread, static_cast<double>(*position),
                                                        m_model.plasticity().kind == ApKind::Aligned))
                    : tr("reading …");
  }

  std::optional<PpSpread> m_spread;
  QString m_problem;
  bool m_following = false, m_placed = false;
  QCheckBox* m_on;
  QSlider* m_slider;
  QSpinBox* m_spin;
  ElidedLabel* m_text;
  SpreadBars* m_bars;
};

}  // namespace

ViewPanel* makeScrubberPanel(StudyModel& model, QWidget* parent) {
  return new ScrubberPanel(model, parent);
}

}  // namespace plastiscope

#include "moc_scrubber_panel.cpp"
