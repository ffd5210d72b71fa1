#pragma once
// Links tabs by text: a selection in one tab selects the same characters of the same text in the others.
#include <QObject>
#include <QPointer>
#include <list>
#include <memory>

#include "widgets/jobs/job_runner.h"

namespace plastiscope {

class StudyModel;

class TextLinks : public QObject {
  Q_OBJECT
 public:
  explicit TextLinks(Workers& workers, QObject* parent = nullptr);
  ~TextLinks() override;

  void add(StudyModel& model);  // until it is destroyed
  bool running() const { return m_runner.running(); }

 private:
  void follow(StudyModel& from);

  JobRunner m_runner;
  std::list<QPointer<StudyModel>> m_models;
  bool m_following = false;  // ignores selections made by this object
};

}  // namespace plastiscope
