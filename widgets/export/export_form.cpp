#include "widgets/export/export_form.h"

#include <QFormLayout>

#include "core/base/json.h"
#include "widgets/export/figure_batch.h"
#include "widgets/export/file_fields.h"
#include "widgets/export/look_fields.h"
#include "widgets/export/subject_fields.h"

namespace plastiscope {

struct ExportForm::Private {
  FigureSpec initial;
  SubjectFields* subject = nullptr;
  SizeFields* size = nullptr;
  StyleFields* style = nullptr;
  FileFields* file = nullptr;
  bool quiet = true;  // values are being set that follow from others
};

ExportForm::ExportForm(const Studies& studies, const FigureSpec& initial, QWidget* parent)
    : QWidget(parent), d(std::make_unique<Private>()) {
  d->initial = sizedFor(initial, studies);
  auto* layout = new QFormLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setVerticalSpacing(5);
  layout->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  layout->setLabelAlignment(Qt::AlignRight);
  d->subject = new SubjectFields(*layout, studies, d->initial, this);
  d->size = new SizeFields(*layout, this);
  d->style = new StyleFields(*layout, this);
  d->file = new FileFields(*layout, static_cast<int>(figuresOfTab(studies, d->initial).size()), this);
  d->size->show(initial);
  d->style->show(initial);
  d->file->show(initial);
  connect(d->subject, &SubjectFields::changed, this, [this] { changed(false, true); });
  connect(d->size, &SizeFields::changed, this, [this] { changed(false, true); });
  connect(d->size, &SizeFields::venueChanged, this, [this] { changed(true, true); });
  connect(d->style, &StyleFields::changed, this, [this] { changed(false, true); });
  connect(d->file, &FileFields::changed, this, [this] { changed(false, false); });
  follow(false);
}

ExportForm::~ExportForm() = default;

void ExportForm::changed(bool venue, bool picture) {
  if (d->quiet) return;
  follow(venue);
  if (picture)
    Q_EMIT figureChanged();
  else
    Q_EMIT targetChanged();
}

// Values that follow from others are shown where they can be changed.
void ExportForm::follow(bool venueChanged) {
  d->quiet = true;
  d->subject->follow();
  if (venueChanged) d->style->useVenue(spec());
  d->size->follow(spec());
  d->style->follow(spec(), d->subject->kind());
  d->file->follow(spec());
  d->quiet = false;
}

FigureSpec ExportForm::spec() const {
  FigureSpec spec = d->initial;
  d->subject->read(spec);
  d->size->read(spec);
  d->style->read(spec);
  d->file->read(spec);
  return fitToKind(spec, d->subject->kind());
}

FigureSpec ExportForm::specOfTab() const {
  FigureSpec spec = d->initial;
  d->size->read(spec);
  d->style->read(spec);
  d->file->read(spec);
  spec.scope.layer.reset();
  spec.range.reset();
  spec.heightInches = 0;
  return spec;
}

ExportOptions ExportForm::options() const {
  return d->file->options();
}
bool ExportForm::millimetres() const {
  return d->size->millimetres();
}
bool ExportForm::allFigures() const {
  return d->file->allFigures();
}
QString ExportForm::folder() const {
  return d->file->folder();
}
QString ExportForm::extension() const {
  return d->file->extension();
}
QString ExportForm::file() const {
  return d->file->file();
}
QStringList ExportForm::filesToWrite() const {
  return d->file->filesToWrite();
}

Json ExportForm::memory() const {
  Json memory = Json::object();
  d->size->remember(memory);
  d->style->remember(memory);
  d->file->remember(memory);
  return memory;
}

void ExportForm::recall(const Json& memory) {
  if (!memory.is_object()) return;
  d->size->recall(memory);
  d->style->recall(memory);
  d->file->recall(memory);
}

void ExportForm::recallPlace(const Json& memory) {
  if (memory.is_object()) d->file->recall(memory);
}

}  // namespace plastiscope
