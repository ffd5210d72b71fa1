#pragma once
// The words around the token of the row under the pointer, for views that draw the chosen head's rows.
#include <QObject>
#include <optional>

#include "core/views/plane_data.h"

namespace plastiscope {

class StudyModel;

class TokenContext : public QObject {
  Q_OBJECT
 public:
  // The view has rowHovered(kind, row), rowUnhovered() and setTokenContext(richText).
  template <typename View>
  static void connectTo(StudyModel& model, View* view) {
    auto* context = new TokenContext(model, view);
    connect(view, &View::rowHovered, context, &TokenContext::enter);
    connect(view, &View::rowUnhovered, context, &TokenContext::leave);
    connect(context, &TokenContext::found, view, &View::setTokenContext);
  }

 Q_SIGNALS:
  void found(const QString& richText);  // the token stands out

 private:
  TokenContext(StudyModel& model, QObject* parent);
  void enter(QueryOrKey kind, qint64 row);
  void leave() { m_hovered.reset(); }
  void tell();

  StudyModel& m_model;
  std::optional<std::pair<QueryOrKey, qint64>> m_hovered;
};

}  // namespace plastiscope
