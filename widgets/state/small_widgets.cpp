#include "widgets/state/small_widgets.h"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QScreen>
#include <QTableView>
#include <algorithm>

#include "widgets/state/icons.h"
#include "widgets/state/table_copy.h"

namespace plastiscope {

namespace {

template <typename Layout>
Layout* filledBox(QWidget* owner, BoxItems items, const BoxSpace& space) {
  auto* box = owner != nullptr ? new Layout(owner) : new Layout;
  if (space.margins.left() >= 0) box->setContentsMargins(space.margins);
  if (space.spacing >= 0) box->setSpacing(space.spacing);
  for (const BoxItem& item : items) {
    if (item.widget != nullptr)
      box->addWidget(item.widget, item.stretch, item.alignment);
    else if (item.layout != nullptr)
      box->addLayout(item.layout, item.stretch);
    else if (item.gap >= 0)
      box->addSpacing(item.gap);
    else
      box->addStretch(item.stretch);
  }
  return box;
}

}  // namespace

QHBoxLayout* rowOf(BoxItems items, const BoxSpace& space) {
  return filledBox<QHBoxLayout>(nullptr, items, space);
}
QVBoxLayout* columnOf(BoxItems items, const BoxSpace& space) {
  return filledBox<QVBoxLayout>(nullptr, items, space);
}
QHBoxLayout* rowIn(QWidget* owner, BoxItems items, const BoxSpace& space) {
  return filledBox<QHBoxLayout>(owner, items, space);
}
QVBoxLayout* columnIn(QWidget* owner, BoxItems items, const BoxSpace& space) {
  return filledBox<QVBoxLayout>(owner, items, space);
}

void explain(QWidget& widget, const QString& name, const QString& tip) {
  widget.setAccessibleName(name);
  widget.setToolTip(tip);
}

QToolButton* iconButton(const QString& icon, int pixels, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(lineIcon(icon));
  button->setIconSize({pixels, pixels});
  explain(*button, tip);
  return button;
}

QPushButton* smallButton(const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QPushButton(text, parent);
  button->setProperty("small", true);
  button->setAutoDefault(false);
  button->setToolTip(tip);
  return button;
}

void showAsList(QTableView& table, int rowHeight) {
  table.setShowGrid(false);
  table.setAlternatingRowColors(true);
  table.setTabKeyNavigation(false);
  table.setSelectionBehavior(QAbstractItemView::SelectRows);
  table.setSelectionMode(QAbstractItemView::SingleSelection);
  table.verticalHeader()->hide();
  table.verticalHeader()->setDefaultSectionSize(rowHeight);
  offerTable(table);
}

QLabel* styledLabel(const QString& text, const char* look, QWidget* parent, double points) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  if (look != nullptr) label->setProperty(look, true);
  if (points != 0) {
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() + points);
    label->setFont(font);
  }
  return label;
}

// ---- windows and menus

namespace {

constexpr QMargins kAroundWindow(8, 32, 8, 8);  // frame and title of the window manager

}  // namespace

QRect withinScreen(const QRect& wanted, const QRect& available) {
  const QRect room = available.marginsRemoved(kAroundWindow);
  QRect rect(wanted.topLeft(), wanted.size().boundedTo(room.size()));
  rect.moveRight(std::min(rect.right(), room.right()));
  rect.moveBottom(std::min(rect.bottom(), room.bottom()));
  rect.moveLeft(std::max(rect.left(), room.left()));
  rect.moveTop(std::max(rect.top(), room.top()));
  return rect;
}

void resizeOnScreen(QWidget& dialog, QSize wanted) {
  dialog.resize(wanted.boundedTo(dialog.screen()->availableGeometry().marginsRemoved(kAroundWindow).size()));
}

void offerInMenu(QWidget& view, QAbstractButton& button, const QString& text) {
  auto* action = new QAction(text, &view);
  action->setCheckable(button.isCheckable());
  action->setChecked(button.isChecked());
  QObject::connect(action, &QAction::triggered, &button, &QAbstractButton::click);
  QObject::connect(&button, &QAbstractButton::toggled, action, &QAction::setChecked);
  view.addAction(action);
}

void offerInMenu(QWidget& view, QComboBox& choice, const QString& title) {
  auto* menu = new QMenu(title, &view);
  QObject::connect(menu, &QMenu::aboutToShow, &choice, [menu, &choice] {
    menu->clear();
    for (int i = 0; i < choice.count(); ++i) {
      QAction* action = menu->addAction(choice.itemText(i));
      action->setCheckable(true);
      action->setChecked(i == choice.currentIndex());
      action->setEnabled(choice.isEnabled());
      QObject::connect(action, &QAction::triggered, &choice, [&choice, i] {
        choice.setCurrentIndex(i);
        Q_EMIT choice.activated(i);
      });
    }
  });
  view.addAction(menu->menuAction());
}

void addMenuLine(QWidget& view) {
  auto* line = new QAction(&view);
  line->setSeparator(true);
  view.addAction(line);
}

QMenu* menuOfActions(QWidget& widget) {
  auto* menu = new QMenu(&widget);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->addActions(widget.actions());
  return menu;
}

void openMenuOnRightClick(QWidget& widget) {
  const auto* area = qobject_cast<QAbstractScrollArea*>(&widget);
  const QWidget* clicked = area ? area->viewport() : &widget;
  widget.setContextMenuPolicy(Qt::CustomContextMenu);
  QObject::connect(&widget, &QWidget::customContextMenuRequested, &widget, [&widget, clicked](QPoint place) {
    menuOfActions(widget)->popup(clicked->mapToGlobal(place));
  });
}

// ---- fields of forms

namespace {

bool stretches(const QWidget* widget) {
  return qobject_cast<const QComboBox*>(widget) || qobject_cast<const QLineEdit*>(widget);
}

}  // namespace

QDoubleSpinBox* numberBox(double low, double high, double step, int decimals, const QString& suffix) {
  auto* box = new QDoubleSpinBox;
  box->setRange(low, high);
  box->setSingleStep(step);
  box->setDecimals(decimals);
  box->setSuffix(suffix);
  box->setKeyboardTracking(false);
  return box;
}

QComboBox* choiceBox(const std::vector<std::pair<QString, QString>>& items) {
  auto* box = new QComboBox;
  for (const auto& [title, value] : items) box->addItem(title, value);
  return box;
}

void select(QComboBox& box, const QString& value) {
  const int index = box.findData(value);
  if (index >= 0) box.setCurrentIndex(index);
}

void selectOrAdd(QComboBox& box, const QString& value, const QString& title) {
  if (box.findData(value) < 0) box.addItem(title, value);
  select(box, value);
}

QWidget* fieldRow(const std::vector<QWidget*>& widgets) {
  auto* holder = new QWidget;
  auto* layout = rowIn(holder, {}, {.margins = {}, .spacing = 6});
  for (QWidget* widget : widgets) layout->addWidget(widget, stretches(widget) ? 1 : 0);
  if (std::none_of(widgets.begin(), widgets.end(), stretches)) layout->addStretch(1);
  return holder;
}

// ---- icon label

IconLabel::IconLabel(int side, QWidget* parent, const QIcon& icon) : QLabel(parent), m_side(side) {
  setIcon(icon);
}

void IconLabel::setIcon(const QIcon& icon) {
  m_icon = icon;
  setPixmap(m_icon.pixmap(QSize(m_side, m_side), devicePixelRatioF()));
}

void IconLabel::changeEvent(QEvent* event) {
  QLabel::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) setIcon(QIcon(m_icon));
}

// ---- elided label

ElidedLabel::ElidedLabel(int most, QWidget* parent, int least)
    : QLabel(parent), m_most(most), m_least(least) {
  setTextFormat(Qt::PlainText);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
}

void ElidedLabel::setName(const QString& name) {
  m_name = name;
  ensurePolished();  // a bold style makes it wider
  setMaximumWidth(whole());
  setText(fontMetrics().elidedText(m_name, Qt::ElideMiddle, std::min(width(), whole())));
  updateGeometry();
}

int ElidedLabel::whole() const {
  return std::min(m_most, fontMetrics().horizontalAdvance(m_name) + 4);
}

QSize ElidedLabel::sizeHint() const {
  return {whole(), fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
  return {std::min(m_least, whole()), fontMetrics().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  setText(fontMetrics().elidedText(m_name, Qt::ElideMiddle, width()));
}

// ---- lock button

LockButton::LockButton(QWidget* parent) : QToolButton(parent) {
  setCheckable(true);
  setIconSize({12, 12});
  setFocusPolicy(Qt::TabFocus);
  setLocked(false);
  connect(this, &QToolButton::clicked, this, &LockButton::lockRequested);
}

void LockButton::setLocked(bool locked) {
  setChecked(locked);
  setIcon(lineIcon(locked ? QStringLiteral("lock") : QStringLiteral("unlock")));
  setToolTip(locked ? tr("This range is locked in all heads and tabs; click to unlock it")
                    : tr("Lock this range: the same in all heads and tabs"));
  setAccessibleName(tr("Lock the range"));
}

}  // namespace plastiscope

#include "moc_small_widgets.cpp"
