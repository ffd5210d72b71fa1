#pragma once
// Feeds the views of a model tab: prepares the data of each view in a worker whenever the selection changes
// and delivers it by signal; work for a head that is no longer selected is dropped. Heads seen before come
// from a cache.
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
#include "core/views/text_data.h"
#include "widgets/jobs/job_runner.h"
#include "widgets/models/token_context.h"
#include "widgets/state/locked_ranges.h"
#include "widgets/state/selection.h"

namespace plastiscope {

// What the window lends to its pages; all of it outlives them.
struct PageServices {
  Workers& workers;
  LockedRanges& ranges;
  std::filesystem::path settingsFolder = {};  // for notes that cannot stand beside their file; "" = nowhere
};

// What one view draws, or the sentence that stands in its place: a table is missing, data are damaged. Each
// view stands alone.
template <typename Data>
struct Prepared {
  std::shared_ptr<const Data> data;
  QString missing;
};

// Everything that the views of one head draw; of several selected heads all but the plane are their means.
struct HeadViews {
  HeadName head;
  std::vector<HeadName> several;
  std::shared_ptr<const PlaneData> plane;  // never null: it says itself why there is none
  Prepared<MapData> map;                   // with the pairs of the study's analysis
  Prepared<ProfileData> profile;
  Prepared<ComponentsData> components;
  Prepared<ComponentWeightsData> weights;
  Prepared<PlacementData> placement;
  Prepared<SalienceData> salience;
};

// What is the same for all heads.
struct CommonViews {
  Prepared<ProfileField> field;
  Prepared<TaxonomyData> taxonomy;
};

// Tokens of one text at the characters that are selected in another tab.
struct LinkedTokens {
  std::int64_t example = 0;
  std::vector<std::int64_t> positions;  // ascending; none = nothing is linked
  QString from = {};                    // title of that tab
  bool operator==(const LinkedTokens&) const = default;
};

// What the view of the text shows.
struct ShownText {
  std::int64_t example = 0, first = 0;  // the first token in sight
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
  // The same heads with more columns, such as intervals: all views are prepared anew, the selection stays.
  void setStudy(std::shared_ptr<const Study> study);
  const StudyFacts& facts() const { return m_facts; }
  const std::vector<HeadName>& heads() const { return m_heads; }
  ShownPlasticity plasticity() const;  // as selected, where the analysis has it
  Selection& selection() const { return m_selection; }
  Workers& workers() const { return m_services.workers; }
  LockedRanges& ranges() const { return m_services.ranges; }
  RowTexts& texts() { return m_texts; }
  // Of the selected head, once they are prepared; null before.
  const std::shared_ptr<const HeadViews>& views() const { return m_views; }
  // A panel that prepares data by itself says when it is doing so; it must outlive the model's use of it, or
  // say false for ever.
  void watch(std::function<bool()> preparing) { m_preparing.push_back(std::move(preparing)); }
  // Rows that the pointer or a list points at: for this moment, no step of the history. Indices as in
  // SelectedRows.
  void pointAt(const std::vector<qint64>& queries, const std::vector<qint64>& keys) {
    Q_EMIT pointedAt(queries, keys);
  }

  const LinkedTokens& linkedTokens() const { return m_linked; }
  void setLinkedTokens(const LinkedTokens& tokens);

  // Of heads at every position: a token that is no sampled row, whose keys are asked for. A selection of rows
  // ends it.
  const std::optional<TokenPlace>& askedToken() const { return m_asked; }
  void ask(const std::optional<TokenPlace>& token);

  // Told by that view, for figures of it; and to it, by a figure that is opened again.
  const std::optional<ShownText>& shownText() const { return m_shownText; }
  void setShownText(const ShownText& shown);

  // Selects the head of interest when none or an unknown one is selected, and prepares everything. Call once,
  // after the views are connected.
  void begin();
  // The bin of the profile that holds a position, [from, to) in whole tokens; nothing before the profile is
  // known or outside of its bins.
  std::optional<std::pair<std::int64_t, std::int64_t>> binOf(std::optional<std::int64_t> position) const;
  // The head before or after in the order of heads.csv, around the ends.
  HeadName neighbour(int step) const;
  // Told by the head table, which owns the filter's meaning.
  void setShownHeads(const std::optional<std::set<HeadName>>& heads) { Q_EMIT shownHeadsChanged(heads); }
  // What a person wrote about heads; told by the page, which keeps it.
  void setHeadNotes(const std::map<HeadName, std::string>& notes);
  const std::map<HeadName, std::string>& headNotes() const { return m_headNotes; }
  // Known once the capture was read through, which begin() starts.
  const StudyDamage& damage() const { return m_damage; }
  // The cloud is only prepared while its view is on the screen.
  void setCloudWanted(bool wanted);
  // Nothing is being prepared any more: what is on the screen is complete (screenshots, tests). The map with
  // all pairs counts too.
  bool settled() const;

 Q_SIGNALS:
  void studyChanged();
  void gridReady(std::shared_ptr<const plastiscope::HeadGridData> grid);
  void commonReady(std::shared_ptr<const plastiscope::CommonViews> common);
  void headReady(std::shared_ptr<const plastiscope::HeadViews> views);
  void cloudReady(std::shared_ptr<const plastiscope::CloudData> cloud);
  // The chosen head's map again, with every pair instead of a sample of them.
  void exactMapReady(plastiscope::HeadName head, std::shared_ptr<const plastiscope::MapData> map);
  void exactMapStarted(plastiscope::HeadName head);
  void exactMapFailed(plastiscope::HeadName head, const QString& sentence);
  // The heads that the filter of the table leaves; nothing = all.
  void shownHeadsChanged(const std::optional<std::set<plastiscope::HeadName>>& heads);
  void headNotesChanged();
  void damageFound();
  void pointedAt(const std::vector<qint64>& queries, const std::vector<qint64>& keys);
  // The head's views, what all heads share; the grid; the cloud.
  void failed(const QString& sentence);
  void gridFailed(const QString& sentence);
  void cloudFailed(const QString& sentence);
  void settledNow();
  void linkedTokensChanged();
  void askedTokenChanged();
  void shownTextChanged();

 private:
  void selectionChanged(const ViewSelection& now, const ViewSelection& before);
  void prepareGrid();
  void prepareCommon();
  void prepareHead();
  void prepareCloud();
  void prepareExactMap();
  void lookForDamage();
  void take(std::shared_ptr<const HeadViews> views);
  void remember(const std::shared_ptr<const HeadViews>& views);
  void checkSettled();
  void forgetViews();

  std::shared_ptr<const Study> m_study;
  StudyFacts m_facts;
  std::vector<HeadName> m_heads;
  Selection& m_selection;
  PageServices m_services;
  RowTexts m_texts;
  std::map<HeadName, std::string> m_headNotes;
  LinkedTokens m_linked;
  std::optional<TokenPlace> m_asked;
  std::optional<ShownText> m_shownText;
  StudyDamage m_damage;
  std::vector<std::function<bool()>> m_preparing;
  std::shared_ptr<const HeadViews> m_views;
  JobRunner m_gridRunner, m_commonRunner, m_headRunner, m_cloudRunner, m_mapRunner, m_damageRunner;
  bool m_commonFailed = false, m_cloudWanted = false;
  std::optional<HeadName> m_cloudHead;  // whose cloud was delivered last
  QTimer m_mapDelay;
  std::shared_ptr<const CommonViews> m_common;
  std::shared_ptr<const std::vector<HeadName>> m_similar;  // the order, once it was asked for
  std::map<HeadName, std::shared_ptr<const HeadViews>> m_cache;
  std::list<HeadName> m_cacheOrder;  // oldest first
  std::map<HeadName, std::shared_ptr<const MapData>> m_exactMaps;
};

}  // namespace plastiscope
