#pragma once
// The words of the row under the pointer, for views that draw the chosen head's rows.
#include <QObject>
#include <optional>

#include "core/views/plane_data.h"

namespace plastiscope {

class StudyModel;

class HoverWords : public QObject {
  Q_OBJECT
 public:
  // The view has rowHovered(kind, row), rowUnhovered() and setHoverWords(richText).
  template <typename View>
  static void connectTo(StudyModel& model, View* view) {
    auto* words = new HoverWords(model, view);
    connect(view, &View::rowHovered, words, &HoverWords::enter);
    connect(view, &View::rowUnhovered, words, &HoverWords::leave);
    connect(words, &HoverWords::found, view, &View::setHoverWords);
  }

 Q_SIGNALS:
  void found(const QString& richText);  // the token stands out

 private:
  HoverWords(StudyModel& model, QObject* parent);
  void enter(QueryOrKey kind, qint64 row);
  void leave() { m_hovered.reset(); }
  void tell();

  StudyModel& m_model;
  std::optional<std::pair<QueryOrKey, qint64>> m_hovered;
};

}  // namespace plastiscope
