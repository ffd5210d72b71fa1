#include "widgets/pages/tour.h"

#include <QEvent>
#include <QFile>
#include <QPainter>
#include <QShortcut>
#include <algorithm>

#include "core/base/json.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/theme.h"

namespace plastiscope {

namespace {

constexpr int kCardWidth = 330, kGap = 10, kFromTop = 40;

// Frame around a panel, above everything, transparent to the mouse.
class PanelFrame : public QWidget {
 public:
  explicit PanelFrame(QWidget* window) : QWidget(window) { setAttribute(Qt::WA_TransparentForMouseEvents); }

 protected:
  void paintEvent(QPaintEvent* /*event*/) override {
    QPainter painter(this);
    painter.setPen(QPen(currentTheme()[QStringLiteral("accent")], 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
  }
};

// Places a card outside of a panel: right, left, below, above, else in its lower corner.
QRect besidePanel(const QRect& panel, const QSize& card, const QRect& window) {
  const int y = std::clamp(panel.top() + kFromTop, window.top(),
                           std::max(window.top(), window.bottom() + 1 - card.height()));
  const int x = std::clamp(panel.left() + kGap, window.left(),
                           std::max(window.left(), window.right() + 1 - card.width()));
  for (const QPoint& corner :
       {QPoint(panel.right() + 1 + kGap, y), QPoint(panel.left() - kGap - card.width(), y),
        QPoint(x, panel.bottom() + 1 + kGap), QPoint(x, panel.top() - kGap - card.height())}) {
    if (window.contains({corner, card})) return {corner, card};
  }
  return {QPoint(panel.right() - kGap - card.width(), panel.bottom() - kGap - card.height()), card};
}

std::vector<TourStep> readSteps() {
  QFile file(QStringLiteral(":/plastiscope/help/tour.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  std::vector<TourStep> steps;
  const auto text = [](const Json& step, const char* key) {
    return QString::fromStdString(step.at(key).get<std::string>());
  };
  for (const Json& step : parseJson(file.readAll().toStdString(), "tour.json"))
    steps.push_back({text(step, "view"), text(step, "title"), text(step, "text")});
  return steps;
}

}  // namespace

const std::vector<TourStep>& tourSteps() {
  static const std::vector<TourStep> kSteps = readSteps();
  return kSteps;
}

TourCard::TourCard(ShowView show, QWidget* window)
    : QFrame(window),
      m_show(std::move(show)),
      m_frame(new PanelFrame(window)),
      m_count(styledLabel({}, "muted", this, -0.5)),
      m_title(named("tourTitle", styledLabel({}, "strong", this, 1))),
      m_text(named("tourText", new QLabel(this))),
      m_back(named("tourBack", new QPushButton(tr("&Back"), this))),
      m_next(named("tourNext", new QPushButton(this))) {
  setObjectName(QStringLiteral("tourCard"));
  setAttribute(Qt::WA_DeleteOnClose);
  setFocusPolicy(Qt::StrongFocus);
  setFixedWidth(kCardWidth);
  m_title->setWordWrap(true);
  m_text->setWordWrap(true);
  m_text->setTextFormat(Qt::RichText);
  m_next->setProperty("main", true);
  auto* close = named("tourClose", iconButton(QStringLiteral("close"), 11, tr("Close the tour (Esc)"), this));
  close->setAutoRaise(true);
  columnIn(this,
           {rowOf({{m_title, 1}, {close, 0, Qt::AlignTop}}, {.spacing = 6}), m_text,
            rowOf({m_count, Stretch(), m_back, m_next}, {.spacing = 8})},
           {.margins = {14, 10, 10, 12}, .spacing = 8});
  connect(close, &QToolButton::clicked, this, &QWidget::close);
  connect(m_back, &QPushButton::clicked, this, [this] { go(m_step - 1); });
  connect(m_next, &QPushButton::clicked, this, [this] { go(m_step + 1); });
  connect(new QShortcut(QKeySequence(Qt::Key_Escape), this), &QShortcut::activated, this, &QWidget::close);
  for (const auto& [key, by] : {std::pair(Qt::Key_Left, -1), std::pair(Qt::Key_Right, 1)}) {
    auto* step = new QShortcut(QKeySequence(key), this);
    step->setContext(Qt::WidgetWithChildrenShortcut);  // elsewhere arrow keys are unchanged
    connect(step, &QShortcut::activated, this, [this, by = by] { go(m_step + by); });
  }
  window->installEventFilter(this);
}

TourCard::~TourCard() {
  delete m_frame.data();
}

void TourCard::go(int step) {
  const auto& steps = tourSteps();
  const auto count = static_cast<int>(steps.size());
  if (step < 0) return;
  if (step >= count) {
    close();
    return;
  }
  const TourStep& now = steps[static_cast<std::size_t>(step)];
  if (m_panel) m_panel->removeEventFilter(this);
  m_panel = m_show(now.view);
  if (m_panel == nullptr) {
    close();
    return;
  }
  m_step = step;
  m_panel->installEventFilter(this);
  m_count->setText(tr("%1 of %2").arg(step + 1).arg(count));
  m_title->setText(now.title);
  m_text->setText(now.text);
  setAccessibleName(now.title);
  setAccessibleDescription(now.text);
  m_back->setEnabled(step > 0);
  m_next->setText(step + 1 < count ? tr("&Next") : tr("&Done"));
  settle();
  show();
  m_frame->show();
  m_next->setFocus(Qt::OtherFocusReason);
}

void TourCard::settle() {
  if (m_panel == nullptr) return;
  QWidget* window = parentWidget();
  layout()->activate();
  const QRect panel(window->mapFromGlobal(m_panel->mapToGlobal(QPoint())), m_panel->size());
  m_frame->setGeometry(panel & window->rect());
  setGeometry(besidePanel(panel, {kCardWidth, layout()->totalHeightForWidth(kCardWidth)},
                          window->rect().adjusted(kGap, kGap, -kGap, -kGap)));
  m_frame->raise();
  raise();
}

bool TourCard::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::Resize || event->type() == QEvent::Move) settle();
  return QFrame::eventFilter(object, event);
}

void TourCard::hideEvent(QHideEvent* event) {
  QFrame::hideEvent(event);
  if (m_frame) m_frame->hide();
}

}  // namespace plastiscope

#include "moc_tour.cpp"
