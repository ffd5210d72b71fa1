#include "widgets/export/figure_batch.h"

#include "core/base/error.h"
#include "core/views/attention_data.h"
#include "core/views/text_data.h"
#include "widgets/export/figure_panels.h"

namespace plastiscope {

namespace {

std::filesystem::path fileOf(const BatchOrder& order, const FigureSpec& spec) {
  return order.folder / (figureFileName(spec).toStdString() + "." + order.extension);
}

void write(const BatchOrder& order, const PreparedFigure& figure, BatchResult& result) {
  const auto files =
      exportFigure(order.studies, figure.content, figure.spec, fileOf(order, figure.spec), order.options);
  result.written.insert(result.written.end(), files.begin(), files.end());
}

void note(BatchResult& result, const FigureSpec& spec, const std::string& sentence, int exitCode) {
  result.problems.push_back(figureFileName(spec).toStdString() + ": " + sentence);
  if (result.exitCode == 0) result.exitCode = exitCode;
}

}  // namespace

std::vector<FigureSpec> figuresOfTab(const Studies& studies, const FigureSpec& spec) {
  std::vector<FigureSpec> figures;
  for (const FigureKind* kind : figuresFor(studies, spec.figure)) {
    if (kind->studies.most == 2) continue;  // differences require two equal shapes: only on request
    FigureSpec own = sizedFor(fitToKind(spec, *kind), studies);
    own.range.reset();  // a range, a layer and a height belong to one figure
    own.scope.layer.reset();
    own.heightInches = 0;
    if (kind->head == HeadNeed::Required && !own.scope.head && own.heads.empty())
      own.scope.head = headsOf(*studies.front()->analysis).front();
    if (kind->needsDense && own.heads.empty() && !isDenseHead(*studies.front(), *own.scope.head))
      own.scope.head = denseHeadsOf(*studies.front()->capture).front();
    figures.push_back(own);
    if (kind->head != HeadNeed::Optional || (!own.scope.head && own.heads.empty())) continue;
    own.scope.head.reset();
    own.heads.clear();
    figures.push_back(own);
  }
  return figures;
}

void requireBatchPlaces(const BatchOrder& order) {
  for (const FigureSpec& spec : order.figures)
    requireFigurePlaces(fileOf(order, spec), order.options, inputsOf(order.studies, spec));
}

BatchResult exportAll(const BatchOrder& order) {
  BatchResult result;
  for (const FigureSpec& spec : order.figures) {
    try {
      write(order, {spec, prepareFigure(order.studies, spec)}, result);
    } catch (const Error& error) {
      note(result, spec, error.what(), error.exitCode());
    }
  }
  return result;
}

FigureBatch::FigureBatch(Workers& workers, QObject* parent)
    : QObject(parent), m_runner(workers, WorkLength::Quick) {}

void FigureBatch::start(BatchOrder order) {
  m_order = std::move(order);
  m_result = {};
  m_at = 0;
  m_running = true;
  next();
}

void FigureBatch::next() {
  Q_EMIT progressed(static_cast<int>(m_at), static_cast<int>(m_order.figures.size()));
  if (m_at == m_order.figures.size()) return end();
  m_runner.start(
      [studies = m_order.studies, spec = m_order.figures[m_at]](Progress&) {
        return PreparedFigure{spec, prepareFigure(studies, spec)};
      },
      [this](JobResult<PreparedFigure> prepared) {
        const FigureSpec& spec = m_order.figures[m_at];
        try {
          if (prepared.ok())
            write(m_order, *prepared.value, m_result);
          else
            note(m_result, spec, prepared.failure.sentence.toStdString(), 1);
        } catch (const Error& error) {
          note(m_result, spec, error.what(), error.exitCode());
        }
        ++m_at;
        next();
      });
}

void FigureBatch::cancel() {
  if (!m_running) return;
  m_runner.drop();
  end();
}

void FigureBatch::end() {
  m_running = false;
  Q_EMIT finished();
}

}  // namespace plastiscope

#include "moc_figure_batch.cpp"
