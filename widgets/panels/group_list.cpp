#include "widgets/panels/group_list.h"

#include <QContextMenuEvent>
#include <QFileDialog>
#include <QHeaderView>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMenu>
#include <algorithm>
#include <set>

#include "core/base/error.h"
#include "core/compare/matching.h"
#include "core/figures/parts.h"
#include "core/jobs/study_job.h"
#include "widgets/models/study_model.h"
#include "widgets/state/file_text.h"
#include "widgets/state/icons.h"
#include "widgets/state/small_widgets.h"

namespace plastiscope {

std::string firstWord(const std::string& text) {
  const auto inWord = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
  };
  const auto begin = std::ranges::find_if(text, inWord);
  return {begin, std::find_if_not(begin, text.end(), inWord)};
}

QString groupOfferText(const GroupOffer& offer) {
  const QString file = fileText(offer.file.filename());
  return offer.groups.size() == 1
             ? QObject::tr("Add group %1 of %2").arg(QString::fromStdString(offer.groups.front().name), file)
             : QObject::tr("Add %1 groups of %2").arg(QString::number(offer.groups.size()), file);
}

GroupTable::GroupTable(StudyModel& model, QObject* parent) : QAbstractTableModel(parent), m_model(model) {
  connect(&model.selection(), &Selection::changed, this, &GroupTable::follow);
  follow();
}

void GroupTable::follow() {
  const HeadGroups& groups = m_model.selection().value().groups;
  if (groups != m_groups) {
    beginResetModel();
    m_groups = groups;
    endResetModel();
  } else if (!m_groups.empty()) {  // the check boxes
    Q_EMIT dataChanged(index(0, NameColumn), index(rowCount() - 1, NameColumn), {Qt::CheckStateRole});
  }
}

int GroupTable::rowOf(const std::string& name) const {
  const auto found = std::ranges::find(m_groups, name, &HeadGroup::name);
  return found == m_groups.end() ? -1 : static_cast<int>(found - m_groups.begin());
}

bool GroupTable::isShown(const HeadGroup& group) const {
  return std::ranges::count(m_model.selection().value().shownGroups, group.name) > 0;
}

std::int64_t GroupTable::keyHeads(const HeadGroup& group) const {
  std::set<HeadName> keys;
  for (const HeadName& head : m_model.membersOf(group))
    keys.insert({head.layer, head.head / std::max<std::int64_t>(1, m_model.facts().groupSize(head.layer))});
  return std::ssize(keys);
}

int GroupTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_groups.size());
}

int GroupTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : kColumns;
}

QVariant GroupTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const HeadGroup& group = groupAt(index.row());
  const bool counts = index.column() == HeadsColumn || index.column() == KeyHeadsColumn;
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignVCenter | (counts ? Qt::AlignRight : Qt::AlignLeft));
  if (role == Qt::ToolTipRole) {
    const QString list = QString::fromStdString(headListText(group.heads));
    return plainTip(group.origin.empty() ? list : QString::fromStdString(group.origin) + '\n' + list);
  }
  if (index.column() == NameColumn) {
    if (role == Qt::CheckStateRole) return isShown(group) ? Qt::Checked : Qt::Unchecked;
    if (role == Qt::DecorationRole) return groupIcon(group);
    if (role == Qt::DisplayRole || role == Qt::EditRole) return QString::fromStdString(group.name);
    return {};
  }
  if (role != Qt::DisplayRole) return {};
  if (index.column() == KeyHeadsColumn) return groupedText(keyHeads(group));
  if (index.column() == OriginColumn)
    return group.origin.empty() ? tr("by hand") : QString::fromStdString(group.origin);
  const std::int64_t members = std::ssize(m_model.membersOf(group)), all = std::ssize(group.heads);
  return members == all ? groupedText(all) : tr("%1 of %2").arg(groupedText(members), groupedText(all));
}

bool GroupTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!index.isValid() || index.column() != NameColumn) return false;
  const HeadGroup group = groupAt(index.row());
  if (role == Qt::EditRole) return rename(group, value.toString().trimmed().toStdString());
  if (role != Qt::CheckStateRole) return false;
  std::vector<std::string> shown = m_model.selection().value().shownGroups;
  std::erase(shown, group.name);
  if (value.toInt() == Qt::Checked) shown.push_back(group.name);
  m_model.selection().setShownGroups(shown);
  return true;
}

bool GroupTable::rename(const HeadGroup& group, const std::string& name) {
  if (name == group.name) return false;
  HeadGroup renamed = group;
  renamed.name = name;
  try {
    checkGroupName(name, m_groups);
  } catch (const UsageError& error) {
    Q_EMIT refused(sanitizedText(error.what()));
    return false;
  }
  m_model.selection().replaceGroup(group.name, renamed);
  return true;
}

QVariant GroupTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns) return {};
  if (role == Qt::TextAlignmentRole) return data(index(0, section), role);
  const std::pair<QString, QString> titles[kColumns] = {
      {tr("Group"),
       tr("A check mark draws the group in the grid, the scatters and the profile. A double click "
          "renames it.")},
      {tr("Heads"), tr("Query heads of the group that were captured")},
      {tr("Key heads"), tr("Key heads of these query heads: they share their keys and are not independent")},
      {tr("Chosen by"), tr("How the heads were chosen")}};
  if (role == Qt::DisplayRole) return titles[section].first;
  return role == Qt::ToolTipRole ? QVariant(titles[section].second) : QVariant();
}

Qt::ItemFlags GroupTable::flags(const QModelIndex& index) const {
  const Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  return index.column() == NameColumn ? flags | Qt::ItemIsEditable | Qt::ItemIsUserCheckable : flags;
}

// --- The view ---------------------------------------------------------------------------------------------

namespace {

constexpr int kGroupRowHeight = 21, kLeastColumn = 60;

// The captured heads of each class, the largest class first.
std::vector<std::pair<std::string, std::vector<HeadName>>> headsOfClasses(const Table& heads) {
  std::map<std::string, std::vector<HeadName>> classes;
  const HeadColumns names(heads);
  if (heads.find("taxonomy") == nullptr) return {};
  const auto& titles = textColumn(heads, "taxonomy");
  for (std::size_t row = 0; row < heads.rows(); ++row) {
    if (!titles[row].empty()) classes[titles[row]].push_back(names[row]);
  }
  return {classes.begin(), classes.end()};
}

}  // namespace

GroupListView::GroupListView(StudyModel& model, QWidget* parent)
    : QTableView(parent), m_model(model), m_table(model), m_runner(model.workers(), WorkLength::Long) {
  setModel(&m_table);
  showAsList(*this, kGroupRowHeight);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  setWordWrap(false);
  setIconSize({12, 12});
  horizontalHeader()->setMinimumSectionSize(kLeastColumn);
  horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setHighlightSections(false);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setAccessibleName(tr("Groups of heads"));
  connect(&m_table, &GroupTable::refused, this, &GroupListView::refused);
  connect(&m_table, &QAbstractItemModel::modelReset, this, &GroupListView::follow);
  connect(&model.selection(), &Selection::changed, this, &GroupListView::follow);
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
    if (!m_following) showCurrent();
  });
  // A click on the current row selects its heads again.
  connect(this, &QTableView::clicked, this, &GroupListView::showCurrent);
  follow();
}

// The chosen group is the current row.
void GroupListView::follow() {
  m_following = true;
  const int row = m_table.rowOf(m_model.selection().value().group);
  if (row != currentIndex().row()) {
    if (row < 0)
      selectionModel()->clear();
    else
      selectRow(row);
  }
  m_following = false;
}

void GroupListView::showCurrent() {
  if (!currentIndex().isValid()) return;
  const HeadGroup& group = m_table.groupAt(currentIndex().row());
  m_model.selection().setGroup(group.name, m_model.membersOf(group));
}

void GroupListView::deleteCurrent() {
  if (!currentIndex().isValid()) return;
  HeadGroups groups = m_model.selection().value().groups;
  groups.erase(groups.begin() + currentIndex().row());
  m_model.selection().setGroups(groups, m_model.selection().value().shownGroups);
}

void GroupListView::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Delete) return deleteCurrent();
  QTableView::keyPressEvent(event);
}

void GroupListView::contextMenuEvent(QContextMenuEvent* event) {
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  currentIndex().isValid() ? fillGroupMenu(*menu) : fillNewMenu(*menu);
  menu->popup(event->globalPos());
}

void GroupListView::fillNewMenu(QMenu& menu) {
  menu.clear();
  const std::vector<HeadName> chosen = m_model.chosenHeads();
  QAction* selected =
      menu.addAction(chosen.size() > 1 ? tr("Selected heads: %1").arg(severalText(chosen))
                                       : tr("Selected head (select several in the grid or a scatter)"),
                     this, [this, chosen] { m_model.makeGroup({}, chosen); });
  selected->setEnabled(!chosen.empty());
  const std::string& filter = m_model.selection().value().filter;
  const auto& matching = m_model.shownHeads();
  QAction* filtered =
      menu.addAction(matching ? tr("Heads of the filter: %1").arg(groupedText(std::ssize(*matching)))
                              : tr("Heads of the filter (type one in the head table)"),
                     this, [this, filter, matching] {
                       m_model.makeGroup(firstWord(filter), {matching->begin(), matching->end()}, filter);
                     });
  filtered->setEnabled(matching && !matching->empty());
  addClasses(menu);
  menu.addAction(tr("Heads, layers or a condition …"), this, [this] { askForHeads(); });
  menu.addSeparator();
  for (const GroupOffer& offer : m_model.groupOffers())
    menu.addAction(groupOfferText(offer), this, [this, offer] { take(offer); });
  menu.addAction(tr("Add the groups of another capture …"), this, &GroupListView::takeFromFile);
}

void GroupListView::addClasses(QMenu& menu) {
  QMenu* classes = menu.addMenu(tr("Heads of a class"));
  const Table* heads = m_model.study()->analysis->find("heads");
  if (heads != nullptr) {
    for (const auto& [name, members] : headsOfClasses(*heads))
      classes->addAction(
          QString::fromStdString(name).replace('_', ' ') + QStringLiteral(" (%1)").arg(members.size()), this,
          [this, name = name, members = members] {
            m_model.makeGroup(name, members, "taxonomy == " + name);
          });
  }
  classes->setEnabled(!classes->isEmpty());
}

// Asks again if no head belongs to the text.
void GroupListView::askForHeads(const QString& before, const QString& problem) {
  auto* dialog = named("groupDialog", new QInputDialog(this));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(tr("New group"));
  dialog->setLabelText(problem.isEmpty() ? tr("Heads, layers or a condition, such as L12H6,L14 or L0-L5 or "
                                              "induction_score > 0.3:")
                                         : problem);
  dialog->setTextValue(before);
  connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) {
    try {
      const HeadGroup group = parseGroup("new=" + text.toStdString(), m_model.selection().value().groups,
                                         requiredTable(*m_model.study()->analysis, "heads"));
      const std::string origin = group.origin.empty() ? headListText(group.heads) : group.origin;
      m_model.makeGroup(firstWord(origin), group.heads, origin);
    } catch (const Error& error) {
      askForHeads(text, sanitizedText(error.what()));
    }
  });
  dialog->open();
}

// Heads of another model are matched as in a comparison.
void GroupListView::takeFromFile() {
  const QString file = QFileDialog::getOpenFileName(this, tr("Capture or analysis with groups"), {},
                                                    tr("Captures and analyses (*.h5)"));
  if (file.isEmpty()) return;
  m_runner.start(
      [study = m_model.study(), file = fileOfText(file)](Progress& progress) {
        const HeadGroups groups = groupsBeside(file);
        if (groups.empty()) throw UsageError(file.filename().string() + " has no groups of heads");
        const auto other = openStudy(file, settingsOf(*study->analysis), 1, progress);
        return GroupOffer{file, carriedGroups(groups, *other->analysis, *study->analysis)};
      },
      [this](JobResult<GroupOffer> offer) {
        if (offer.ok())
          take(*offer.value);
        else if (!offer.stopped())
          Q_EMIT refused(offer.failure.sentence);
      });
}

void GroupListView::take(const GroupOffer& offer) {
  HeadGroups groups = m_model.selection().value().groups;
  std::vector<std::string> shown = m_model.selection().value().shownGroups;
  for (const HeadGroup& group : offer.groups) {
    const bool known = std::ranges::find(groups, group.name, &HeadGroup::name) != groups.end();
    if (known || m_model.membersOf(group).empty()) continue;
    groups.push_back(group);
    shown.push_back(group.name);
  }
  m_model.selection().setGroups(groups, shown);
}

void GroupListView::fillGroupMenu(QMenu& menu) {
  menu.clear();
  const QModelIndex at = currentIndex();
  if (!at.isValid()) {
    menu.addAction(tr("No group is chosen"))->setEnabled(false);
    return;
  }
  const HeadGroup group = m_table.groupAt(at.row());
  const QString name = QString::fromStdString(group.name);
  menu.addAction(tr("Select its heads"), this, &GroupListView::showCurrent);
  menu.addAction(tr("Use as filter"), this,
                 [this, group] { m_model.selection().setFilter(groupFilter(group.name)); });
  menu.addSeparator();
  menu.addAction(tr("Rename"), this, [this, at] { edit(at.siblingAtColumn(GroupTable::NameColumn)); });
  addColours(menu, group);
  menu.addAction(tr("Delete %1").arg(name), this, &GroupListView::deleteCurrent);
}

void GroupListView::addColours(QMenu& menu, const HeadGroup& group) {
  QMenu* colours = menu.addMenu(tr("Colour"));
  for (int look = 0; look < kLookColours; ++look) {
    HeadGroup other = group;
    other.colour = QColor(lookStyle(look).colour.light).name().toStdString();
    QAction* action =
        colours->addAction(groupIcon(other), QString::fromStdString(other.colour), this,
                           [this, other] { m_model.selection().replaceGroup(other.name, other); });
    action->setCheckable(true);
    action->setChecked(QColor(QString::fromStdString(group.colour)) ==
                       QColor(QString::fromStdString(other.colour)));
  }
}

}  // namespace plastiscope

#include "moc_group_list.cpp"
