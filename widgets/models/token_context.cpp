#include "widgets/models/token_context.h"

#include "widgets/models/study_model.h"

namespace plastiscope {

namespace {

constexpr std::size_t kMaxKept = 100000;

// Rows have no text if the capture has no texts or damaged ones.
std::vector<std::string> tokensOf(const CaptureFile& capture, std::int64_t example) {
  try {
    return capture.tokenTexts(example);
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

RowTexts::RowTexts(std::shared_ptr<const CaptureFile> capture, Workers& workers, QObject* parent)
    : QObject(parent), m_capture(std::move(capture)), m_runner(workers, WorkLength::Quick) {}

std::optional<RowText> RowTexts::at(std::int64_t example, std::int64_t position) {
  if (!m_capture) return RowText();
  const auto known = m_known.find({example, position});
  if (known != m_known.end()) return known->second;
  if (m_wanted.insert({example, position}).second && !m_runner.running()) {
    // Requests of one pass of the event loop are read together.
    QMetaObject::invokeMethod(this, &RowTexts::readWanted, Qt::QueuedConnection);
  }
  return std::nullopt;
}

void RowTexts::readWanted() {
  if (m_wanted.empty() || m_runner.running()) return;
  m_runner.start(
      [capture = m_capture, wanted = m_wanted](Progress& progress) {
        Known read;
        std::vector<std::string> tokens;
        std::int64_t example = -1;
        for (const Place& place : wanted) {  // ordered by example
          if (place.first != example) {
            progress.throwIfStopped();
            example = place.first;
            tokens = tokensOf(*capture, example);
          }
          read[place] = static_cast<std::size_t>(place.second) < tokens.size()
                            ? rowTextOf(tokens, place.second, kReach)
                            : RowText();
        }
        return read;
      },
      [this](JobResult<Known> read) {
        if (!read.ok()) return;
        if (m_known.size() > kMaxKept) m_known.clear();
        for (const auto& [place, text] : *read.value) {
          m_wanted.erase(place);
          m_known[place] = text;
        }
        readWanted();
        Q_EMIT arrived();
      });
}

namespace {

constexpr int kHoverReach = 32;  // characters on each side

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
                     .arg(QString::fromStdString(text->before).right(kHoverReach).toHtmlEscaped(),
                          QString::fromStdString(text->token).toHtmlEscaped(),
                          QString::fromStdString(text->after).left(kHoverReach).toHtmlEscaped()));
}

}  // namespace plastiscope

#include "moc_token_context.cpp"
