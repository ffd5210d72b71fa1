// Cancels every long job at random moments; prints the time until nothing of it runs, and files it left.
#include <QElapsedTimer>
#include <QProcess>
#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <utility>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/jobs/analyze_job.h"
#include "core/jobs/study_job.h"
#include "core/store/stored_file.h"
#include "sweeps/soaked_window.h"
#include "widgets/export/figure_batch.h"
#include "widgets/jobs/capture_process.h"
#include "widgets/pages/compare_page.h"
#include "widgets/pages/model_page.h"

namespace fs = std::filesystem;

namespace plastiscope::sweep {
namespace {

constexpr double kLongest = 4000;  // ms of a job in which the moments lie

struct LongJob {
  const char* name;
  std::function<void()> start, cancel;
  std::function<bool()> ended;
};

struct Cancelled {
  std::vector<double> latencies;
  double whole = 0;  // ms of a run without a cancel
  int early = 0;     // runs that ended before their cancel
  std::map<std::string, int> wrong;
};

double share(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(part * static_cast<double>(values.size())))];
}

// Checks that a file under its final name is complete; returns "" or the problem.
std::string wrongWith(const fs::path& file) {
  const std::string name = file.filename().string();
  try {
    if (file.extension() == ".h5") {
      const StoredFile stored(file);
      stored.kind() == FileType::Capture ? (void)stored.capture() : (void)stored.analysis();
      return {};
    }
    const std::string content = readFile(file);
    if (file.extension() == ".html") return content.find("</html>") == std::string::npos ? "half a page" : "";
    if (file.extension() == ".pdf") return content.find("%%EOF") == std::string::npos ? "half a figure" : "";
    if (file.extension() == ".csv" || file.extension() == ".json" || file.extension() == ".jsonl") return {};
  } catch (const Error& error) {
    return error.what();
  }
  return "left: " + name;
}

// Skips unfinished captures, which are kept and resumed at the end.
std::string wrongIn(const fs::path& folder) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory() && entry.path().extension() == ".partial") continue;
    const std::string wrong = entry.is_directory() ? wrongIn(entry.path()) : wrongWith(entry.path());
    if (!wrong.empty()) return wrong;
  }
  return {};
}

class Cancels {
 public:
  explicit Cancels(const SoakOptions& options)
      : m_options(options), m_soaked(options), m_random(options.seed) {
    m_written = m_soaked.folder("written");
    m_example = m_soaked.provideExample("example.h5");
    m_soaked.begin(false);
    Progress quiet;
    m_study = openStudy(m_example, AnalysisSettings(), 0, quiet);
    for (const char* name : {"grouped.h5", "small.h5", "mixed.h5", "turning.h5"})
      m_compared.push_back(m_soaked.provide(name, name));
    m_compared.push_back(m_example);
    m_batch = std::make_unique<FigureBatch>(m_soaked.session->workers);
    QObject::connect(&m_soaked.session->state, &UserState::failed,
                     [this](const QString& why) { m_failure = why; });
    m_tool.setProcessChannelMode(QProcess::MergedChannels);
  }

  bool run() {
    std::printf("%-34s %8s %8s %7s %9s %9s %9s  %s\n", "job, cancelled at random moments", "whole ms",
                "times", "early", "median ms", "p99 ms", "max ms",
                "what it left (goal: 100 and 200 ms, nothing)");
    bool well = true;
    for (const LongJob& job : jobs()) well = print(job.name, cancelled(job)) && well;
    return resumes() && well;
  }

 private:
  Cancelled cancelled(const LongJob& job) {
    Cancelled found;
    QElapsedTimer clock;
    clock.start();
    job.start();
    if (!until(job.ended)) found.wrong["never ended"] = 1;
    if (!m_failure.isEmpty()) found.wrong["failed: " + std::exchange(m_failure, {}).toStdString()] = 1;
    found.whole = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    tidyUp();
    for (int i = 0; i < m_options.times && found.wrong.empty(); ++i) {
      std::uniform_real_distribution<double> moment(0, std::min(found.whole, kLongest));
      job.start();
      wait(moment(m_random));
      if (job.ended()) ++found.early;
      const bool early = job.ended();
      clock.start();
      job.cancel();
      if (!until(job.ended, 30)) ++found.wrong["never stopped"];
      if (!early) found.latencies.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
      if (const std::string wrong = wrongIn(m_written); !wrong.empty()) ++found.wrong[wrong];
      tidyUp();
    }
    return found;
  }

  static bool print(const char* name, const Cancelled& found) {
    std::printf("%-34s %8.0f %8zu %7d %9.1f %9.1f %9.1f  ", name, found.whole, found.latencies.size(),
                found.early, share(found.latencies, 0.5), share(found.latencies, 0.99),
                share(found.latencies, 1));
    for (const auto& [what, count] : found.wrong) std::printf("%d times %s; ", count, what.c_str());
    std::printf("%s\n", found.wrong.empty() ? "nothing" : "");
    std::fflush(stdout);
    return found.wrong.empty();
  }

  // Closes all tabs and removes all files but the inputs.
  void tidyUp() {
    m_soaked.cancelAll();
    m_soaked.closeTabs();
    until([this] { return m_soaked.idle(); });
    std::error_code ignored;
    fs::remove_all(m_soaked.folder("cache"), ignored);
    for (const fs::directory_entry& entry : fs::directory_iterator(m_written)) {
      if (entry.path().extension() != ".partial") fs::remove_all(entry.path(), ignored);
    }
  }

  // Resumes the capture that was cancelled last.
  bool resumes() {
    CaptureRequest request = m_soaked.request("written/captured.h5");
    m_soaked.session->captures.start(request);
    const bool ended = until([this] { return m_soaked.idle(); });
    const bool whole =
        ended && fs::exists(request.out) && wrongWith(request.out).empty() &&
        m_soaked.runTool({QStringLiteral("verify"), QString::fromStdString(request.out.string()),
                          QStringLiteral("--quiet")}) == 0;
    std::printf("the capture goes on to its end after that: %s\n", whole ? "yes" : "NO");
    return whole;
  }

  void open(const fs::path& file) { m_soaked.window->openPaths({file}); }

  // A job that runs a command-line program.
  LongJob process(const char* name, const QStringList& arguments) {
    return {name, [this, arguments] { m_tool.start(commandLineProgram(), arguments); },
            [this] { m_tool.terminate(); }, [this] { return m_tool.state() == QProcess::NotRunning; }};
  }

  // A job of the session, shown in the job bar; views of a new tab are computed without such a job.
  LongJob job(const char* name, std::function<void()> start) {
    const auto cancel = [this] {
      m_soaked.cancelAll();
      m_soaked.closeTabs();
    };
    return {name, std::move(start), cancel, [this] { return m_soaked.idle(); }};
  }

  void exportAll() {
    FigureSpec spec;
    spec.figure = "map";
    spec.scope.head = HeadName{3, 2};
    m_batch->start({{m_study}, figuresOfTab({m_study}, spec), m_written, "pdf", {}});
  }

  void measure() {
    if (m_ownStudy == nullptr) return;
    CaptureChange change;
    change.kind = Intervention::Ablate;
    change.heads = {headsOf(*m_ownStudy->analysis).front()};
    m_soaked.session->studyJobs.measure(
        {m_ownStudy, change, m_soaked.request("").model, m_written / "without.h5"});
  }

  // Captures of the model: one whole, two parts, and one in the format of another program.
  void makeInputs() {
    const auto make = [this](const char* name, const QStringList& more) {
      return m_soaked.runTool(QStringList{QStringLiteral("capture")} +
                              captureArguments(m_soaked.request(name)) +
                              QStringList{QStringLiteral("--quiet")} + more) == 0;
    };
    for (int i = 0; i < 2; ++i)
      make(i == 0 ? "part-0.h5" : "part-1.h5", {QStringLiteral("--part"), QStringLiteral("%1/2").arg(i)});
    if (!make("own.h5", {})) return;
    Progress quiet;
    m_ownStudy = openStudy(m_soaked.folder("own.h5"), AnalysisSettings(), 0, quiet);
    m_soaked.runTool({QStringLiteral("export"), QStringLiteral("qk-sniffer"), place("own.h5"),
                      QStringLiteral("--out"), place("sniffed"), QStringLiteral("--quiet")});
  }
  QString place(const char* name) const { return QString::fromStdString(m_soaked.folder(name).string()); }

  std::vector<LongJob> jobs() {
    makeInputs();
    Session& session = *m_soaked.session;
    const auto analyse = [this, &session] {
      AnalysisSettings settings;
      settings.pairs = 0;
      session.studyJobs.analyze({m_study->capture, settings, m_written / "all.analysis.h5", nullptr}, {});
    };
    std::vector<LongJob> jobs = {
        job("capture",
            [this, &session] {
              CaptureRequest request = m_soaked.request("written/captured.h5");
              request.fresh = true;
              session.captures.start(request);
            }),
        job("analysis of all pairs", analyse),
        job("opening a new capture",
            [this] {
              fs::copy_file(m_example, m_written / ("new-" + std::to_string(++m_number) + ".h5"));
              open(m_written / ("new-" + std::to_string(m_number) + ".h5"));
              // The job starts after the kind of the file is known.
              until([this] { return !m_soaked.session->jobs.active().isEmpty(); }, 5);
            }),
        job("intervals",
            [this, &session] {
              session.state.settings().intervals = true;
              session.studyJobs.addIntervals("intervals-" + std::to_string(++m_number), m_study);
              session.state.settings().intervals = false;
            }),
        job("study as a web page",
            [this, &session] {
              session.studyJobs.exportPage(m_study, m_written / "page.html", ApKind::Aligned);
            }),
        {"all figures of a tab", [this] { exportAll(); }, [this] { m_batch->cancel(); },
         [this] { return !m_batch->running() && m_soaked.idle(); }},
        {"comparison of five",
         [this] {
           SessionTab start;
           start.compared = m_compared;
           m_soaked.window->openComparison(start);
         },
         [this] { m_soaked.closeTabs(); }, [this] { return m_soaked.window->settled() && m_soaked.idle(); }},
        {"map of all pairs",
         [this] {
           open(m_example);
           until([this] { return m_soaked.window->currentPage() != nullptr; });
         },
         [this] { m_soaked.closeTabs(); }, [this] { return m_soaked.window->settled() && m_soaked.idle(); }},
        process("merge (command line)",
                {QStringLiteral("merge"), place("part-0.h5"), place("part-1.h5"), QStringLiteral("--out"),
                 QString::fromStdString((m_written / "merged.h5").string()), QStringLiteral("--quiet")}),
        process("import (command line)",
                {QStringLiteral("import"), QStringLiteral("qk-sniffer"), place("sniffed"),
                 QStringLiteral("--out"), QString::fromStdString((m_written / "imported.h5").string()),
                 QStringLiteral("--window"), QStringLiteral("1024"), QStringLiteral("--quiet")})};
    // Captures of the tiny model have tokens without texts, so they cannot be captured again.
    if (!m_options.model.empty()) jobs.push_back(job("a head left out, measured", [this] { measure(); }));
    return jobs;
  }

  SoakOptions m_options;
  SoakedWindow m_soaked;
  std::mt19937 m_random;
  fs::path m_written, m_example;
  std::vector<fs::path> m_compared;
  std::shared_ptr<const Study> m_study, m_ownStudy;
  std::unique_ptr<FigureBatch> m_batch;
  QProcess m_tool;
  QString m_failure;
  int m_number = 0;
};

}  // namespace

bool soakCancels(const SoakOptions& options) {
  return Cancels(options).run();
}

}  // namespace plastiscope::sweep
