#include "core/jobs/study_page.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/jobs/parallel.h"
#include "core/jobs/study_server.h"

namespace plastiscope {

// Built from resources/page.
std::string_view embeddedStudyPage();
std::string_view embeddedPlotScript();
std::string_view embeddedPageScript();

namespace {

// Answers in the order of their importance, up to a size.
class PageAnswers {
 public:
  PageAnswers(const StudyServer& server, const StudyPageOptions& options, int threads, Progress& progress)
      : m_server(server), m_megabytes(options.megabytes), m_threads(threads), m_progress(progress) {}

  // `name`: of the answers, plural, for the sentence on what was left out.
  void add(const std::string& name, const std::vector<StudyRequest>& requests) {
    std::vector<std::string> texts(requests.size());
    UnitCounter counter(m_progress, "page", "answer", requests.size());
    parallelFor(m_full ? 0 : requests.size(), m_threads, [&](std::size_t i) {
      m_progress.throwIfStopped();
      Json answer = m_server.answer(requests[i]);
      texts[i] = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
      emptyJson(answer);
      counter.finished();
    });
    std::size_t left = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
      m_full = m_full || static_cast<double>(m_text.size() + texts[i].size()) > m_megabytes * 1e6;
      if (m_full)
        ++left;
      else
        m_text += (m_text.empty() ? "" : ",") + Json(requests[i].text()).dump() + ":" + texts[i];
    }
    if (left > 0) m_left += (m_left.empty() ? "" : ", ") + std::to_string(left) + " " + name;
  }
  const std::string& text() const { return m_text; }  // members of a JSON object
  std::string left() const {
    return m_left.empty() ? "" : "Left out for the size of the page (--size): " + m_left + ".";
  }

 private:
  const StudyServer& m_server;
  double m_megabytes;
  int m_threads;
  Progress& m_progress;
  bool m_full = false;
  std::string m_text, m_left;
};

std::vector<StudyRequest> requestsOf(const std::vector<HeadName>& heads,
                                     std::initializer_list<const char*> paths) {
  std::vector<StudyRequest> requests;
  for (const HeadName& head : heads)
    for (const char* path : paths) requests.push_back({path, {{"head", head.text()}}});
  return requests;
}

std::string pageAround(const std::string& data) {
  std::string page(embeddedStudyPage());
  for (const auto& [place, text] :
       {std::pair<std::string_view, std::string_view>{"@PLOT@", embeddedPlotScript()},
        {"@PAGE@", embeddedPageScript()},
        {"@DATA@", data}})
    page.replace(page.find(place), place.size(), text);
  return page;
}

}  // namespace

OutputKind studyPageOutput() {
  return {"a page of a study", [](const std::filesystem::path& file) {
            const std::string_view page = embeddedStudyPage();
            const std::string_view title = page.substr(0, page.find("<style>"));
            return readFile(file).starts_with(title);
          }};
}

std::string studyPageAround(const Json& data) {
  return pageAround(scriptText(data.dump()));
}

std::string studyPage(const std::shared_ptr<const Study>& study, const StudyPageOptions& options, int threads,
                      Progress& progress, const std::vector<std::shared_ptr<const Study>>& compared) {
  const std::vector<HeadName> all = headsOf(*study->analysis);
  const std::vector<HeadName>& detailed = options.heads.empty() ? all : options.heads;
  for (const HeadName& head : detailed) requireScope(*study->analysis, {head, {}});
  std::vector<std::shared_ptr<const Study>> studies = compared;
  studies.insert(studies.begin(), study);
  const StudyServer server(std::move(studies), {options.rows, options.plasticity});

  std::vector<StudyRequest> whole = {{"study"}, {"lines"}};
  bool texts = false;
  for (const StudyView& view : server.views(server.studies().front())) {
    if (view.of == ViewOf::Study || view.of == ViewOf::Studies) whole.push_back({view.path});
    texts = texts || view.of == ViewOf::Text;
  }
  PageAnswers answers(server, options, threads, progress);
  answers.add("views of all heads", whole);
  answers.add("profiles and sentences of heads", requestsOf(all, {"head", "profile"}));
  answers.add("maps of heads", requestsOf(detailed, {"map"}));
  if (options.rows > 0) answers.add("planes of heads", requestsOf(detailed, {"plane"}));
  if (texts) answers.add("texts of heads", requestsOf(detailed, {"text"}));
  if (!answers.left().empty()) progress.told(answers.left());
  return pageAround(
      scriptText("{\"answers\":{" + answers.text() + "},\"left\":" + Json(answers.left()).dump() + "}"));
}

}  // namespace plastiscope
