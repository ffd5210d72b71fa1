#pragma once
// Small parts that many widgets are made of: rows and columns as lists, usual buttons, a name in one line
// that gives way when there is little room.
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
struct Stretch {  // takes what room is left, or this share of it
  int share = 1;
};

// What stands in a row or a column.
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
  QMargins margins = {-1, -1, -1, -1};  // these: of the style
  int spacing = -1;                     // the same
};
QHBoxLayout* rowOf(BoxItems items, const BoxSpace& space = {});
QVBoxLayout* columnOf(BoxItems items, const BoxSpace& space = {});
// As the layout of `owner`.
QHBoxLayout* rowIn(QWidget* owner, BoxItems items, const BoxSpace& space = {});
QVBoxLayout* columnIn(QWidget* owner, BoxItems items, const BoxSpace& space = {});

// The widget under a name for style sheets, tests and the state of windows.
template <typename Widget>
Widget* named(const char* name, Widget* widget) {
  widget->setObjectName(QLatin1String(name));
  return widget;
}
// What a control is for, for the eye and for a screen reader.
void explain(QWidget& widget, const QString& name, const QString& tip);
inline void explain(QWidget& widget, const QString& both) {
  explain(widget, both, both);
}

// A button with an icon alone (widgets/state/icons.h) of so many pixels.
QToolButton* iconButton(const QString& icon, int pixels, const QString& tip, QWidget* parent);
// A low button inside of a page or a dialog, which Enter does not press.
QPushButton* smallButton(const QString& text, const QString& tip, QWidget* parent);
// A table that looks like a list: whole rows, one of them chosen, shaded in turns; Tab leaves it.
void showAsList(QTableView& table, int rowHeight);
// A label for plain text, in a look of the style sheet: "muted", "strong", "good", ...; null = none.
// `points`: larger than usual.
QLabel* styledLabel(const QString& text, const char* look, QWidget* parent, double points = 0);

// --- Windows and menus

// No larger than `available`, and inside of it.
QRect withinScreen(const QRect& wanted, const QRect& available);
// A dialog of this size, or as large as the screen has room for.
void resizeOnScreen(QWidget& dialog, QSize wanted);
// In the context menu of a view: what a control of its title bar does.
void offerInMenu(QWidget& view, QAbstractButton& button, const QString& text);
void offerInMenu(QWidget& view, QComboBox& choice, const QString& title);
void addMenuLine(QWidget& view);
// The widget's actions as a menu to pop up, which goes when it is closed or with the widget.
// Qt::ActionsContextMenu has its menu on the stack, where a widget that goes first frees it.
QMenu* menuOfActions(QWidget& widget);
void openMenuOnRightClick(QWidget& widget);

// --- Fields of forms

QDoubleSpinBox* numberBox(double low, double high, double step, int decimals, const QString& suffix);
QComboBox* choiceBox(const std::vector<std::pair<QString, QString>>& items);  // title, value
// Selects a value of the box; one that it lacks changes nothing.
void select(QComboBox& box, const QString& value);
// ... or is added under this title.
void selectOrAdd(QComboBox& box, const QString& value, const QString& title);
// Widgets beside each other in one row of a form.
QWidget* fieldRow(const std::vector<QWidget*>& widgets);

// --- Labels and buttons

// A name in one line that gives way when there is little room.
class ElidedLabel : public QLabel {
  Q_OBJECT
 public:
  // At most `most` pixels wide, and at least `least`.
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

// An icon that follows a switch of the theme.
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

// The switch that locks a view's range, and shows that it is locked.
class LockButton : public QToolButton {
  Q_OBJECT
 public:
  explicit LockButton(QWidget* parent = nullptr);
  void setLocked(bool locked);  // emits nothing

 Q_SIGNALS:
  void lockRequested(bool lock);  // by the user
};

}  // namespace plastiscope
