#pragma once
// The threads behind the window. Quick work (views of a head) never waits behind long work (an analysis). On
// destruction everything that still runs is asked to stop and waited for.
#include <QThreadPool>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace plastiscope {

enum class WorkLength { Quick, Long };

using StopFlag = std::shared_ptr<std::atomic<bool>>;

class Workers {
 public:
  Workers();
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  QThreadPool& pool(WorkLength length) { return length == WorkLength::Quick ? m_quick : m_long; }
  // Flags raised at destruction; forgotten when nobody else holds them.
  void watch(const StopFlag& flag);
  // Waits until nothing runs any more (tests).
  void waitForDone();

 private:
  QThreadPool m_quick, m_long;
  std::mutex m_mutex;
  std::vector<std::weak_ptr<std::atomic<bool>>> m_flags;
};

}  // namespace plastiscope
