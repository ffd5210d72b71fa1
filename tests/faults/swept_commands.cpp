#include "tests/faults/swept_commands.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

#include "core/base/files.h"
#include "core/base/json.h"
#include "tests/cli/hdf5_content.h"
#include "tests/support/tiny_llama.h"

namespace plastiscope::test {
namespace fs = std::filesystem;

namespace {

// Several texts in two groups and a long one: the first two make a group of 8,192 tokens.
void writeTexts(const fs::path& file) {
  std::string lines;
  const int lengths[] = {4000, 4200, 1500, 1100, 8500, 700};
  for (std::size_t i = 0; i < std::size(lengths); ++i) {
    Json tokens = Json::array();
    for (int t = 0; t < lengths[i]; ++t) tokens.push_back((t * 7 + static_cast<int>(i) * 13) % 64);
    lines += Json({{"id", i}, {"tokens", tokens}}).dump() + "\n";
  }
  writeFileAtomically(file, lines);
}

constexpr const char* kSweep = R"([defaults.capture]
heads = "all"
rate = 20
window = 8500
dtype = "float32"

[[model]]
path = "model"

[[texts]]
tokens = "t.jsonl"
)";

std::vector<std::string> captureTo(const std::string& out, std::vector<std::string> more = {}) {
  std::vector<std::string> all{"capture", "--model",    "model", "--tokens", "t.jsonl", "--heads",
                               "all",     "--rate",     "20",    "--window", "8500",    "--dtype",
                               "float32", "--progress", "json",  "--out",    out};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

std::string readAll(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string differingBytes(const std::string& one, const std::string& other) {
  if (one.size() != other.size())
    return std::to_string(one.size()) + " and " + std::to_string(other.size()) + " bytes";
  std::size_t differing = 0;
  for (std::size_t i = 0; i < one.size(); ++i) differing += one[i] != other[i];
  return std::to_string(differing) + " of " + std::to_string(one.size()) + " bytes";
}

// Times of writing and free memory are not part of a result.
std::string withoutMoment(const std::string& text) {
  std::string kept;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("\"created\"") == std::string::npos && !line.starts_with("Memory ")) kept += line + "\n";
  }
  return kept;
}

}  // namespace

const std::vector<SweptCommand>& sweptCommands() {
  using Commands = std::vector<std::vector<std::string>>;
  static const Commands captured = {captureTo("c.h5")};
  static const Commands analysed = {captureTo("c.h5"), {"analyze", "c.h5", "--out", "a.h5"}};
  static const auto with = [](Commands before, std::vector<std::string> more) {
    before.push_back(std::move(more));
    return before;
  };
  static const auto figure = [](const std::string& kind, std::vector<std::string> more) {
    const std::string name = "f." + kind;
    std::vector<std::string> all{"render", "a.h5", "--out", name, "--fixed-date"};
    all.insert(all.end(), more.begin(), more.end());
    return SweptCommand{"render-" + kind, analysed, all, {name, "f.csv", "f.json"}, "", "plastiscope"};
  };
  static const std::vector<SweptCommand> list = {
    {"capture", {}, captureTo("c.h5"), {"c.h5"}, "c.h5.partial"},
    {"part", {}, captureTo("p.h5", {"--part", "1/2"}), {"p.h5"}, "p.h5.partial"},
    {"merge",
     {captureTo("p0.h5", {"--part", "0/3"}), captureTo("p1.h5", {"--part", "1/3"}),
      captureTo("p2.h5", {"--part", "2/3"})},
     {"merge", "p1.h5", "p0.h5", "p2.h5", "--out", "m.h5", "--progress", "json"},
     {"m.h5"},
     "m.h5.partial"},
    {"analyze",
     captured,
     {"analyze", "c.h5", "--out", "a.h5", "--csv", "tables", "--progress", "json"},
     {"a.h5", "tables"}},
    {"batch", {}, {"batch", "sweep.toml", "--out", "library", "--progress", "json"}, {"library/model.h5"}},
    {"compare", analysed, {"compare", "a.h5", "a.h5", "--csv", "tables"}, {"tables"}},
    {"correlate", {}, {"correlate", "--benchmark", "longbench_pro", "--csv", "tables"}, {"tables"}},
    {"converge", captured, {"converge", "c.h5", "--csv", "tables", "--progress", "json"}, {"tables"}},
    {"what-if",
     captured,
     {"what-if", "c.h5", "--head", "L0H0", "--scale-alpha-k", "0", "--csv", "tables"},
     {"tables"}},
    {"pairs", captured, {"pairs", "c.h5", "--head", "L0H0", "--out", "p.csv"}, {"p.csv"}},
    {"export-csv", analysed, {"export", "csv", "a.h5", "--out", "tables"}, {"tables"}},
    {"export-headvis",
     analysed,
     {"export", "headvis", "a.h5", "--out", "rows.json", "--config", "config.json"},
     {"rows.json", "config.json"}},
    {"export-page",
     analysed,
     {"export", "page", "a.h5", "--out", "page.html", "--progress", "json"},
     {"page.html"}},
    {"import-head-metrics",
     with(analysed, {"export", "headvis", "a.h5", "--out", "rows.json"}),
     {"import", "head-metrics", "rows.json", "--analysis", "a.h5", "--out", "h.h5"},
     {"h.h5"}},
#if PLASTISCOPE_HAS_ARROW
    {"export-qk-sniffer",
     captured,
     {"export", "qk-sniffer", "c.h5", "--out", "set", "--progress", "json"},
     {"set"},
     "",
     "plastiscope-cli",
     Manner::NewFolder},
    {"import-qk-sniffer",
     with(captured, {"export", "qk-sniffer", "c.h5", "--out", "set"}),
     {"import", "qk-sniffer", "set", "--out", "i.h5", "--progress", "json"},
     {"i.h5"},
     "i.h5.partial"},
#endif
    {"info", captured, {"info", "c.h5"}, {}},
    {"info-analysis", analysed, {"info", "a.h5"}, {}},
    {"info-model", {}, {"info", "model"}, {}},
    {"verify", analysed, {"verify", "c.h5", "a.h5"}, {}},
    {"models", {}, {"models", "--folder", "."}, {}, "", "plastiscope-cli", Manner::OneByOne},
    {"tokenize", {}, {"tokenize", "--model", "words", "--text", "t.jsonl"}, {}},
    {"reference", {}, {"reference", "plasticity_models"}, {}},
    {"metrics", {}, {"metrics", "ap_drop"}, {}},
    {"completions", {}, {"completions", "bash"}, {}},
    {"manual", {}, {"manual"}, {}},
#if PLASTISCOPE_HAS_WINDOW
    figure("pdf", {"--figure", "map", "--head", "L0H0"}),
    figure("svg", {"--figure", "quintiles", "--head", "L0H0"}),
    figure("png", {"--figure", "ab-scatter", "--head", "L0H0"}),
    figure("html", {"--figure", "head-grid"}),
    {"render-all",
     analysed,
     {"render", "a.h5", "--all", "--format", "svg", "--out", "figures", "--fixed-date"},
     {"figures"},
     "",
     "plastiscope",
     Manner::OneByOne},
    {"screenshot",
     analysed,
     {"screenshot", "a.h5", "--out", "w.png"},
     {"w.png"},
     "",
     "plastiscope",
     Manner::Whole,
     true},
#endif
  };
  return list;
}

const SweptCommand& sweptCommand(const std::string& name) {
  for (const SweptCommand& command : sweptCommands()) {
    if (command.name == name) return command;
  }
  throw std::out_of_range(name);
}

SweepFolder::SweepFolder(const SweptCommand& command) : m_command(command) {
  std::string pattern = (fs::temp_directory_path() / "plastiscope-sweep-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  m_base = pattern;
  m_inputs = m_base / "inputs";
  m_run = m_base / "run";
  m_state = m_base / "state";
  fs::create_directories(m_inputs);
  TinyLlama().write(m_inputs / "model");
  writeTexts(m_inputs / "t.jsonl");
  writeFileAtomically(m_inputs / "sweep.toml", std::string_view(kSweep));
  fs::create_directories(m_inputs / "home");
  fs::copy(fs::path(PLASTISCOPE_TEST_DATA) / "text" / "gpt2", m_inputs / "words");
  ProgramOptions here;
  here.workingFolder = m_inputs.string();
  for (const auto& arguments : m_command.before) {
    const ProgramResult made = runProgram("plastiscope-cli", arguments, here);
    if (made.exitCode != 0) throw std::runtime_error("inputs of " + m_command.name + ": " + made.err);
  }
  reset();
  const auto start = std::chrono::steady_clock::now();
  const ProgramResult undisturbed = run();
  m_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (undisturbed.exitCode != 0) throw std::runtime_error(m_command.name + ": " + undisturbed.err);
  for (const std::string& output : m_command.outputs) m_expected[output] = contentOf(output);
  if (m_command.outputs.empty()) m_printed = withoutMoment(undisturbed.out);
  for (const auto& entry : fs::recursive_directory_iterator(m_run)) {
    if (entry.is_regular_file() && !fs::exists(m_inputs / fs::relative(entry.path(), m_run)))
      m_largestOutput = std::max(m_largestOutput, static_cast<std::int64_t>(entry.file_size()));
  }
}

SweepFolder::~SweepFolder() {
  std::error_code ignored;
  fs::remove_all(m_base, ignored);
}

void SweepFolder::reset() const {
  fs::remove_all(m_run);
  fs::copy(m_inputs, m_run, fs::copy_options::recursive);
  for (const auto& entry : fs::recursive_directory_iterator(m_inputs))  // `info` prints the times of a model
    fs::last_write_time(m_run / fs::relative(entry.path(), m_inputs), entry.last_write_time());
}

ProgramResult SweepFolder::run(const ProgramOptions& options) const {
  ProgramOptions here = options;
  here.workingFolder = m_run.string();
  // Settings and caches of the program are kept here too.
  for (const char* folder : {"HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"})
    here.environment.push_back(folder + ("=" + (m_run / "home").string()));
  here.environment.emplace_back("QT_QPA_PLATFORM=offscreen");
  return runProgram(m_command.program, m_command.arguments, here);
}

ProgramResult SweepFolder::runWithFault(const std::string& calls, std::int64_t at, int error,
                                        bool always) const {
  std::ofstream(m_state, std::ios::binary) << std::string(sizeof(std::int64_t), '\0');
  ProgramOptions shim;
  shim.environment = {std::string("LD_PRELOAD=") + PLASTISCOPE_SHIM,
                      "PLASTISCOPE_FAULT_CALLS=" + calls,
                      "PLASTISCOPE_FAULT_UNDER=" + m_run.string(),
                      "PLASTISCOPE_FAULT_STATE=" + m_state.string(),
                      "PLASTISCOPE_FAULT_AT=" + std::to_string(at),
                      "PLASTISCOPE_FAULT_ERROR=" + std::to_string(error),
                      std::string("PLASTISCOPE_FAULT_ALWAYS=") + (always ? "1" : "0")};
  return run(shim);
}

std::int64_t SweepFolder::counted() const {
  const std::string bytes = readAll(m_state);
  std::int64_t count = 0;
  std::memcpy(&count, bytes.data(), std::min(sizeof count, bytes.size()));
  return count;
}

std::map<std::string, std::string> SweepFolder::contentOf(const std::string& output) const {
  const fs::path place = m_run / output;
  if (fs::is_directory(place)) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      if (!entry.is_regular_file()) continue;
      files[fs::relative(entry.path(), place).string()] = withoutMoment(readAll(entry.path()));
    }
    return files;
  }
  if (place.extension() == ".h5") return hdf5Content(place);
  return {{"", withoutMoment(readAll(place))}};
}

bool SweepFolder::outputsAreThere() const {
  return std::all_of(m_command.outputs.begin(), m_command.outputs.end(),
                     [&](const std::string& output) { return fs::exists(m_run / output); });
}

bool SweepFolder::printedAll(const ProgramResult& result) const {
  return !m_command.outputs.empty() || withoutMoment(result.out) == m_printed || manner() == Manner::OneByOne;
}

std::int64_t SweepFolder::largestOutput() const {
  return m_largestOutput;
}

std::string SweepFolder::damage() const {
  for (const std::string& output : m_command.outputs) {
    if (!fs::exists(m_run / output)) continue;
    if (fs::is_directory(m_run / output) && fs::is_empty(m_run / output))
      continue;  // created but still empty
    try {
      const auto found = contentOf(output);
      const auto& expected = m_expected.at(output);
      if (found == expected) continue;
      std::string sentence;
      for (const auto& [name, content] : expected) {
        const auto there = found.find(name);
        if (there == found.end() && manner() != Manner::OneByOne)
          sentence += " without " + name;
        else if (there != found.end() && there->second != content)
          sentence += " other " + name + " (" + differingBytes(content, there->second) + ")";
      }
      for (const auto& [name, content] : found) {
        if (!expected.contains(name)) sentence += " also " + name;
      }
      if (!sentence.empty()) return output + " differs:" + sentence;
    } catch (const std::exception& error) {
      return output + ": " + error.what();
    }
  }
  return "";
}

std::string SweepFolder::litter() const {
  std::set<std::string> known;
  for (const std::string& output : m_command.outputs) known.insert(fs::path(output).begin()->string());
  for (const auto& entry : fs::directory_iterator(m_inputs)) known.insert(entry.path().filename().string());
  if (!m_command.work.empty()) known.insert(m_command.work);
  std::string names;
  for (const auto& entry : fs::directory_iterator(m_run)) {
    const std::string name = entry.path().filename().string();
    if (!known.contains(name)) names += (names.empty() ? "" : " ") + name;
  }
  return names;
}

std::string SweepFolder::repeat() const {
  const ProgramResult again = run();
  if (again.exitCode != 0) return "repeated: exit " + std::to_string(again.exitCode) + ": " + again.err;
  if (!outputsAreThere()) return "repeated: an output is missing";
  if (!printedAll(again)) return "repeated: printed otherwise:\n" + again.out;
  if (const std::string wrong = damage(); !wrong.empty()) return "repeated: " + wrong;
  if (!m_command.work.empty() && fs::exists(m_run / m_command.work))
    return "repeated: unfinished work is left";
  return litter().empty() ? "" : "repeated: left behind: " + litter();
}

std::vector<std::int64_t> sweepPoints(std::int64_t count, std::int64_t few) {
  if (const char* wish = std::getenv("PLASTISCOPE_SWEEP"))
    few = std::string(wish) == "all" ? count : std::max<std::int64_t>(1, std::atoll(wish));
  few = std::min(few, count);
  std::vector<std::int64_t> points;
  for (std::int64_t i = 0; i < few; ++i)
    points.push_back(few == 1 ? (count + 1) / 2 : 1 + i * (count - 1) / (few - 1));
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

std::string SweepFolder::otherThanOneSentence(const std::string& err) const {
  const std::string ours = m_command.program + ": ";
  std::istringstream lines(err);
  int sentences = 0;
  std::string others;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("{")) continue;
    if (line.starts_with(ours + "warning: ")) continue;
    if (line.starts_with(ours))
      ++sentences;
    else
      others += line + "\n";
  }
  if (!others.empty()) return others;
  return sentences == 1 || (sentences > 1 && manner() == Manner::OneByOne)
             ? ""
             : std::to_string(sentences) + " sentences: " + err;
}

}  // namespace plastiscope::test
