#include "widgets/pages/panel_dock.h"

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QHoverEvent>
#include <QMainWindow>
#include <QMouseEvent>
#include <QPointer>
#include <QScrollArea>
#include <QStyleOptionComboBox>
#include <QToolButton>
#include <algorithm>

#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {
namespace {

constexpr int kTitleHeight = 28, kStripHeight = 38, kLeastChoice = 52, kLeastTitle = 84, kMaxTitle = 600,
              kSpacing = 6, kAroundTitle = 4, kAroundChoice = 32;

// Width of the current text with the frame and arrow of the box.
int readableWidth(const QComboBox& choice) {
  QStyleOptionComboBox option;
  option.initFrom(&choice);
  const int text = choice.fontMetrics().horizontalAdvance(choice.currentText());
  const int icon = choice.itemIcon(choice.currentIndex()).isNull() ? 0 : choice.iconSize().width() + 4;
  const QSize content(text + icon, choice.fontMetrics().height());
  const QSize whole = choice.style()->sizeFromContents(QStyle::CT_ComboBox, &option, content, &choice);
  return std::max({kLeastChoice, text + kAroundChoice, whole.width()});
}

}  // namespace

void forgetSeparator(QMainWindow& window) {
  QHoverEvent left(QEvent::HoverLeave, QPointF(), QPointF(), QPointF());
  QCoreApplication::sendEvent(&window, &left);
}

PanelTitle::PanelTitle(const QString& title, QDockWidget* dock)
    : QFrame(dock),
      m_title(named("panelTitleText", new ElidedLabel(kMaxTitle, this, kLeastTitle))),
      m_note(named("panelTitleNote", new ElidedLabel(kMaxTitle, this))),
      m_options(new QHBoxLayout),
      m_buttons(new QHBoxLayout),
      m_export(new QAction(lineIcon(QStringLiteral("export")), tr("Export this figure …"), this)),
      m_maximise(new QAction(this)),
      m_float(new QAction(lineIcon(QStringLiteral("float")), tr("Detach or attach this panel"), this)),
      m_close(new QAction(lineIcon(QStringLiteral("close")), tr("Hide this panel"), this)) {
  setObjectName(QStringLiteral("panelTitle"));
  setFixedHeight(kTitleHeight);
  openMenuOnRightClick(*this);
  m_note->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // shrinks first
  m_options->setSpacing(4);
  m_options->setContentsMargins(0, 0, 0, 0);
  m_buttons->setSpacing(0);
  rowIn(this, {m_title, {m_note, 1, Qt::AlignRight | Qt::AlignVCenter}, m_options, m_buttons},
        {.margins = {8, 2, 3, 2}, .spacing = kSpacing});
  m_close->setToolTip(tr("Hide this panel (View, Panels shows it again)"));
  m_export->setToolTip(tr("Export this figure …, or drag it onto the figure page"));
  QToolButton* exports = addButton(m_export);
  exports->setObjectName(QStringLiteral("panelExport"));
  exports->installEventFilter(this);
  m_spared = {addButton(m_maximise), addButton(m_float)};
  addButton(m_close);
  setTitle(title);
  setMaximised(false);
  offerExport(false);
  m_maximise->setVisible(false);
  connect(m_export, &QAction::triggered, this, &PanelTitle::exportRequested);
  connect(m_maximise, &QAction::triggered, this, &PanelTitle::maximiseRequested);
  connect(m_float, &QAction::triggered, dock, [dock] {
    if (auto* window = qobject_cast<QMainWindow*>(dock->parentWidget())) forgetSeparator(*window);
    dock->setFloating(!dock->isFloating());
  });
  connect(m_close, &QAction::triggered, dock, &QDockWidget::close);
}

QToolButton* PanelTitle::addButton(QAction* action) {
  addAction(action);
  auto* button = new QToolButton(this);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonIconOnly);
  button->setIconSize({12, 12});
  button->setFocusPolicy(Qt::TabFocus);
  m_buttons->addWidget(button);
  m_all.append(button);
  return button;
}

void PanelTitle::setTitle(const QString& title) {
  m_long = title.section(QLatin1Char('|'), 0, 0);
  m_short = title.section(QLatin1Char('|'), -1);
  m_title->setToolTip(plainTip(m_long));
  makeRoom();
}

void PanelTitle::setNote(const QString& note) {
  m_note->setName(note);
  m_note->setToolTip(plainTip(note));
}

void PanelTitle::addOption(QWidget* option) {
  if (auto* choice = qobject_cast<QComboBox*>(option)) {
    m_choices.append(choice);
    connect(choice, &QComboBox::currentTextChanged, this, &PanelTitle::makeRoom);
  }
  m_options->addWidget(option);
}

void PanelTitle::offerExport(bool offered) {
  m_export->setVisible(offered);
  makeRoom();
}

void PanelTitle::offerMaximise() {
  m_maximise->setVisible(true);
  makeRoom();
}

void PanelTitle::setMaximised(bool maximised) {
  m_maximise->setIcon(lineIcon(maximised ? QStringLiteral("minimise") : QStringLiteral("maximise")));
  m_maximise->setText(maximised ? tr("Show the other panels again (F10)")
                                : tr("Maximise this panel on the page (F10)"));
}

// Hides parts in this order: the note, buttons, choices down to the width of their current text, the title
// down to its short form, then the rest of both. Sets nothing twice, which would cause another layout.
void PanelTitle::makeRoom() {
  m_leastTitle = std::min(kLeastTitle, titleWidth(m_short));
  if (!isVisible()) return;  // called again when shown
  const int whole = width() - aroundAll();
  const int spare = whole - titleWidth(m_long) - optionsWidth(Choices::Whole) - buttonsWidth(false);
  m_note->setVisible(spare >= m_note->sizeHint().width() + kSpacing);  // a cut number would mislead
  for (QToolButton* button : m_all) {
    const bool spared = spare < 0 && m_spared.contains(button);
    button->setVisible(!spared && button->defaultAction()->isVisible());
  }
  const int room = whole - optionsWidth(Choices::Readable) - buttonsWidth(spare < 0);
  const QString& title = titleWidth(m_long) <= room ? m_long : m_short;
  const bool fits = titleWidth(title) <= room;
  for (QComboBox* choice : m_choices) choice->setMinimumWidth(fits ? readableWidth(*choice) : kLeastChoice);
  if (m_shown != title) m_title->setName(m_shown = title);
  m_title->setMinimumWidth(fits ? titleWidth(title) : 0);
}

int PanelTitle::buttonsWidth(bool narrow) const {
  int width = 0;
  for (const QToolButton* button : m_all) {
    if (button->defaultAction()->isVisible() && !(narrow && m_spared.contains(button)))
      width += button->sizeHint().width();
  }
  return width;
}

int PanelTitle::optionsWidth(Choices choices) const {
  int width = 0;
  for (int i = 0; i < m_options->count(); ++i) {
    const QWidget* option = m_options->itemAt(i)->widget();
    if (option->isHidden()) continue;
    if (width > 0) width += m_options->spacing();
    const auto* choice = qobject_cast<const QComboBox*>(option);
    if (choice == nullptr)
      width += option->sizeHint().width();
    else if (choices == Choices::Least)
      width += kLeastChoice;
    else
      width += std::max(readableWidth(*choice), choices == Choices::Whole ? choice->sizeHint().width() : 0);
  }
  return width;
}

int PanelTitle::titleWidth(const QString& title) const {
  return m_title->fontMetrics().horizontalAdvance(title) + kAroundTitle;
}

// Frame, margins and gaps.
int PanelTitle::aroundAll() const {
  const QMargins margins = layout()->contentsMargins();
  return width() - contentsRect().width() + margins.left() + margins.right() + 2 * kSpacing;
}

// Not the minimum of the layout, which depends on the current parts: the panel may become narrower.
QSize PanelTitle::minimumSizeHint() const {
  return {aroundAll() + m_leastTitle + optionsWidth(Choices::Least) + buttonsWidth(true), kTitleHeight};
}

bool PanelTitle::event(QEvent* event) {
  if (event->type() == QEvent::Show || event->type() == QEvent::Resize ||
      event->type() == QEvent::LayoutRequest)
    makeRoom();
  return QFrame::event(event);
}

bool PanelTitle::eventFilter(QObject* object, QEvent* event) {
  if (event->type() == QEvent::MouseMove) {
    auto* button = static_cast<QToolButton*>(object);
    const QPoint at = static_cast<QMouseEvent*>(event)->position().toPoint();
    if (button->isDown() && !button->rect().contains(at)) {
      button->setDown(false);  // the drag takes the release
      Q_EMIT dragRequested();
      return true;
    }
  }
  return QFrame::eventFilter(object, event);
}

// The dock is dragged by its bar and the texts on it. A press ignored by a control must not start a drag: the
// control might take the release, and the drag would never end.
void PanelTitle::mousePressEvent(QMouseEvent* event) {
  const QWidget* part = childAt(event->position().toPoint());
  event->setAccepted(part != nullptr && part != m_title && part != m_note);
}

void PanelTitle::mouseDoubleClickEvent(QMouseEvent* event) {
  event->accept();
  if (m_maximise->isVisible()) Q_EMIT maximiseRequested();
}

PanelDock::PanelDock(const QString& id, const QString& title, QWidget* parent)
    : QDockWidget(title, parent), m_bar(new PanelTitle(title, this)) {
  setObjectName(id);
  setTitleBarWidget(m_bar);
  setWidget(named("panelBody", new QFrame(this)));
}

void PanelDock::setContent(QWidget* content) {
  columnIn(body(), {content}, {.margins = {}, .spacing = 0});
}

void PanelDock::bringForward() {
  show();
  raise();
  for (QWidget* around = parentWidget(); around; around = around->parentWidget()) {
    auto* area = qobject_cast<QScrollArea*>(around);
    if (!area) continue;
    // After the layout that showing a hidden dock requests.
    QMetaObject::invokeMethod(
        area,
        [area, dock = QPointer(this)] {
          if (dock) area->ensureWidgetVisible(dock);
        },
        Qt::QueuedConnection);
    return;
  }
}

void PanelDock::showAsStrip() {
  setTitleBarWidget(new QWidget(this));
  m_bar->hide();
  widget()->setFixedHeight(kStripHeight);
}

}  // namespace plastiscope

#include "moc_panel_dock.cpp"
