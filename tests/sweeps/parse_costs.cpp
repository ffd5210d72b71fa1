// parse_costs PARSER FILE [TEXT]: measures the cost of reading a file, for parse_costs.py. Prints seconds of
// processor time, bytes of peak memory growth, and "+", or "-" and the error message. `encode` opens the
// tokenizer FILE first and measures the encoding of TEXT.
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/json.h"
#include "core/base/progress.h"
#include "core/base/table.h"
#include "core/capture/head_list.h"
#include "core/compare/csv_text.h"
#include "core/model/model.h"
#include "core/parquet/qk_table.h"
#include "core/parquet/table_rows.h"
#include "core/store/work_folder.h"
#include "core/sweep/sweep_file.h"
#include "core/text/corpus.h"
#include "core/text/tokenizer.h"
#include "core/weights/tensor_source.h"
#include "tests/support/peak_memory.h"
#if PLASTISCOPE_HAS_WINDOW
#include "core/base/state_file.h"
#include "core/views/head_filter.h"
#include "widgets/state/app_settings.h"
#include "widgets/state/session_state.h"
#include "widgets/state/study_notes.h"
#endif

using namespace plastiscope;
namespace fs = std::filesystem;

namespace {

using Parser = std::function<void(const fs::path& file)>;

void readTexts(const fs::path& file) {
  Progress quiet;
  visitCorpus({{file}, {}, {}, -1, {}}, quiet, [](const CorpusText&) { return true; });
}

void readHeadList(const fs::path& file) {
  const std::string text = readFile(file);
  parseHeadList(text);
  parseHeadRequest(text);
}

void readParquet(const fs::path& file) {
  readTableRows(file, TableKind::Parquet, [](std::int64_t, const Json&) { return true; });
}

void readVectors(const fs::path& file) {
  readQkVectors(file, readQkIndex(file).headDim, [](std::span<const float>) {});
}

#if PLASTISCOPE_HAS_WINDOW
template <typename State>
void readState(const fs::path& file) {
  const StateFile state(file, stateFormatOf(file), 1);
  State::fromJson(state.require());
}

void readFilter(const fs::path& file) {
  static const Table kHeads{"heads",
                            {{"layer", std::vector<std::int64_t>{0, 12}},
                             {"head", std::vector<std::int64_t>{3, 6}},
                             {"ap_drop", std::vector<double>{0.25, kMissing}}}};
  const HeadFilter filter(readFile(file), kHeads, [](std::size_t row) { return row == 1; });
  for (std::size_t row = 0; row < kHeads.rows(); ++row) filter.matches(row);
}
#endif

const std::map<std::string, Parser> kParsers = {
    {"weights", [](const fs::path& file) { openTensors(file); }},
    {"model", [](const fs::path& file) { readModelSpec(file); }},
    {"tokenizer", [](const fs::path& file) { openTokenizer(file); }},
    {"texts", readTexts},
    {"tokens", [](const fs::path& file) { readTokenFile(file); }},
    {"parquet", readParquet},
    {"vectors", readVectors},
    {"manifest", [](const fs::path& file) { readManifest(file); }},
    {"sweep", [](const fs::path& file) { readSweep(file, "library"); }},
    {"csv", [](const fs::path& file) { tableOf(parseCsv(readFile(file), file), "table"); }},
    {"heads", readHeadList},
#if PLASTISCOPE_HAS_WINDOW
    {"session", readState<SessionState>},
    {"settings", readState<AppSettings>},
    {"notes", readState<StudyNotes>},
    {"filter", readFilter},
#endif
};

// Resets the peak resident size and returns it.
unsigned long long bytesNow() {
  std::ofstream("/proc/self/clear_refs") << "5";
  return peakResidentBytes();
}

double secondsOfProcessor() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Returns "+", or "-" and the error message.
std::string verdictOf(const std::function<void()>& work) {
  try {
    work();
    return "+";
  } catch (const Error& error) {
    return std::string("- ") + error.what();
  }
}

void measure(const std::function<void()>& work) {
  const unsigned long long before = bytesNow();
  const double start = secondsOfProcessor();
  const std::string verdict = verdictOf(work);
  const double seconds = secondsOfProcessor() - start;
  std::printf("%.6f %llu %s\n", seconds, peakResidentBytes() - before, verdict.c_str());
}

}  // namespace

int main(int count, char** values) {
  const std::string name = count > 1 ? values[1] : "";
  if (name == "encode" && count == 4) {
    std::shared_ptr<const Tokenizer> tokenizer;
    const std::string opened = verdictOf([&] { tokenizer = openTokenizer(values[2]); });
    const std::string text = repairUtf8(readFile(values[3]));
    if (tokenizer)
      measure([&] { tokenizer->encode(text); });
    else
      std::printf("0 0 %s\n", opened.c_str());
    return 0;
  }
  const auto parser = kParsers.find(name);
  if (parser == kParsers.end() || count != 3)
    return std::fputs("parse_costs PARSER FILE, or parse_costs encode TOKENIZER TEXT\n", stderr), 2;
  measure([&] { parser->second(values[2]); });
  return 0;
}
