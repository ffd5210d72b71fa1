#include "widgets/compare/benchmark_model.h"

#include <algorithm>

#include "core/base/path_text.h"
#include "core/compare/reference_data.h"
#include "core/jobs/compare_job.h"
#include "core/jobs/study_job.h"
#include "widgets/state/file_text.h"

namespace fs = std::filesystem;

namespace plastiscope {

namespace {

OwnModels ownOf(const std::vector<std::shared_ptr<const Study>>& studies) {
  if (studies.empty()) return {};
  std::vector<ComparisonInput> inputs;
  for (const auto& study : studies)
    inputs.push_back({"", study->file.empty() ? study->title : study->file, study->analysis});
  return ownModels(makeComparison(inputs));
}

std::vector<std::shared_ptr<const Study>> readyOf(
    const std::vector<fs::path>& files, const std::map<fs::path, std::shared_ptr<const Study>>& known) {
  std::vector<std::shared_ptr<const Study>> studies;
  for (const fs::path& file : files) {
    if (const auto found = known.find(file); found != known.end()) studies.push_back(found->second);
  }
  return studies;
}

}  // namespace

BenchmarkModel::BenchmarkModel(Workers& workers, JobList& jobs, QObject* parent)
    : QObject(parent), m_jobs(jobs), m_runner(workers, WorkLength::Long) {}

BenchmarkModel::~BenchmarkModel() = default;

void BenchmarkModel::setChoices(const BenchmarkChoices& choices) {
  if (choices == m_choices && m_data != nullptr) return;
  m_choices = choices;
  Q_EMIT choicesChanged();
  start();
}

void BenchmarkModel::add(const std::vector<fs::path>& files) {
  const std::size_t before = m_files.size();
  for (const fs::path& file : files) {
    if (publishedIdOf(pathText(file))) continue;  // always included
    const fs::path normal = normalPlace(file);
    if (std::find(m_files.begin(), m_files.end(), normal) == m_files.end()) m_files.push_back(normal);
  }
  if (m_files.size() == before) return;
  Q_EMIT filesChanged();
  start();
}

void BenchmarkModel::remove(const fs::path& file) {
  if (std::erase(m_files, file) == 0) return;
  m_studies.erase(file);
  Q_EMIT filesChanged();
  start();
}

std::vector<std::shared_ptr<const Study>> BenchmarkModel::studies() const {
  return readyOf(m_files, m_studies);
}

BenchmarkModel::Result BenchmarkModel::compute(const BenchmarkChoices& choices,
                                               const std::vector<fs::path>& files, Known known,
                                               Progress& progress) {
  Result result;
  result.studies = std::move(known);
  for (const fs::path& file : files) {
    progress.throwIfStopped();
    if (result.studies.contains(file)) continue;
    const auto study = resultOf<std::shared_ptr<const Study>>(
        [&] { return openStudy(file, AnalysisSettings(), 0, progress); });
    if (study.ok())
      result.studies[file] = *study.value;
    else
      result.problems[file] = study.failure.sentence;
  }
  progress.throwIfStopped();
  const auto data = resultOf<std::shared_ptr<const BenchmarkData>>([&] {
    return std::make_shared<const BenchmarkData>(makeBenchmarkData(loadBenchmark(choices.scores),
                                                                   ownOf(readyOf(files, result.studies)),
                                                                   {choices.predictor, choices.group}));
  });
  if (data.ok())
    result.data = *data.value;
  else
    result.scoresProblem = data.failure.sentence;
  return result;
}

void BenchmarkModel::start() {
  const bool opens = std::any_of(m_files.begin(), m_files.end(),
                                 [this](const fs::path& file) { return !m_studies.contains(file); });
  m_runner.drop();  // before its handle is destroyed
  m_handle = opens ? std::make_unique<JobHandle>(tr("Benchmarks")) : nullptr;
  if (m_handle) m_jobs.add(m_handle.get());
  m_runner.start([choices = m_choices, files = m_files,
                  known = m_studies](Progress& progress) { return compute(choices, files, known, progress); },
                 [this](JobResult<Result> result) {
                   if (result.ok()) return deliver(std::move(*result.value));
                   complain(result.stopped() ? tr("Opening was cancelled.") : result.failure.sentence);
                 },
                 m_handle.get());
}

void BenchmarkModel::deliver(Result result) {
  m_studies = std::move(result.studies);
  QStringList sentences;
  for (const auto& [file, sentence] : result.problems) {
    sentences.append(sentence);
    std::erase(m_files, file);
  }
  if (!result.problems.empty()) Q_EMIT filesChanged();
  if (result.data == nullptr) {
    sentences.append(result.scoresProblem);
    if (m_data != nullptr) {  // keeps the previous data and options
      m_choices = m_shown;
      Q_EMIT choicesChanged();
    }
  } else {
    m_data = std::move(result.data);
    m_choices.group = m_data->group.text();
    m_shown = m_choices;
    Q_EMIT dataReady(m_data);
  }
  complain(sentences.join(QLatin1Char(' ')));
}

void BenchmarkModel::complain(const QString& sentence) {
  m_problem = sentence;
  if (!sentence.isEmpty()) Q_EMIT complained(sentence);
}

}  // namespace plastiscope

#include "moc_benchmark_model.cpp"
