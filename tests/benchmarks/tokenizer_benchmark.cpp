// Times a tokenizer: one JSON line with the seconds of processor time for opening it and encoding a
// text, and a digest of the ids. A benchmark, not a test: tokenizer_benchmark MODEL TEXT [REPEATS];
// tokenizer_benchmark.py runs it beside the reference libraries.
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "core/base/error.h"
#include "core/base/files.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/text/tokenizer.h"

namespace plastiscope {
namespace {

double processorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void run(const char* model, const char* textFile, int repeats) {
  const std::string text = repairUtf8(readFile(textFile));
  const double start = processorSeconds();
  const auto tokenizer = openTokenizer(model);
  Json result = {{"open", processorSeconds() - start}, {"encode", Json::array()}};
  Encoding encoding;
  for (int i = 0; i < repeats; ++i) {
    const double begin = processorSeconds();
    encoding = tokenizer->encode(text, false);
    result["encode"].push_back(processorSeconds() - begin);
  }
  result["tokens"] = encoding.ids.size();
  result["sha256"] = sha256Hex(
      {reinterpret_cast<const char*>(encoding.ids.data()), encoding.ids.size() * sizeof(std::int32_t)});
  result["description"] = tokenizer->description();
  std::printf("%s\n", canonicalJson(result).c_str());
}

}  // namespace
}  // namespace plastiscope

int main(int count, char** arguments) {
  if (count < 3) {
    std::fprintf(stderr, "tokenizer_benchmark MODEL TEXT [REPEATS]\n");
    return 2;
  }
  try {
    plastiscope::run(arguments[1], arguments[2], count > 3 ? std::atoi(arguments[3]) : 1);
  } catch (const plastiscope::Error& error) {
    std::fprintf(stderr, "tokenizer_benchmark: %s\n", error.what());
    return error.exitCode();
  }
}
