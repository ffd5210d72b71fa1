#include "widgets/models/text_links.h"

#include <algorithm>

#include "core/views/token_text.h"
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
          read[place] =
              place.second < std::ssize(tokens) ? rowTextOf(tokens, place.second, kReach) : RowText();
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
  connect(&model.texts(), &RowTexts::arrived, this, &TokenContext::showText);
  connect(&model, &StudyModel::headReady, this, &TokenContext::leave);
}

void TokenContext::enter(QueryOrKey kind, qint64 row) {
  m_hovered = {kind, row};
  showText();
}

void TokenContext::showText() {
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

namespace {

constexpr std::size_t kMaxRows = 1000;  // larger selections are not linked

// Tokens of the text that contains the first selected row.
LinkedTokens selectedTokens(const StudyModel& model) {
  LinkedTokens tokens;
  const auto& rows = model.selection().value().rows;
  if (!rows || !model.views() || rows->query.size() + rows->key.size() > kMaxRows) return tokens;
  bool first = true;
  for (const QueryOrKey kind : {QueryOrKey::Query, QueryOrKey::Key}) {
    const PlaneRows& all = model.views()->plane->rows(kind);
    for (const std::int64_t row : kind == QueryOrKey::Query ? rows->query : rows->key) {
      const auto place = static_cast<std::size_t>(row);
      if (place >= all.size()) continue;
      if (std::exchange(first, false)) tokens.example = all.example[place];
      if (all.example[place] == tokens.example) tokens.positions.push_back(all.position[place]);
    }
  }
  return tokens;
}

// The captured rows at these tokens.
std::vector<std::int64_t> rowsAt(const LinkedTokens& tokens, const PlaneRows& rows) {
  std::vector<std::int64_t> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows.example[i] == tokens.example && std::ranges::binary_search(tokens.positions, rows.position[i]))
      found.push_back(i);
  }
  return found;
}

struct Follower {
  QPointer<StudyModel> model;
  std::shared_ptr<const CaptureFile> capture;
  LinkedTokens tokens = {};
};

}  // namespace

TextLinks::TextLinks(Workers& workers, QObject* parent)
    : QObject(parent), m_runner(workers, WorkLength::Quick) {}

TextLinks::~TextLinks() = default;

void TextLinks::add(StudyModel& model) {
  m_models.emplace_back(&model);
  connect(&model.selection(), &Selection::changed, this,
          [this, from = QPointer(&model)](const ViewSelection& now, const ViewSelection& before) {
            if (from && !m_following && now.rows != before.rows) linkFrom(*from);
          });
}

void TextLinks::linkFrom(StudyModel& from) {
  m_runner.drop();
  std::erase_if(m_models, [](const QPointer<StudyModel>& model) { return model.isNull(); });
  const LinkedTokens tokens = selectedTokens(from);
  from.setLinkedTokens({});
  std::vector<Follower> followers;
  for (const QPointer<StudyModel>& model : m_models) {
    if (model == &from || !model->study()->capture) continue;
    if (tokens.positions.empty())
      model->setLinkedTokens({});
    else
      followers.push_back({model, model->study()->capture});
  }
  if (followers.empty() || !from.study()->capture) return;
  m_runner.start(
      [tokens, followers, capture = from.study()->capture, title = from.study()->title](Progress& progress) {
        std::vector<Follower> led = followers;
        const TokenOffsets text(capture->tokenTexts(tokens.example));
        const auto& examples = capture->info().examples;
        const auto example = static_cast<std::size_t>(tokens.example);
        const std::string id = example < examples.size() ? examples[example].id : std::string();
        for (Follower& follower : led) {
          progress.throwIfStopped();
          const auto match = findText(text, id, *follower.capture);
          if (!match) continue;
          follower.tokens = {match->example,
                             alignedTokens(tokens.positions, text, match->offsets, match->shift),
                             QString::fromStdString(title)};
        }
        return led;
      },
      [this](JobResult<std::vector<Follower>> led) {
        if (!led.ok()) return;
        for (const Follower& follower : *led.value) {
          if (!follower.model) continue;
          follower.model->setLinkedTokens(follower.tokens);
          if (follower.tokens.positions.empty() || !follower.model->views()) continue;
          const PlaneData& plane = *follower.model->views()->plane;
          m_following = true;
          follower.model->selection().setRows(rowsAt(follower.tokens, plane.query),
                                              rowsAt(follower.tokens, plane.key));
          m_following = false;
        }
      });
}

}  // namespace plastiscope

#include "moc_text_links.cpp"
