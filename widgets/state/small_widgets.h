#pragma once
// Small building blocks of widgets: rows and columns from lists, common buttons, elided names.
#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <initializer_list>
#include <utility>
#include <vector>

class QAbstractButton;
class QComboBox;
class QDoubleSpinBox;
class QMenu;
class QTableView;

namespace plastiscope {

struct Gap {
  int pixels;
};
struct Stretch {  // takes the remaining space, or this share of it
  int share = 1;
};

// Item of a row or column.
struct BoxItem {
  BoxItem(QWidget* itsWidget, int itsStretch = 0, Qt::Alignment itsAlignment = {})
      : widget(itsWidget), stretch(itsStretch), alignment(itsAlignment) {}
  BoxItem(QLayout* itsLayout, int itsStretch = 0) : layout(itsLayout), stretch(itsStretch) {}
  BoxItem(Gap itsGap) : gap(itsGap.pixels) {}
  BoxItem(Stretch itsStretch) : stretch(itsStretch.share) {}

  QWidget* widget = nullptr;
  QLayout* layout = nullptr;
  int stretch = 0, gap = -1;
  Qt::Alignment alignment = {};
};
using BoxItems = std::initializer_list<BoxItem>;
struct BoxSpace {
  QMargins margins = {-1, -1, -1, -1};  // -1: default of the style
  int spacing = -1;                     // the same
};
QHBoxLayout* rowOf(BoxItems items, const BoxSpace& space = {});
QVBoxLayout* columnOf(BoxItems items, const BoxSpace& space = {});
// Set as the layout of `owner`.
QHBoxLayout* rowIn(QWidget* owner, BoxItems items, const BoxSpace& space = {});
QVBoxLayout* columnIn(QWidget* owner, BoxItems items, const BoxSpace& space = {});

// Sets the object name, for style sheets, tests and saved window states.
template <typename Widget>
Widget* named(const char* name, Widget* widget) {
  widget->setObjectName(QLatin1String(name));
  return widget;
}
// Sets the accessible name and the tool tip of a control.
void explain(QWidget& widget, const QString& name, const QString& tip);
inline void explain(QWidget& widget, const QString& both) {
  explain(widget, both, both);
}

// Button with only an icon (widgets/state/icons.h) of this size in pixels.
QToolButton* iconButton(const QString& icon, int pixels, const QString& tip, QWidget* parent);
// Small button inside a page or dialog, not triggered by Enter.
QPushButton* smallButton(const QString& text, const QString& tip, QWidget* parent);
// Shows a table as a list: selects single whole rows, alternating colours; Tab leaves it; its menu copies and
// saves it (table_copy.h).
void showAsList(QTableView& table, int rowHeight);
// Plain-text label with a style of the style sheet: "muted", "strong", "good", ...; null = none. `points`:
// larger than usual.
QLabel* styledLabel(const QString& text, const char* look, QWidget* parent, double points = 0);

// --- Windows and menus

// Moves and shrinks a rectangle to fit into `available`.
QRect withinScreen(const QRect& wanted, const QRect& available);
// Resizes a dialog to this size or to the size of the screen.
void resizeOnScreen(QWidget& dialog, QSize wanted);
// Adds the action of a title bar control to the view's context menu.
void offerInMenu(QWidget& view, QAbstractButton& button, const QString& text);
void offerInMenu(QWidget& view, QComboBox& choice, const QString& title);
void addMenuLine(QWidget& view);
// Popup menu of the widget's actions, deleted when closed or with the widget. Qt::ActionsContextMenu has its
// menu on the stack, where a widget destroyed first would free it.
QMenu* menuOfActions(QWidget& widget);
void openMenuOnRightClick(QWidget& widget);

// --- Fields of forms

QDoubleSpinBox* numberBox(double low, double high, double step, int decimals, const QString& suffix);
QComboBox* choiceBox(const std::vector<std::pair<QString, QString>>& items);  // title, value
// Selects a value of the box; ignores unknown values.
void select(QComboBox& box, const QString& value);
// Selects a value, or adds it under this title.
void selectOrAdd(QComboBox& box, const QString& value, const QString& title);
// Puts widgets in one row of a form.
QWidget* fieldRow(const std::vector<QWidget*>& widgets);

// --- Labels and buttons

// One-line name that is elided when space is short.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  // Width between `least` and `most` pixels.
  explicit ElidedLabel(int most, QWidget* parent = nullptr, int least = 28);
  void setName(const QString& name);
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  int whole() const;

  QString m_name;
  int m_most, m_least;
};

// Icon that follows a change of the theme.
class IconLabel : public QLabel {
  Q_OBJECT
 public:
  explicit IconLabel(int side, QWidget* parent = nullptr, const QIcon& icon = {});
  void setIcon(const QIcon& icon);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QIcon m_icon;
  int m_side;
};

// Toggle that locks a view's range and shows its state.
class LockButton : public QToolButton {
  Q_OBJECT
 public:
  explicit LockButton(QWidget* parent = nullptr);
  void setLocked(bool locked);  // emits nothing

 Q_SIGNALS:
  void lockRequested(bool lock);  // by the user
};

}  // namespace plastiscope
