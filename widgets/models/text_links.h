#pragma once
// Texts of captured rows: text around them, and links between tabs that show the same text.
#include <QObject>
#include <QPointer>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "core/store/capture_file.h"
#include "core/views/plane_data.h"
#include "core/views/token_text.h"
#include "widgets/jobs/job_runner.h"

namespace plastiscope {

class StudyModel;

// Text around captured rows: read in a worker on request, delivered by signal, and cached.
class RowTexts : public QObject {
  Q_OBJECT
 public:
  static constexpr std::size_t kReach = 48;  // characters on each side

  // `capture` may be null: then no row has text.
  RowTexts(std::shared_ptr<const CaptureFile> capture, Workers& workers, QObject* parent = nullptr);

  // Nullopt while unknown: then it is read, and arrived() follows.
  std::optional<RowText> at(std::int64_t example, std::int64_t position);
  bool reading() const { return m_runner.running(); }

 Q_SIGNALS:
  void arrived();

 private:
  using Place = std::pair<std::int64_t, std::int64_t>;  // example, position
  using Known = std::map<Place, RowText>;
  void readWanted();

  std::shared_ptr<const CaptureFile> m_capture;
  JobRunner m_runner;
  Known m_known;
  std::set<Place> m_wanted;
};

// Text around the row under the pointer, for views of the selected head's rows.
class TokenContext : public QObject {
  Q_OBJECT
 public:
  // The view must have rowHovered(kind, row), rowUnhovered() and setTokenContext(richText).
  template <typename View>
  static void connectTo(StudyModel& model, View* view) {
    auto* words = new TokenContext(model, view);
    connect(view, &View::rowHovered, words, &TokenContext::enter);
    connect(view, &View::rowUnhovered, words, &TokenContext::leave);
    connect(words, &TokenContext::found, view, &View::setTokenContext);
  }

 Q_SIGNALS:
  void found(const QString& richText);  // the token is highlighted

 private:
  TokenContext(StudyModel& model, QObject* parent);
  void enter(QueryOrKey kind, qint64 row);
  void leave() { m_hovered.reset(); }
  void showText();

  StudyModel& m_model;
  std::optional<std::pair<QueryOrKey, qint64>> m_hovered;
};

// Links tabs by text: a selection in one tab selects the same characters of the same text in the others.
class TextLinks : public QObject {
  Q_OBJECT
 public:
  explicit TextLinks(Workers& workers, QObject* parent = nullptr);
  ~TextLinks() override;

  void add(StudyModel& model);  // until it is destroyed
  bool running() const { return m_runner.running(); }

 private:
  void linkFrom(StudyModel& from);

  JobRunner m_runner;
  std::list<QPointer<StudyModel>> m_models;
  bool m_following = false;  // ignores selections made by this object
};

}  // namespace plastiscope
