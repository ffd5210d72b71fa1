#pragma once
// Answers the requests of the page of a study (resources/page) with JSON: over HTTP (`serve`), from a
// notebook, or stored in the page itself (study_page.h). Independent of the transport.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/base/json_value.h"
#include "core/compare/comparison.h"
#include "core/views/plasticity_choice.h"
#include "core/views/profile_data.h"
#include "core/views/study.h"
#include "core/views/study_facts.h"

namespace plastiscope {

struct StudyServerOptions {
  std::int64_t rows = 4000;             // rows of each kind in a plane, evenly chosen
  ApKind plasticity = ApKind::Aligned;  // shown if the analyses have it
};

// A path with its parameters, such as plane with head = L16H4. study = 0, 1, ... chooses one of several
// studies.
using RequestParameters = std::map<std::string, std::string>;
struct StudyRequest {
  std::string path;
  RequestParameters parameters = {};
  std::string text() const;  // "plane?head=L16H4&study=1"; names the answers that a page holds
};

struct ServedStudy {
  std::shared_ptr<const Study> study;
  StudyFacts facts;
  ShownPlasticity shown;
  std::shared_ptr<const ProfileField> field;
  std::string lines;  // request for the profiles of all heads
};

// Subject of a view, by which the page offers controls. Rows and Text need a capture.
enum class ViewOf { Study, Metric, Studies, Head, Rows, Text };
struct StudyView {
  const char *path, *title;
  ViewOf of;
};

class StudyServer {
 public:
  // `studies`: at least one, none null. InputError as makeComparison.
  explicit StudyServer(std::vector<std::shared_ptr<const Study>> studies,
                       const StudyServerOptions& options = {});

  // The answer; for an unknown path, head, column, ... {"error": sentence}, for a filter also {"position":
  // byte}. The same for any number of threads, which may call it at the same time.
  Json answer(const StudyRequest& request) const;

  const std::vector<ServedStudy>& studies() const { return m_studies; }
  const Comparison* comparison() const { return m_comparison.get(); }  // null for a single study
  const StudyServerOptions& options() const { return m_options; }
  std::vector<StudyView> views(const ServedStudy& study) const;  // those the study has data for

 private:
  std::vector<ServedStudy> m_studies;
  std::unique_ptr<const Comparison> m_comparison;
  StudyServerOptions m_options;
};

// The first answer: facts, metrics, the table of heads and the grid.
Json studyAnswer(const StudyServer& server, const ServedStudy& study);

}  // namespace plastiscope
