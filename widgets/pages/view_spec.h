#pragma once
// A view of a model tab: one row of the view catalogue. To add a view: a panel (a pair of files here), one
// line in app/desktop/view_catalogue.cpp, a help text in resources/help/views.json.
#include <QList>
#include <QString>
#include <QWidget>
#include <functional>
#include <vector>

namespace plastiscope {

class StudyModel;

// What a view shows of itself: the picture, the options that stand in its title bar, and the bar's words.
class ViewPanel : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  const QList<QWidget*>& options() const { return m_options; }

 Q_SIGNALS:
  void titleChanged(const QString& title);
  void noteChanged(const QString& note);

 protected:
  void addOption(QWidget* option) { m_options.append(option); }

 private:
  QList<QWidget*> m_options;
};

// Where a view stands in the default layout; the strip lies below the middle and right columns. Views of one area that come later share the place as tabs.
enum class ViewArea { LeftTop, LeftBottom, MiddleTop, MiddleBottom, RightTop, Details, Strip };

struct ViewSpec {
  QString id;  // object name of its dock or tab, kept in layouts
  QString title;
  ViewArea area = ViewArea::Details;
  QString figure;  // id of the figure that export and `render` draw for it; "" = none
  std::function<ViewPanel*(StudyModel&, QWidget* parent)> make;
};
using ViewCatalogue = std::vector<ViewSpec>;

}  // namespace plastiscope
