#pragma once
// List of a study's groups of heads: makes, renames, colours and deletes them, and selects their heads.
#include <QAbstractTableModel>
#include <QTableView>

#include "core/views/head_group.h"
#include "widgets/jobs/job_runner.h"

class QMenu;

namespace plastiscope {

class StudyModel;
struct GroupOffer;

// The first word of a condition or of a list of heads, as the name of their group.
std::string firstWord(const std::string& text);

QString groupOfferText(const GroupOffer& offer);  // "Add 3 groups of books-8k.h5"

// Groups with a check box for those that are drawn; a name can be edited.
class GroupTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum { NameColumn, HeadsColumn, KeyHeadsColumn, OriginColumn, kColumns };

  explicit GroupTable(StudyModel& model, QObject* parent = nullptr);

  const HeadGroup& groupAt(int row) const { return m_groups.at(static_cast<std::size_t>(row)); }
  int rowOf(const std::string& name) const;  // -1: no such group

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void refused(const QString& sentence);  // a name that a group cannot have

 private:
  void follow();
  bool isShown(const HeadGroup& group) const;
  std::int64_t keyHeads(const HeadGroup& group) const;
  bool rename(const HeadGroup& group, const std::string& name);

  StudyModel& m_model;
  HeadGroups m_groups;
};

class GroupListView : public QTableView {
  Q_OBJECT
 public:
  explicit GroupListView(StudyModel& model, QWidget* parent = nullptr);

  void take(const GroupOffer& offer);  // adds its groups and draws them

  // Entries that make groups, and those for the current group; filled when they open.
  void fillNewMenu(QMenu& menu);
  void fillGroupMenu(QMenu& menu);

 Q_SIGNALS:
  void refused(const QString& sentence);

 protected:
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;  // Delete deletes the current group

 private:
  void follow();
  void showCurrent();
  void deleteCurrent();
  void addClasses(QMenu& menu);
  void addColours(QMenu& menu, const HeadGroup& group);
  void askForHeads(const QString& before = {}, const QString& problem = {});
  void takeFromFile();

  StudyModel& m_model;
  GroupTable m_table;
  JobRunner m_runner;  // reads the groups of another study
  bool m_following = false;
};

}  // namespace plastiscope
