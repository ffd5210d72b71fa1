#include <cstdio>

#include "app/cli/command.h"

namespace plastiscope {

namespace {

struct Listed {
  const char *name, *help;
  const char* example;  // printed under --help
  ProgramCommand (*make)(GlobalOptions& global);
};

constexpr Listed kCommands[] = {
    {"info", "Show a summary of a model, a capture or an analysis",
     "plastiscope-cli info SmolLM2-135M-Instruct.Q4_1.gguf", infoCommand},
    {"models", "List the models found on this computer", "plastiscope-cli models --folder ~/models",
     modelsCommand},
    {"tokenize", "Show the token ids of a text",
     "echo 'Hello world' | plastiscope-cli tokenize --model SmolLM2.gguf --text -", tokenizeCommand},
    {"capture", "Run a model over texts and keep query and key vectors",
     "plastiscope-cli capture --model SmolLM2.gguf --text a.txt b.txt --window 4096 --rate 16 --heads all "
     "--out study.h5\n"
     "  plastiscope-cli capture --model SmolLM2.gguf --text a.txt b.txt --heads all --ablate L12H6 "
     "--clamp-bias L3H0-2 --clamp-from study.analysis.h5 --out changed.h5\n"
     "  plastiscope-cli capture --model SmolLM2.gguf --text a.txt b.txt --part 0/2 --out "
     "study.part-0-of-2.h5",
     captureCommand},
    {"merge", "Join the parts that several machines captured",
     "plastiscope-cli merge study.part-*.h5 --out study.h5", mergeCommand},
    {"analyze", "Compute PCA, {a, b} rotation and plasticity of a capture",
     "plastiscope-cli analyze study.h5 --out study.analysis.h5 --csv tables", analyzeCommand},
    {"probe",
     "Ask a model for what it read earlier: loss and accuracy by distance, heads that find the place",
     "plastiscope-cli probe --model SmolLM2.gguf --kinds needle --lengths 256 --count 2 --csv probes\n"
     "  plastiscope-cli probe --model SmolLM2.gguf --text a.txt b.txt --kinds text --csv repeats",
     probeCommand},
    {"batch", "Capture and analyse models x texts x settings of one file into one folder",
     "plastiscope-cli batch sweep.toml --out library --processes 2", batchCommand},
    {"runs", "List captures and analyses with their settings, and in which they differ",
     "plastiscope-cli runs library --filter 'window > 4096' --sort loss", runsCommand},
    {"compare", "Compare analyses: tables of models, heads, positions and settings",
     "plastiscope-cli compare a.analysis.h5 b.analysis.h5 --csv tables", compareCommand},
    {"groups", "Name groups of heads, and test how they differ from other heads",
     "plastiscope-cli groups study.h5", groupsCommand},
    {"study", "Change sets of heads and measure what it costs: intervention studies",
     "plastiscope-cli study study.toml --estimate", studyCommand},
    {"composition", "Find which heads feed which: scores of the weights, and cuts of single paths",
     "plastiscope-cli composition --model SmolLM2.gguf --edges 30 --weights-only --csv edges\n"
     "  plastiscope-cli composition --model SmolLM2.gguf --edges 10 --count 8 --csv edges\n"
     "  plastiscope-cli composition --model SmolLM2.gguf --edges 'L0H4>L1H7:k' --replace mean --csv edge",
     compositionCommand},
    {"correlate", "Correlate analyses or the thesis' numbers with benchmark scores",
     "plastiscope-cli correlate --benchmark longbench_pro", correlateCommand},
    {"reference", "Print the thesis' published numbers", "plastiscope-cli reference plasticity_models",
     referenceCommand},
    {"converge", "Show how results depend on pairs, bins, examples and the seed",
     "plastiscope-cli converge study.h5 --csv tables", convergeCommand},
    {"what-if", "Change a head's drift or spread, or leave heads out, and recompute AP",
     "plastiscope-cli what-if study.h5 --head L5H1 --scale-alpha-k 0", whatIfCommand},
    {"pairs", "List the key pairs of a cell of a head's map, or the distribution of PP by query position",
     "plastiscope-cli pairs study.h5 --head L16H3 --cell 2,5", pairsCommand},
    {"metrics", "Explain the columns of the tables", "plastiscope-cli metrics ap_drop", metricsCommand},
    {"verify", "Check counts, structure and checksums of captures and analyses",
     "plastiscope-cli verify study.h5 study.analysis.h5", verifyCommand},
    {"import", "Import captures of other programs, or their numbers about heads",
     "plastiscope-cli import qk-sniffer sniffed-qk --out study.h5 --window 131072", importCommand},
#ifdef PLASTISCOPE_HTTP
    {"serve", "Show studies in a browser, of this computer or through ssh",
     "plastiscope-cli serve study.h5 other.analysis.h5", serveCommand},
#endif
    {"export", "Write results for other programs",
     "plastiscope-cli export csv study.analysis.h5 --out tables", exportCommand},
};

// Prints the completion script for a shell.
ProgramCommand completionsCommand(GlobalOptions& global) {
  auto shell = std::make_shared<std::string>();
  return {.name = "completions",
          .help = "Print a script that completes commands and options in a shell, or all of them as JSON",
          .footer = "Example:\n  source <(plastiscope-cli completions bash)",
          .options = {option("SHELL", shell.get(), "bash, zsh, fish or json", {.required = true})},
          .run = [shell, &global](const GlobalOptions&, Progress&) {
            std::fputs(completionScript(commandLineProgram(global), *shell).c_str(), stdout);
          }};
}

ProgramCommand manualCommand(GlobalOptions& global) {
  return {.name = "manual",
          .help = "Print the manual page",
          .footer = "Example:\n  plastiscope-cli manual | man -l -",
          .run = [&global](const GlobalOptions&, Progress&) {
            std::fputs(manualPage(commandLineProgram(global)).c_str(), stdout);
          }};
}

}  // namespace

ProgramCommand commandLineProgram(GlobalOptions& global) {
  ProgramCommand program{
      .name = "plastiscope-cli",
      .help =
          "Plastiscope without a screen: capture, analyse and export the queries and keys of attention "
          "heads",
      .options = {option("--threads", &global.threads, "Number of threads; 0 = all cores",
                         {.limit = Limit::Between, .least = 0, .most = 4096}),
                  option("--quiet", &global.quiet, "Print nothing but results and errors"),
                  option("--verbose", &global.verbose, "Print more detail")}};
  for (const Listed& listed : kCommands) {
    ProgramCommand command = listed.make(global);
    command.name = listed.name;
    command.help = listed.help;
    command.footer =
        std::string("--threads N, --quiet and --verbose work with every command.\n\nExample:\n  ") +
        listed.example + command.footer;
    program.forms.push_back(std::move(command));
  }
  program.forms.push_back(completionsCommand(global));
  program.forms.push_back(manualCommand(global));
  return program;
}

Option forceOption(bool& force) {
  return option("--force", &force,
                "Replace a file or tables that the command would otherwise refuse to replace; never an "
                "input, a model's file, a folder or a device");
}

Option progressOption(GlobalOptions& global) {
  return option("--progress", choiceOf(global.progress), "Progress output: auto, json or none",
                {.showsDefault = true});
}

}  // namespace plastiscope
