#include "widgets/panels/token_context.h"

#include "widgets/models/study_model.h"

namespace plastiscope {
namespace {

constexpr int kReach = 32;  // characters on each side

}  // namespace

TokenContext::TokenContext(StudyModel& model, QObject* parent) : QObject(parent), m_model(model) {
  connect(&model.texts(), &RowTexts::arrived, this, &TokenContext::tell);
  connect(&model, &StudyModel::headReady, this, &TokenContext::leave);
}

void TokenContext::enter(QueryOrKey kind, qint64 row) {
  m_hovered = {kind, row};
  tell();
}

void TokenContext::tell() {
  if (!m_hovered || !m_model.views()) return;
  const PlaneRows& rows = m_model.views()->plane->rows(m_hovered->first);
  const auto row = static_cast<std::size_t>(m_hovered->second);
  if (row >= rows.size()) return;
  if (const auto text = m_model.texts().at(rows.example[row], rows.position[row]); text && !text->empty())
    Q_EMIT found(QStringLiteral("%1<b>%2</b>%3")
                     .arg(QString::fromStdString(text->before).right(kReach).toHtmlEscaped(),
                          QString::fromStdString(text->token).toHtmlEscaped(),
                          QString::fromStdString(text->after).left(kReach).toHtmlEscaped()));
}

}  // namespace plastiscope
