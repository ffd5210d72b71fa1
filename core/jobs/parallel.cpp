#include "core/jobs/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

#include "core/base/platform.h"

namespace plastiscope {

namespace {

// Work items are handed out in ascending order, so every item below a failed one has been started.
class SharedWork {
 public:
  SharedWork(std::size_t count, const std::function<void(std::size_t)>& work)
      : m_count(count), m_work(work) {}

  void run() {
    while (!m_failed.load()) {
      const std::size_t item = m_next.fetch_add(1);
      if (item >= m_count) return;
      try {
        m_work(item);
      } catch (...) {
        const std::lock_guard lock(m_mutex);
        m_failed.store(true);
        if (!m_error || item < m_errorItem) {
          m_error = std::current_exception();
          m_errorItem = item;
        }
      }
    }
  }
  void rethrow() const {
    if (m_error) std::rethrow_exception(m_error);
  }

 private:
  const std::size_t m_count;
  const std::function<void(std::size_t)>& m_work;
  std::atomic<std::size_t> m_next{0};
  std::atomic<bool> m_failed{false};
  std::mutex m_mutex;
  std::exception_ptr m_error;
  std::size_t m_errorItem = 0;
};

}  // namespace

int coreCount() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void parallelFor(std::size_t count, int threads, const std::function<void(std::size_t)>& work) {
  const std::size_t wanted = std::min<std::size_t>(count, threads > 0 ? threads : coreCount());
  SharedWork shared(count, work);
  {
    std::vector<std::future<void>> helpers;  // wait for their threads on every exit
    for (std::size_t i = 1; i < wanted; ++i)
      helpers.push_back(std::async(std::launch::async, [&shared] { shared.run(); }));
    shared.run();
  }
  shared.rethrow();
}

void atLowPriority(const std::function<void()>& work) {
  std::exception_ptr error;
  std::thread([&] {
    lowerThreadPriority();
    try {
      work();
    } catch (...) {
      error = std::current_exception();
    }
  }).join();
  if (error) std::rethrow_exception(error);
}

}  // namespace plastiscope
