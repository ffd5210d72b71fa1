// Replaces, cuts, deletes or forbids files while the window shows or reads them, and kills the process of a
// capture; prints the message of the window each time.
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <QLabel>
#include <QPlainTextEdit>
#include <QTabWidget>
#include <QTimer>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <random>

#include "sweeps/soaked_window.h"
#include "widgets/pages/file_pages.h"
#include "widgets/pages/message_bar.h"
#include "widgets/pages/model_page.h"
#include "widgets/plots/plot_view.h"

namespace fs = std::filesystem;

namespace plastiscope::sweep {
namespace {

constexpr qsizetype kLongestSentence = 500;

// Makes file permissions apply to this process and its children, even for root.
void obeyPermissions() {
  for (const int right : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) {
    ::prctl(PR_CAPBSET_DROP, right);
    __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct data[2] = {};
    if (::syscall(SYS_capget, &header, data) != 0) return;
    for (auto* set : {&data[0].effective, &data[0].permitted, &data[0].inheritable}) *set &= ~(1U << right);
    ::syscall(SYS_capset, &header, data);
  }
}

// ---- Accidents of a file. `other`: another file of the same kind.

struct Accident {
  const char* name;
  void (*happen)(const fs::path& file, const fs::path& other);
};

const std::vector<Accident>& accidents() {
  static const std::vector<Accident> kAccidents = {
      {"cut", [](const fs::path& file, const fs::path&) { fs::resize_file(file, fs::file_size(file) / 2); }},
      {"deleted", [](const fs::path& file, const fs::path&) { fs::remove(file); }},
      {"replaced", [](const fs::path& file, const fs::path& other) { fs::rename(other, file); }},
      {"overwritten",
       [](const fs::path& file, const fs::path& other) {
         std::ofstream(file, std::ios::binary) << std::ifstream(other, std::ios::binary).rdbuf();
       }},
      {"emptied", [](const fs::path& file, const fs::path&) { fs::resize_file(file, 0); }},
      {"forbidden", [](const fs::path& file, const fs::path&) { ::chmod(file.c_str(), 0); }},
  };
  return kAccidents;
}

// Running child processes.
std::vector<int> children() {
  std::vector<int> found;
  for (const auto& thread : fs::directory_iterator("/proc/self/task")) {
    std::ifstream list(thread.path() / "children");
    for (int child = 0; list >> child;) found.push_back(child);
  }
  return found;
}

class Accidents {
 public:
  explicit Accidents(const SoakOptions& options)
      : m_options(options), m_soaked(options), m_random(options.seed) {
    QObject::connect(&m_looking, &QTimer::timeout, [this] { look(); });
    m_looking.start(3);
  }

  bool run() {
    std::printf("%-22s %-12s %s\n", "file", "is", "what the window says");
    int kinds = 0;
    for (const Accident& accident : accidents()) {
      if (kinds++ == m_options.times) break;
      shown("capture, shown", accident, false);
      shown("analysis, shown", accident, true);
      opened("capture, being opened", accident, false);
      opened("analysis, being opened", accident, true);
      notes(accident);
      session(accident);
      captured("model, captured", accident, m_soaked.request("").model);
      captured("texts, captured", accident, textOf(m_soaked.request("")));
    }
    backendKilled();
    std::printf("%d of %d without one clear sentence, or with a window that no longer answers\n", m_bad,
                m_rows);
    return m_bad == 0;
  }

 private:
  enum class Expect { Sentence, SentenceOrNothing };

  static fs::path textOf(const CaptureRequest& request) {
    return request.corpus.files.empty() ? request.tokens : request.corpus.files.front();
  }

  MainWindow& window() { return *m_soaked.window; }

  // ---- Messages: in the message bar, in a tab, in a view.

  void look() {
    if (!m_soaked.window) return;
    const auto hear = [this](const QString& text) {
      const bool waits = text.endsWith(QChar(0x2026));  // "Loading ..."
      if (!text.isEmpty() && !waits && !m_heard.contains(text)) m_heard.append(text);
    };
    if (const auto* bar = window().findChild<MessageBar*>(); bar != nullptr && bar->isVisible())
      hear(bar->text());
    for (const auto* page : window().findChildren<MissingPage*>()) hear(page->why());
    for (const auto* page : window().findChildren<LoadingPage*>()) {
      if (page->failed()) hear(page->findChild<QLabel*>(QStringLiteral("loadingState"))->text());
    }
    for (const auto* view : window().findChildren<PlotView*>()) {
      if (view->isVisible()) hear(view->message());
    }
  }

  void begin() {
    m_soaked.begin(false);
    m_soaked.settle();
    m_heard.clear();
  }

  // Whether the window still opens another file.
  bool lives() {
    const fs::path file = m_soaked.provide("grouped.h5", "lives.h5");
    window().openPaths({file});
    const bool opened =
        until([&] { return window().currentPage() && window().currentPage()->file() == file; }, 60);
    return opened && m_soaked.settle();
  }

  static bool isClear(const QString& sentence) {
    return sentence.size() <= kLongestSentence && !sentence.contains(QStringLiteral("std::")) &&
           !sentence.contains(QStringLiteral("HDF5-DIAG")) && !sentence.contains(QStringLiteral("what()"));
  }

  void row(const char* file, const char* accident, Expect expect) {
    look();
    const QStringList heard = std::exchange(m_heard, {});
    const bool alive = lives();
    bool well = alive && (expect == Expect::SentenceOrNothing || !heard.isEmpty());
    for (const QString& sentence : heard) well = well && isClear(sentence);
    ++m_rows;
    m_bad += well ? 0 : 1;
    std::printf(
        "%-22s %-12s %s%s%s\n", file, accident, well ? "" : "! ", alive ? "" : "(the window is gone) ",
        heard.isEmpty() ? "-"
                        : qPrintable(heard.join(QStringLiteral("\n                                    + "))));
    std::fflush(stdout);
    clear();
  }

  void clear() {
    m_soaked.cancelAll();
    m_soaked.closeTabs();
    m_soaked.settle();
    m_soaked.window.reset();
    m_soaked.session.reset();
    std::error_code ignored;
    fs::remove_all(m_soaked.folder("cache"), ignored);
    fs::remove_all(m_soaked.folder("settings"), ignored);
    for (const auto& entry : fs::directory_iterator(m_soaked.folder(""))) {
      if (entry.path().extension() == ".h5" || entry.path().extension() == ".json" ||
          entry.path().extension() == ".partial")
        fs::remove_all(entry.path(), ignored);
    }
    m_heard.clear();
  }

  bool open(const fs::path& file) {
    window().openPaths({file});
    return until([&] { return window().currentPage() != nullptr && window().currentPage()->file() == file; },
                 60) &&
           m_soaked.settle();
  }

  // ---- The rows

  // Provides the example, with its analysis beside it if `analysis`.
  fs::path provide(bool analysis) {
    const fs::path capture = m_soaked.provideExample("shown.h5");
    if (!analysis) return capture;
    const fs::path made = m_soaked.folder("made") / "shown.analysis.h5",
                   file = m_soaked.folder("shown.analysis.h5");
    if (!fs::exists(made)) {
      fs::create_directory(made.parent_path());
      m_soaked.runTool({QStringLiteral("analyze"), QString::fromStdString(capture.string()),
                        QStringLiteral("--out"), QString::fromStdString(made.string()),
                        QStringLiteral("--quiet")});
    }
    fs::copy_file(made, file, fs::copy_options::overwrite_existing);
    return file;
  }
  fs::path provideOther(bool analysis) {
    return m_soaked.provide(analysis ? "grouped.analysis.h5" : "grouped.h5", "other.h5");
  }

  // The accident happens while heads, panels and the library change; then the file is reopened.
  void shown(const char* name, const Accident& accident, bool analysis) {
    begin();
    const fs::path file = provide(analysis);
    open(file);
    m_heard.clear();
    accident.happen(file, provideOther(analysis));
    m_soaked.session->library.refresh();
    walk();
    m_soaked.closeTabs();
    window().openPaths({file});
    m_soaked.settle();
    row(name, accident.name, Expect::SentenceOrNothing);
  }

  void walk() {
    for (int i = 0; i < 12 && window().currentPage() != nullptr; ++i) {
      ModelPage& page = *window().currentPage();
      page.selection().setHead(page.model().neighbour(17));
      if (i == 4) page.showText();
      if (i == 8) page.showView(QStringLiteral("cloud"));
      m_soaked.settle();
      look();
    }
  }

  // The accident happens at a random moment of opening.
  void opened(const char* name, const Accident& accident, bool analysis) {
    begin();
    const fs::path file = provide(analysis), other = provideOther(analysis);
    fs::remove_all(m_soaked.folder("cache"));
    window().openPaths({file});
    wait(static_cast<double>(m_random() % 200));
    accident.happen(file, other);
    m_soaked.settle();
    walk();
    row(name, accident.name, Expect::SentenceOrNothing);
  }

  void notes(const Accident& accident) {
    begin();
    const fs::path capture = m_soaked.provideExample("shown.h5");
    open(capture);
    NotesDocument* notes = &window().currentPage()->notes();
    notes->setStudyText("first");
    wait(1500);
    const fs::path other = m_soaked.folder("other.json");
    std::ofstream(other) << "{\"format\":\"plastiscope-notes\",\"version\":1,\"content\":{}}";
    m_heard.clear();
    accident.happen(notesFileOf(capture), other);
    notes->setStudyText("second");
    wait(1500);
    m_soaked.closeTabs();
    open(capture);
    if (window().currentPage() == nullptr || window().currentPage()->notes().notes().study != "second")
      m_heard.append(QStringLiteral("the note is lost std::"));
    row("notes", accident.name, Expect::SentenceOrNothing);
  }

  void session(const Accident& accident) {
    begin();
    open(m_soaked.provideExample("shown.h5"));
    window().close();
    m_soaked.window.reset();
    m_soaked.session.reset();
    const fs::path other = m_soaked.folder("other.json");
    std::ofstream(other) << "{\"format\":\"plastiscope-session\",\"version\":1,\"content\":{}}";
    accident.happen(m_soaked.folder("settings") / "session.json", other);
    begin();
    window().sessions().start({}, {});
    m_soaked.settle();
    row("session", accident.name, Expect::SentenceOrNothing);
  }

  // The accident happens during a capture or as it begins to read.
  void captured(const char* name, const Accident& accident, const fs::path& original) {
    begin();
    CaptureRequest request = m_soaked.request("captured.h5");
    const fs::path file = m_soaked.folder("input") / original.filename(),
                   other = m_soaked.folder("input-other");
    fs::create_directories(m_soaked.folder("input"));
    const auto copyTo = [&](const fs::path& place) {
      std::error_code ignored;
      fs::permissions(place, fs::perms::owner_all, ignored);
      fs::remove_all(place);
      fs::copy(original, place, fs::copy_options::recursive);
    };
    copyTo(file);
    copyTo(other);
    if (original == request.model)
      request.model = file;
    else if (request.tokens == original)
      request.tokens = file;
    else
      request.corpus.files.front() = file;
    const auto inside = [](const fs::path& place) {
      return fs::is_directory(place) ? place / "model.safetensors" : place;
    };
    m_heard.clear();
    m_soaked.session->captures.start(request);
    wait(static_cast<double>(m_random() % 400));
    if (fs::path changed = inside(other); fs::exists(changed))
      std::ofstream(changed, std::ios::app) << "more";
    accident.happen(inside(file), inside(other));
    m_soaked.settle();
    row(name, accident.name, Expect::SentenceOrNothing);
  }

  void backendKilled() {
    for (const int signal : {SIGKILL, SIGSEGV, SIGABRT}) {
      begin();
      m_heard.clear();
      m_soaked.session->captures.start(m_soaked.request("captured.h5"));
      wait(150 + static_cast<double>(m_random() % 300));
      for (const int child : children()) ::kill(child, signal);
      m_soaked.settle();
      row("backend",
          signal == SIGKILL   ? "killed"
          : signal == SIGSEGV ? "crashed"
                              : "aborted",
          Expect::Sentence);
    }
  }

  SoakOptions m_options;
  SoakedWindow m_soaked;
  std::mt19937 m_random;
  QTimer m_looking;
  QStringList m_heard;
  int m_rows = 0, m_bad = 0;
};

}  // namespace

bool soakAccidents(const SoakOptions& options) {
  obeyPermissions();
  return Accidents(options).run();
}

}  // namespace plastiscope::sweep
