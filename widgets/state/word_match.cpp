#include "widgets/state/word_match.h"

#include <QRegularExpression>
#include <algorithm>

namespace plastiscope {
namespace {

// Words that people type, and the words of titles that they look for.
struct Synonym {
  const char *typed, *meant;
};
constexpr Synonym kSynonyms[] = {
    {"ablate ablation lesion knock zero remove", "without"},
    {"intervene intervention patch patching causal ablation probe needle haystack retrieval", "causes"},
    {"latex tex pgf tikz pdf svg png image picture save print paper", "export"},
    {"latex table csv spreadsheet excel numbers dataframe", "tables"},
    {"html website browser supplement share", "web"},
    {"compose layout multi panels subfigures", "page"},
    {"copying prefix", "induction"},
    {"loss perplexity surprise nll entropy", "loss"},
    {"dark night light colours colors", "theme"},
    {"preferences options configure config", "settings"},
    {"keyboard keys hotkeys", "shortcuts"},
    {"manual documentation docs glossary meaning formula", "numbers"},
    {"guide introduction tutorial demo", "tour example"},
    {"diff difference versus vs checkpoint checkpoints", "compare"},
    {"longbench ruler scores correlation correlate", "benchmarks"},
    {"record run extract qk", "capture"},
    {"yarn context extend extension ntk", "rope"},
    {"heatmap layers", "grid"},
    {"scatter points", "heads plane"},
    {"3d cloud rotate", "cloud"},
    {"sink bos", "first"},
    {"search query where", "filter"},
    {"favourite favorite bookmark star", "mark"},
    {"comment annotate", "note"},
    {"bootstrap confidence error", "intervals"},
    {"recompute bins preset", "analyse"},
    {"zoom fullscreen bigger", "maximise"},
    {"workspace state restore", "session"},
};
constexpr qsizetype kLeastSynonym = 3;  // typed letters

QStringList wordsOf(const QString& text) {
  static const QRegularExpression kBetween(QStringLiteral("[^\\p{L}\\p{N}]+"),
                                           QRegularExpression::UseUnicodePropertiesOption);
  return text.toLower().split(kBetween, Qt::SkipEmptyParts);
}

// 3: a whole word, 2: the beginning of one, 0: neither.
int scoreOf(const QString& typed, const QStringList& words) {
  int best = 0;
  for (const QString& word : words)
    if (word.startsWith(typed)) best = std::max(best, word == typed ? 3 : 2);
  return best;
}

// The words that a typed one stands for.
QStringList meantBy(const QString& typed) {
  QStringList meant;
  if (typed.size() < kLeastSynonym) return meant;
  for (const Synonym& synonym : kSynonyms)
    if (scoreOf(typed, wordsOf(QLatin1String(synonym.typed))) > 0)
      meant += wordsOf(QLatin1String(synonym.meant));
  return meant;
}

}  // namespace

int wordScore(const QString& typed, const QString& title, const QString& words) {
  const QStringList wanted = wordsOf(typed), titleWords = wordsOf(title), further = wordsOf(words);
  if (wanted.isEmpty()) return 0;
  const int shorter = 99 - static_cast<int>(std::min<qsizetype>(title.size(), 99));
  int score = 0;
  for (const QString& word : wanted) {
    int best = scoreOf(word, titleWords) * 4;
    if (best == 0) best = scoreOf(word, further) * 2;
    if (best == 0) {
      for (const QString& meant : meantBy(word))
        if (titleWords.contains(meant) || further.contains(meant)) best = 1;
    }
    if (best == 0) {
      const bool joined = titleWords.join(QString()).startsWith(wanted.join(QString()));
      return joined ? 800 + shorter : -1;
    }
    score += best;
  }
  const bool begins = !titleWords.isEmpty() && titleWords.front().startsWith(wanted.front());
  return (score * 100) / static_cast<int>(wanted.size()) + (begins ? 50 : 0) + shorter;
}

}  // namespace plastiscope
