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
              "--heads all --out study.h5\n"
              "  plastiscope-cli capture --model SmolLM2.gguf --text a.txt b.txt --heads all --ablate L12H6 "
              "--clamp-bias L3H0-2 --clamp-from study.analysis.h5 --out changed.h5\n"
              "  plastiscope-cli capture --model SmolLM2.gguf --text a.txt b.txt --part 0/2 --out "
              "study.part-0-of-2.h5",
              addCapture},
      Command{"merge", "Join the parts that several machines captured",
              "plastiscope-cli merge study.part-*.h5 --out study.h5", addMerge},
      Command{"analyze", "Compute PCA, {a, b} rotation and plasticity of a capture",
              "plastiscope-cli analyze study.h5 --out study.analysis.h5 --csv tables", addAnalyze},
      Command{"compare", "Put analyses beside each other: tables of models, heads, positions and settings",
              "plastiscope-cli compare a.analysis.h5 b.analysis.h5 --csv tables", addCompare},
      Command{"correlate", "Correlate analyses or the thesis' numbers with benchmark scores",
              "plastiscope-cli correlate --benchmark longbench_pro", addCorrelate},
      Command{"reference", "Print the thesis' published numbers",
              "plastiscope-cli reference plasticity_models", addReference},
      Command{"converge", "Show how far results move with pairs, bins, examples and the seed",
              "plastiscope-cli converge study.h5 --csv tables", addConverge},
      Command{"what-if", "Change a head's drift or spread, or take heads out, and see what AP does",
              "plastiscope-cli what-if study.h5 --head L5H1 --scale-alpha-k 0", addWhatIf},
      Command{"pairs",
              "List the key pairs behind a cell of a head's map, or how PP is spread by query position",
              "plastiscope-cli pairs study.h5 --head L16H3 --cell 2,5", addPairs},
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
