#include <array>

#include "app/cli/command.h"

namespace plastiscope {

std::span<const Command> commands() {
  static constexpr std::array kCommands{
      Command{"info", "Show the card of a model, a capture or an analysis",
              "plastiscope-cli info SmolLM2-135M-Instruct.Q4_1.gguf", addInfo},
      Command{"models", "List the models found on this computer", "plastiscope-cli models --folder ~/models",
              addModels},
      Command{"tokenize", "Show the token ids of a text",
              "echo 'Hello world' | plastiscope-cli tokenize --model SmolLM2.gguf --text -", addTokenize},
      Command{"capture", "Run a model over texts and keep query and key vectors",
              "plastiscope-cli capture --model SmolLM2.gguf --text a.txt b.txt --window 4096 --rate 16 "
              "--heads all "
              "--out study.h5",
              addCapture},
      Command{"analyze", "Compute PCA, {a, b} rotation and plasticity of a capture",
              "plastiscope-cli analyze study.h5 --out study.analysis.h5 --csv tables", addAnalyze},
      Command{"metrics", "Explain the columns of the tables", "plastiscope-cli metrics ap_drop", addMetrics},
      Command{"verify", "Check counts, structure and checksums of captures and analyses",
              "plastiscope-cli verify study.h5 study.analysis.h5", addVerify},
      Command{"import", "Turn captures of other programs into capture files",
              "plastiscope-cli import qk-sniffer sniffed-qk --out study.h5 --window 131072", addImport},
      Command{"export", "Write results for other programs",
              "plastiscope-cli export csv study.analysis.h5 --out tables", addExport},
  };
  return kCommands;
}

}  // namespace plastiscope
