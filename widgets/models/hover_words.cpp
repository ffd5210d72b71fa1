#include "widgets/models/hover_words.h"

#include "widgets/models/study_model.h"

namespace plastiscope {
namespace {

constexpr int kReach = 32;  // characters on each side

}  // namespace

HoverWords::HoverWords(StudyModel& model, QObject* parent) : QObject(parent), m_model(model) {
  connect(&model.texts(), &RowTexts::arrived, this, &HoverWords::tell);
  connect(&model, &StudyModel::headReady, this, &HoverWords::leave);
}

void HoverWords::enter(QueryOrKey kind, qint64 row) {
  m_hovered = {kind, row};
  tell();
}

void HoverWords::tell() {
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
