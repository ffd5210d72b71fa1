#pragma once
// Prepares the data for the views of a model tab in workers whenever the selection changes, and delivers it
// by signal; work for a head that is no longer selected is dropped. Heads seen before are cached.
#include <QObject>
#include <QTimer>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>

#include "core/jobs/study_damage.h"
#include "core/views/cloud_data.h"
#include "core/views/components_data.h"
#include "core/views/head_grid_data.h"
#include "core/views/map_data.h"
#include "core/views/placement_data.h"
#include "core/views/plane_data.h"
#include "core/views/profile_data.h"
#include "core/views/softmax_data.h"
#include "core/views/text_data.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/models/text_links.h"
#include "widgets/state/group_index.h"
#include "widgets/state/locked_ranges.h"
#include "widgets/state/selection.h"

namespace plastiscope {

// Services of the window for its pages; they outlive the pages.
struct PageServices {
  Workers& workers;
  LockedRanges& ranges;
  std::filesystem::path settingsFolder = {};  // for notes of files in read-only folders; "" = none
};

// Data of one view, or a sentence why there is none: a missing table, damaged data. Each view is independent.
template <typename Data>
struct Prepared {
  std::shared_ptr<const Data> data;
  QString missing;
};

// Data of all views of one head; for several selected heads means, except for the plane.
struct HeadViews {
  HeadName head;
  std::vector<HeadName> several;
  std::shared_ptr<const PlaneData> plane;  // never null: contains the reason if there is none
  Prepared<MapData> map;                   // with the pairs of the study's analysis
  Prepared<ProfileData> profile;
  Prepared<ComponentsData> components;
  Prepared<ComponentWeightsData> weights;
  Prepared<PlacementData> placement;
  Prepared<SalienceData> salience;
  Prepared<SoftmaxData> softmax;
};

// Data common to all heads.
struct CommonViews {
  Prepared<ProfileField> field;
  Prepared<TaxonomyData> taxonomy;
};

// Tokens of a text that match the characters selected in another tab.
struct LinkedTokens {
  std::int64_t example = 0;
  std::vector<std::int64_t> positions;  // ascending; empty = no link
  QString from = {};                    // title of that tab
  bool operator==(const LinkedTokens&) const = default;
};

// Visible part of the text view.
struct ShownText {
  std::int64_t example = 0, first = 0;  // the first visible token
  TokenMeasure measure = TokenMeasure::A;
  QueryOrKey coloured = QueryOrKey::Query;
  bool operator==(const ShownText&) const = default;
};

class StudyModel : public QObject {
  Q_OBJECT
 public:
  // `selection` must outlive the model.
  StudyModel(std::shared_ptr<const Study> study, Selection& selection, const PageServices& services,
             QObject* parent = nullptr);

  const std::shared_ptr<const Study>& study() const { return m_study; }
  // Same heads with more columns, such as intervals: all views are prepared again, the selection stays.
  void setStudy(std::shared_ptr<const Study> study);
  const StudyFacts& facts() const { return m_facts; }
  const std::vector<HeadName>& heads() const { return m_heads; }
  // The captured heads of a group, ascending.
  std::vector<HeadName> membersOf(const HeadGroup& group) const;
  // The selected heads, or the selected head alone.
  std::vector<HeadName> chosenHeads() const;
  // The group whose members are the selected heads; null: none or other heads.
  const HeadGroup* selectedGroup() const;
  // "induction (8 heads)", "L38–L42 × H8–H15: 40", "40 heads"; "" while at most one head is selected.
  QString severalName() const;
  // Groups of other captures of the model; provided by the page.
  void setGroupOffers(std::function<std::vector<GroupOffer>()> offers) { m_offers = std::move(offers); }
  std::vector<GroupOffer> groupOffers() const { return m_offers ? m_offers() : std::vector<GroupOffer>(); }
  // Adds a group of captured heads, selects them and compares them. Its name is made from `wanted`.
  void makeGroup(const std::string& wanted, std::vector<HeadName> heads, const std::string& origin = {});
  ShownPlasticity plasticity() const;  // the selected kind, if the analysis has it
  Selection& selection() const { return m_selection; }
  Workers& workers() const { return m_services.workers; }
  LockedRanges& ranges() const { return m_services.ranges; }
  RowTexts& texts() { return m_texts; }
  // Data of the selected head once it is prepared; null before.
  const std::shared_ptr<const HeadViews>& views() const { return m_views; }
  // Registers a panel that prepares data itself; `preparing` must outlive the model's use of it or return
  // false from then on.
  void watch(std::function<bool()> preparing) { m_preparing.push_back(std::move(preparing)); }
  // Highlights rows temporarily, without a step of the history. Indices as in SelectedRows.
  void pointAt(const std::vector<qint64>& queries, const std::vector<qint64>& keys) {
    Q_EMIT pointedAt(queries, keys);
  }

  const LinkedTokens& linkedTokens() const { return m_linked; }
  void setLinkedTokens(const LinkedTokens& tokens);

  // For heads captured at every position: the token whose keys are requested if it is not a sampled row.
  // Selecting rows clears it.
  const std::optional<TokenPlace>& askedToken() const { return m_asked; }
  void ask(const std::optional<TokenPlace>& token);

  // Set by the text view, for figures of it, and by reopened figures, for the view.
  const std::optional<ShownText>& shownText() const { return m_shownText; }
  void setShownText(const ShownText& shown);

  // Selects a captured query and asks for the text view, coloured by its scores.
  void showQueryInText(const TokenPlace& query);

  // Selects the head of interest when none or an unknown one is selected, and prepares everything. Call once,
  // after the views are connected.
  void begin();
  // Bin of the profile that contains a position, [from, to) in whole tokens; nullopt before the profile is
  // known or outside of its bins.
  std::optional<std::pair<std::int64_t, std::int64_t>> binOf(std::optional<std::int64_t> position) const;
  // Next or previous head in the order of heads.csv, cyclic.
  HeadName neighbour(int step) const;
  // Set by the head table, which evaluates the filter.
  void setShownHeads(const std::optional<std::set<HeadName>>& heads) {
    m_shownHeads = heads;
    Q_EMIT shownHeadsChanged(heads);
  }
  const std::optional<std::set<HeadName>>& shownHeads() const { return m_shownHeads; }
  // User's notes on heads; set by the page, which stores them.
  void setHeadNotes(const std::map<HeadName, std::string>& notes);
  const std::map<HeadName, std::string>& headNotes() const { return m_headNotes; }
  // Known after the capture has been read through, which begin() starts.
  const StudyDamage& damage() const { return m_damage; }
  // The cloud is prepared only while its view is visible.
  void setCloudWanted(bool wanted);
  // True if nothing is being prepared, including the map with all pairs: the display is complete
  // (screenshots, tests).
  bool settled() const;

 Q_SIGNALS:
  void studyChanged();
  void gridReady(std::shared_ptr<const plastiscope::HeadGridData> grid);
  void commonReady(std::shared_ptr<const plastiscope::CommonViews> common);
  void headReady(std::shared_ptr<const plastiscope::HeadViews> views);
  void cloudReady(std::shared_ptr<const plastiscope::CloudData> cloud);
  // Map of the selected head with every pair instead of a sample.
  void exactMapReady(plastiscope::HeadName head, std::shared_ptr<const plastiscope::MapData> map);
  void exactMapStarted(plastiscope::HeadName head);
  void exactMapFailed(plastiscope::HeadName head, const QString& sentence);
  // Heads that match the filter of the table; nullopt = all.
  void shownHeadsChanged(const std::optional<std::set<plastiscope::HeadName>>& heads);
  void headNotesChanged();
  void groupMade();  // by the user
  void damageFound();
  void pointedAt(const std::vector<qint64>& queries, const std::vector<qint64>& keys);
  // Failure for the head's or common views; the grid; the cloud.
  void failed(const QString& sentence);
  void gridFailed(const QString& sentence);
  void cloudFailed(const QString& sentence);
  void settledNow();
  void linkedTokensChanged();
  void askedTokenChanged();
  void shownTextChanged();
  void textRequested();

 private:
  void selectionChanged(const ViewSelection& now, const ViewSelection& before);
  // Starts `work` in a worker; `show` receives its result, `fail` the sentence of an error.
  template <typename Work, typename Show, typename Fail>
  void prepare(JobRunner& runner, Work work, Show show, Fail fail);
  void prepareGrid();
  void prepareCommon();
  void prepareHead();
  void prepareCloud();
  void prepareExactMap();
  void lookForDamage();
  void setViews(std::shared_ptr<const HeadViews> views);
  void remember(const std::shared_ptr<const HeadViews>& views);
  void checkSettled();
  void forgetViews();

  std::shared_ptr<const Study> m_study;
  StudyFacts m_facts;
  std::vector<HeadName> m_heads, m_ascending;
  Selection& m_selection;
  PageServices m_services;
  RowTexts m_texts;
  std::optional<std::set<HeadName>> m_shownHeads;
  std::map<HeadName, std::string> m_headNotes;
  std::function<std::vector<GroupOffer>()> m_offers;
  LinkedTokens m_linked;
  std::optional<TokenPlace> m_asked;
  std::optional<ShownText> m_shownText;
  StudyDamage m_damage;
  std::vector<std::function<bool()>> m_preparing;
  std::shared_ptr<const HeadViews> m_views;
  JobRunner m_gridRunner, m_commonRunner, m_headRunner, m_cloudRunner, m_mapRunner, m_damageRunner;
  bool m_commonFailed = false, m_cloudWanted = false;
  std::optional<HeadName> m_cloudHead;  // head of the last delivered cloud
  QTimer m_mapDelay;
  std::shared_ptr<const CommonViews> m_common;
  std::shared_ptr<const std::vector<HeadName>> m_similar;  // the order, once requested
  std::map<HeadName, std::shared_ptr<const HeadViews>> m_cache;
  std::list<HeadName> m_cacheOrder;  // oldest first
  std::map<HeadName, std::shared_ptr<const MapData>> m_exactMaps;
};

}  // namespace plastiscope
