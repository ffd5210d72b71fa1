#include "widgets/pages/runs_page.h"

#include <QAction>
#include <QComboBox>
#include <QCompleter>
#include <QDir>
#include <QFile>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QStringListModel>
#include <QToolButton>
#include <QTreeWidget>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "core/base/error.h"
#include "core/base/foreign_text.h"
#include "core/base/path_text.h"
#include "core/compare/compare_matrix.h"
#include "core/views/head_filter.h"
#include "core/views/metric_info.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"
#include "widgets/state/study_notes.h"
#include "widgets/state/theme.h"

namespace fs = std::filesystem;

namespace plastiscope {
namespace {

constexpr int kRunRole = Qt::UserRole, kFileRole = kRunRole + 1, kWidestColumn = 240, kWidestDifference = 340,
              kColumnGap = 14;

const RunColumn& runColumn(const std::string& name) {
  return *std::ranges::find_if(runColumns(), [&](const RunColumn& each) { return each.name == name; });
}

Qt::Alignment alignmentOf(const RunColumn& column) {
  return Qt::AlignVCenter | (column.type == RunCell::Text ? Qt::AlignLeft : Qt::AlignRight);
}

QString shownText(const Table& table, const RunColumn& column, std::size_t row) {
  if (column.type == RunCell::Text) return QString::fromStdString(table.texts(column.name)[row]);
  const double value = table.numbers(column.name)[row];
  if (std::isnan(value)) return {};
  if (std::string_view(column.name) == "size")
    return QString::fromStdString(byteText(static_cast<unsigned long long>(value)));
  if (std::string_view(column.name) == "rate") return QString::fromStdString(numberText(value));
  return column.type == RunCell::Whole ? groupedText(static_cast<std::int64_t>(value))
                                       : QString::fromStdString(metricText(value));
}

}  // namespace

RunsPage::RunsPage(const RunsChoices& start, Services services, QWidget* parent)
    : QWidget(parent),
      m_choices(start),
      m_services(std::move(services)),
      m_reading(m_services.workers, WorkLength::Long),
      m_changing(m_services.workers, WorkLength::Long),
      m_filter(named("runFilter", new QLineEdit(this))),
      m_completer(new QCompleter(new QStringListModel(this), this)),
      m_group(named("runGroup", new QComboBox(this))),
      m_count(named("runCount", styledLabel({}, "muted", this))),
      m_wrong(named("runFilterProblem", styledLabel({}, "bad", this))),
      m_empty(named("runsEmpty", styledLabel({}, "muted", this))),
      m_columns(new QMenu(this)),
      m_sweeps(named("sweepMenu", new QMenu(this))),
      m_list(named("runList", new QTreeWidget(this))) {
  setObjectName(QStringLiteral("runsPage"));
  const auto known = [](const std::string& name) {
    return std::ranges::any_of(runColumns(), [&](const RunColumn& each) { return each.name == name; });
  };
  std::erase_if(m_choices.columns, [&](const std::string& each) { return !known(each); });
  for (std::string* column : {&m_choices.sort, &m_choices.group})
    if (!known(*column)) column->clear();
  m_list->setAccessibleName(tr("Captures and analyses"));
  m_list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_list->setUniformRowHeights(true);
  m_list->setAllColumnsShowFocus(true);
  m_list->setAlternatingRowColors(true);
  m_list->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  m_list->header()->setSectionsClickable(true);
  m_list->header()->setStretchLastSection(true);
  m_wrong->setWordWrap(true);
  m_wrong->setContentsMargins(8, 0, 8, 6);
  m_empty->setText(
      tr("No captures or analyses were found. New capture (Ctrl+N) makes one; Add folder lists those of "
         "another folder."));
  m_empty->setAlignment(Qt::AlignCenter);
  m_empty->hide();
  m_empty->setWordWrap(true);
  columnIn(this, {makeBar(), m_wrong, {m_list, 1}, {m_empty, 1}}, {.margins = {}, .spacing = 0});
  connect(m_list->header(), &QHeaderView::sectionClicked, this, [this](int section) {
    const std::string column = m_list->headerItem()->data(section, kRunRole).toString().toStdString();
    choose([&](RunsChoices& now) {
      now.descending = now.sort == column && !now.descending;
      now.sort = column;
    });
  });
  connect(m_list, &QTreeWidget::itemSelectionChanged, this, [this] {
    showDifferences();
    showButtons();
  });
  connect(m_list, &QTreeWidget::itemActivated, m_open, &QAction::trigger);
  showButtons();
  read();
}

QWidget* RunsPage::makeBar() {
  auto* bar = named("compareBar", new QFrame(this));
  m_filter->setText(QString::fromStdString(m_choices.filter));
  m_filter->setAccessibleName(tr("Filter of the runs"));
  m_filter->setPlaceholderText(tr("Filter, e.g. window > 4096 && rope != \"\", or a word"));
  m_filter->setToolTip(tr("Columns with < <= > >= == !=, &&, || and !, or a word that any column has"));
  m_filter->setClearButtonEnabled(true);
  m_completer->setWidget(m_filter);
  m_completer->setCaseSensitivity(Qt::CaseInsensitive);
  connect(m_completer, qOverload<const QString&>(&QCompleter::activated), this, [this](const QString& text) {
    m_filter->setText(text);
    choose([&](RunsChoices& now) { now.filter = text.toStdString(); });
  });
  connect(m_filter, &QLineEdit::textEdited, this, &RunsPage::suggest);
  connect(m_filter, &QLineEdit::textChanged, this, [this](const QString& text) {
    choose([&](RunsChoices& now) { now.filter = text.toStdString(); });
  });
  explain(*m_group, tr("Group by"), tr("Runs with the same value are listed together"));
  m_group->addItem(tr("No groups"), QString());
  for (const RunColumn& column : runColumns()) m_group->addItem(tr(column.title), QLatin1String(column.name));
  select(*m_group, QString::fromStdString(m_choices.group));
  connect(m_group, &QComboBox::activated, this, [this] {
    choose([&](RunsChoices& now) { now.group = m_group->currentData().toString().toStdString(); });
  });
  const auto action = [this](const char* name, const QString& text, const QString& tip, auto run) {
    auto* made = named(name, new QAction(text, this));
    made->setToolTip(tip);
    connect(made, &QAction::triggered, this, run);
    m_list->addAction(made);
    return made;
  };
  m_open = action("runOpen", tr("Open"), tr("Open each selected run in a tab"),
                  [this] { Q_EMIT openRequested(selectedFiles()); });
  m_compare = action("runCompare", tr("Compare"), tr("Compare the selected runs in one tab"),
                     [this] { Q_EMIT compareRequested(selectedFiles()); });
  m_rename = action("runRename", tr("Rename …"), tr("Rename the file, with its analysis and notes"),
                    [this] { rename(); });
  m_tags = action("runTags", tr("Tags …"), tr("Tag the selected runs; tags are kept in their notes"),
                  [this] { editTags(); });
  m_trash =
      action("runTrash", tr("Delete …"), tr("Move the selected runs to the trash"), [this] { trash(); });
  openMenuOnRightClick(*m_list);
  QHBoxLayout* line = rowOf({}, {.spacing = 6});
  for (QAction* each : m_list->actions()) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(each);
    line->addWidget(button);
  }
  auto* folder =
      smallButton(tr("Add folder …"), tr("Also list, here and in the library, another folder"), this);
  connect(folder, &QPushButton::clicked, this, &RunsPage::folderRequested);
  auto* columns = smallButton(tr("Columns"), tr("Choose the columns"), this);
  columns->setMenu(m_columns);
  connect(m_columns, &QMenu::aboutToShow, this, &RunsPage::fillColumns);
  auto* sweeps = named("runSweeps", smallButton(tr("Sweep"), tr("Capture models x texts x settings"), this));
  sweeps->setMenu(m_sweeps);
  line->addStretch(1);
  line->addWidget(folder);
  line->addWidget(sweeps);
  columnIn(bar, {rowOf({{m_filter, 1}, m_count, m_group, columns}, {.spacing = 8}), line},
           {.margins = {8, 6, 8, 6}, .spacing = 6});
  return bar;
}

void RunsPage::choose(const std::function<void(RunsChoices&)>& change) {
  const RunsChoices before = m_choices;
  change(m_choices);
  if (m_choices == before) return;
  fill();
  Q_EMIT changed();
}

// Names of columns for the last word, and after "COLUMN ==" the values of that column.
void RunsPage::suggest(const QString& text) {
  static const QRegularExpression kValue(QStringLiteral("(\\w+)\\s*[!=]=\\s*\"?([^\"&|]*)$")),
      kWord(QStringLiteral("(?:^|[^\\w.\"])([A-Za-z_]\\w*)$"));
  const QRegularExpressionMatch value = kValue.match(text), word = kWord.match(text);
  QStringList found;
  const Column* column = m_table.find(value.captured(1).toStdString());
  if (value.hasMatch() && column != nullptr &&
      std::holds_alternative<std::vector<std::string>>(column->values)) {
    const QString before =
        text.left(value.capturedStart(2)).remove(QRegularExpression(QStringLiteral("\"$")));
    const auto& values = std::get<std::vector<std::string>>(column->values);
    for (const std::string& each : std::set<std::string>(values.begin(), values.end()))
      if (!each.empty() && QString::fromStdString(each).startsWith(value.captured(2), Qt::CaseInsensitive))
        found << before + QLatin1Char('"') + QString::fromStdString(each) + QLatin1Char('"');
  } else if (word.hasMatch()) {
    for (const RunColumn& each : runColumns())
      if (QLatin1String(each.name).startsWith(word.captured(1)) &&
          word.captured(1) != QLatin1String(each.name))
        found << text.left(word.capturedStart(1)) + QLatin1String(each.name);
  }
  static_cast<QStringListModel*>(m_completer->model())->setStringList(found);
  m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
  found.isEmpty() ? m_completer->popup()->hide() : m_completer->complete();
}

void RunsPage::read() {
  RunPlaces places = m_choices.folders.empty() ? m_services.library() : RunPlaces{m_choices.folders, {}};
  places.settingsFolder = m_services.settingsFolder;
  m_reading.drop();
  m_handle = std::make_unique<JobHandle>(tr("Runs"));
  connect(m_handle.get(), &JobHandle::changed, this, [this] {
    if (m_handle->active()) m_count->setText(doneText(m_handle->progress()));
  });
  m_reading.start([finder = m_finder, places](Progress& progress) { return finder->find(places, progress); },
                  [this](JobResult<std::vector<Run>> found) {
                    if (found.stopped()) return;
                    if (!found.ok()) Q_EMIT complained(found.failure.sentence);
                    m_runs = found.ok() ? std::move(*found.value) : std::vector<Run>();
                    m_table = runTable(m_runs);
                    fill();
                  },
                  m_handle.get());
}

void RunsPage::fill() {
  QString wrong;
  try {
    m_shown = arrangedRows(m_table, m_choices.filter, m_choices.sort, m_choices.descending);
  } catch (const FilterError& error) {
    wrong = tr("Character %1: %2").arg(error.position + 1).arg(sanitizedText(error.what()));
    std::erase_if(m_shown, [this](std::size_t row) { return row >= m_runs.size(); });
  }
  m_wrong->setText(wrong);
  m_wrong->setVisible(!wrong.isEmpty());
  m_count->setText(m_shown.size() == m_runs.size()
                       ? tr("%1 runs").arg(m_runs.size())
                       : tr("%1 of %2 runs").arg(m_shown.size()).arg(m_runs.size()));
  std::set<QString> kept;  // selected files
  for (const QTreeWidgetItem* item : m_list->selectedItems())
    kept.insert(item->data(0, kFileRole).toString());
  if (m_choices.columns.empty()) {
    for (const RunColumn& column : runColumns())
      if (column.shown) m_choices.columns.emplace_back(column.name);
  }
  {
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    m_list->setColumnCount(static_cast<int>(m_choices.columns.size()));
    for (int i = 0; i < m_list->columnCount(); ++i) {
      const RunColumn& column = runColumn(m_choices.columns[i]);
      m_list->headerItem()->setText(i, tr(column.title));
      m_list->headerItem()->setToolTip(i, tr(column.help));
      m_list->headerItem()->setTextAlignment(i, alignmentOf(column));
      m_list->headerItem()->setData(i, kRunRole, QLatin1String(column.name));
      if (column.name == m_choices.sort)
        m_list->header()->setSortIndicator(i,
                                           m_choices.descending ? Qt::DescendingOrder : Qt::AscendingOrder);
    }
    m_list->header()->setSortIndicatorShown(!m_choices.sort.empty());
    addRows(m_shown);
    for (QTreeWidgetItemIterator each(m_list); *each != nullptr; ++each) {
      const QVariant file = (*each)->data(0, kFileRole);
      if (file.isValid()) (*each)->setSelected(kept.contains(file.toString()));
    }
  }
  m_list->setVisible(!m_runs.empty());
  m_empty->setVisible(m_runs.empty());
  showDifferences();
  for (int i = 0; i < m_list->columnCount(); ++i) {
    m_list->resizeColumnToContents(i);
    const bool differs = m_choices.columns[i] == "differs";
    m_list->setColumnWidth(
        i, std::min(m_list->columnWidth(i) + kColumnGap, differs ? kWidestDifference : kWidestColumn));
  }
  showButtons();
}

// Values that all listed runs share are muted.
void RunsPage::addRows(const std::vector<std::size_t>& rows) {
  const auto& names = m_choices.columns;
  std::vector<bool> shared;
  for (const std::string& name : names)
    shared.push_back(rows.size() > 1 && std::ranges::all_of(rows, [&](std::size_t row) {
                       return shownText(m_table, runColumn(name), row) ==
                              shownText(m_table, runColumn(name), rows.front());
                     }));
  std::map<QString, QTreeWidgetItem*> groups;
  m_list->setRootIsDecorated(!m_choices.group.empty());
  for (const std::size_t row : rows) {
    QTreeWidgetItem* parent = m_list->invisibleRootItem();
    if (!m_choices.group.empty()) {
      const RunColumn& by = runColumn(m_choices.group);
      const QString value = shownText(m_table, by, row);
      QTreeWidgetItem*& group = groups[value];
      if (group == nullptr) {
        group = new QTreeWidgetItem(m_list);
        group->setFirstColumnSpanned(true);
        group->setFlags(Qt::ItemIsEnabled);
        group->setExpanded(true);
      }
      parent = group;
      group->setText(0, QStringLiteral("%1: %2 (%3)")
                            .arg(tr(by.title), value.isEmpty() ? tr("none") : value)
                            .arg(group->childCount() + 1));
    }
    auto* item = new QTreeWidgetItem(parent);
    item->setData(0, kRunRole, QVariant::fromValue<qulonglong>(row));
    item->setData(0, kFileRole, fileText(m_runs[row].file));
    for (int i = 0; i < m_list->columnCount(); ++i) {
      const RunColumn& column = runColumn(names[i]);
      item->setText(i, shownText(m_table, column, row));
      item->setToolTip(i, plainTip(item->text(i)));
      item->setTextAlignment(i, alignmentOf(column));
      if (shared[i]) item->setForeground(i, currentTheme()[QStringLiteral("muted")]);
    }
    item->setIcon(0, captureIcon(QString::fromStdString(m_runs[row].id.captureDigest()), {}));
    item->setToolTip(0, plainTip(fileText(m_runs[row].file)));
  }
}

std::vector<std::size_t> RunsPage::selected() const {
  std::vector<std::size_t> runs;
  for (QTreeWidgetItemIterator each(m_list, QTreeWidgetItemIterator::Selected); *each != nullptr; ++each)
    if ((*each)->data(0, kRunRole).toULongLong() < m_runs.size())
      runs.push_back((*each)->data(0, kRunRole).toULongLong());
  return runs;
}

std::vector<fs::path> RunsPage::selectedFiles() const {
  std::vector<fs::path> files;
  for (const std::size_t run : selected()) files.push_back(m_runs[run].file);
  return files;
}

void RunsPage::showDifferences() {
  const auto place = std::ranges::find(m_choices.columns, "differs") - m_choices.columns.begin();
  if (place == std::ssize(m_choices.columns)) return;
  std::vector<std::size_t> compared = selected();
  if (compared.size() < 2) compared = m_shown;
  const std::vector<std::string> texts = runDifferences(m_runs, compared);
  std::map<std::size_t, QString> byRun;
  for (std::size_t i = 0; i < compared.size(); ++i) byRun[compared[i]] = QString::fromStdString(texts[i]);
  for (QTreeWidgetItemIterator each(m_list); *each != nullptr; ++each) {
    const QVariant run = (*each)->data(0, kRunRole);
    if (!run.isValid()) continue;
    (*each)->setText(static_cast<int>(place), byRun[run.toULongLong()]);
    (*each)->setToolTip(static_cast<int>(place), plainTip(byRun[run.toULongLong()]));
  }
}

void RunsPage::showButtons() {
  const std::size_t count = selected().size();
  for (QAction* action : {m_open, m_tags, m_trash}) action->setEnabled(count > 0);
  m_rename->setEnabled(count == 1);
  m_compare->setEnabled(count > 1 && count <= kMaxMatrixColumns);
}

void RunsPage::fillColumns() {
  m_columns->clear();
  for (const RunColumn& column : runColumns()) {
    QAction* action = m_columns->addAction(tr(column.title));
    action->setCheckable(true);
    action->setChecked(std::ranges::count(m_choices.columns, column.name) > 0);
    action->setEnabled(std::string_view(column.name) != "name");
    connect(action, &QAction::toggled, this, [this, name = std::string(column.name)](bool on) {
      choose([&](RunsChoices& now) {
        std::vector<std::string> columns;
        for (const RunColumn& each : runColumns()) {  // in the order of the list
          const bool was = std::ranges::count(now.columns, each.name) > 0;
          if (each.name == name ? on : was) columns.emplace_back(each.name);
        }
        now.columns = std::move(columns);
      });
    });
  }
  m_columns->addSeparator();
  connect(m_columns->addAction(tr("Standard columns")), &QAction::triggered, this,
          [this] { choose([](RunsChoices& now) { now.columns.clear(); }); });
}

void RunsPage::ask(const QString& title, const QString& label, const QString& now,
                   std::function<void(const QString&)> use) {
  auto* dialog = named("runQuestion", new QInputDialog(this));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  dialog->setLabelText(label);
  dialog->setTextValue(now);
  connect(dialog, &QInputDialog::textValueSelected, this, std::move(use));
  dialog->open();
}

bool RunsPage::areOpen(const std::vector<std::size_t>& runs) {
  for (const std::size_t run : runs) {
    if (std::ranges::none_of(filesOfRun(m_runs[run]), m_services.isOpen)) continue;
    Q_EMIT complained(
        tr("%1 is open in a tab. Close the tab first.").arg(fileText(m_runs[run].file.filename())));
    return true;
  }
  return false;
}

void RunsPage::change(std::function<void()> work) {
  m_changing.start(
      [work = std::move(work)](Progress&) {
        work();
        return true;
      },
      [this](JobResult<bool> done) {
        if (!done.ok() && !done.stopped()) Q_EMIT complained(done.failure.sentence);
        read();
        Q_EMIT filesChanged();
      });
}

void RunsPage::rename() {
  const std::vector<std::size_t> runs = selected();
  if (runs.size() != 1 || areOpen(runs)) return;
  const Run run = m_runs[runs.front()];
  ask(tr("Rename"), tr("Name of the file, without its ending"),
      QString::fromStdString(m_table.texts("name")[runs.front()]), [this, run](const QString& name) {
        change([run, name] { renameRun(run, name.trimmed().toStdString()); });
      });
}

void RunsPage::editTags() {
  std::vector<Run> runs;
  for (const std::size_t run : selected()) runs.push_back(m_runs[run]);
  if (runs.empty()) return;
  QStringList now;
  for (const std::string& tag : runs.front().tags) now << QString::fromStdString(tag);
  ask(tr("Tags"), tr("Tags of the selected runs, separated by commas"), now.join(QStringLiteral(", ")),
      [this, runs](const QString& text) {
        std::vector<std::string> tags;
        for (const QString& each : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
          if (!each.trimmed().isEmpty()) tags.push_back(each.trimmed().toStdString());
        change([runs, tags, index = m_services.index, folder = m_services.settingsFolder] {
          for (const Run& run : runs) writeTags(run.id, run.file, *index, folder, tags);
        });
      });
}

void RunsPage::trash() {
  const std::vector<std::size_t> runs = selected();
  if (runs.empty() || areOpen(runs)) return;
  QStringList files;
  for (const std::size_t run : runs)
    for (const fs::path& file : filesOfRun(m_runs[run])) files << fileText(file);
  auto* question = named("runTrashQuestion",
                         new QMessageBox(QMessageBox::Question, tr("Move to the trash"),
                                         tr("Move these files to the trash?"), QMessageBox::Cancel, this));
  question->setAttribute(Qt::WA_DeleteOnClose);
  question->setInformativeText(files.join(QLatin1Char('\n')));
  const QPushButton* yes = question->addButton(tr("Move to the trash"), QMessageBox::AcceptRole);
  connect(question, &QMessageBox::buttonClicked, this, [this, yes, files](const QAbstractButton* clicked) {
    if (clicked != static_cast<const QAbstractButton*>(yes)) return;
    change([files] {
      QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));  // of the trash
      for (const QString& file : files)
        if (!QFile::moveToTrash(file))
          throw InputError({fileOfText(file), "", "", "this file could not be moved to the trash"});
    });
  });
  question->open();
}

}  // namespace plastiscope

#include "moc_runs_page.cpp"
