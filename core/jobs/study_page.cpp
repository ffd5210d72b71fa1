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
  std::vector<std::pair<const char*, std::vector<StudyRequest>>> groups = {
      // the most important first
      {"views of all heads", whole},
      {"profiles and sentences of heads", requestsOf(all, {"head", "profile"})},
      {"maps of heads", requestsOf(detailed, {"map"})}};
  if (options.rows > 0) groups.emplace_back("planes of heads", requestsOf(detailed, {"plane"}));
  if (texts) groups.emplace_back("texts of heads", requestsOf(detailed, {"text"}));
  std::size_t count = 0;
  for (const auto& [name, requests] : groups) count += requests.size();

  std::string answers, left;  // members of a JSON object; numbers and names of what does not fit
  bool full = false;
  UnitCounter counter(progress, "page", "answer", count);
  for (const auto& [name, requests] : groups) {
    std::vector<std::string> made(requests.size());
    parallelFor(full ? 0 : requests.size(), threads, [&](std::size_t i) {
      progress.throwIfStopped();
      Json answer = server.answer(requests[i]);
      made[i] = answer.dump(-1, ' ', false, Json::error_handler_t::replace);
      emptyJson(answer);
      counter.finished();
    });
    std::size_t fitting = 0;
    for (; fitting < requests.size() && !full; ++fitting) {
      full = static_cast<double>(answers.size() + made[fitting].size()) > options.megabytes * 1e6;
      if (full) break;
      answers += (answers.empty() ? "" : ",") + Json(requests[fitting].text()).dump() + ":" + made[fitting];
    }
    if (fitting < requests.size())
      left += (left.empty() ? "" : ", ") + std::to_string(requests.size() - fitting) + " " + name;
  }
  if (!left.empty()) left = "Left out for the size of the page (--size): " + left + ".";
  if (!left.empty()) progress.told(left);
  return pageAround(scriptText("{\"answers\":{" + answers + "},\"left\":" + Json(left).dump() + "}"));
}

}  // namespace plastiscope
