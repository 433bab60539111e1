#include "base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/error.h"

namespace heed {
namespace {

class Parallel : public testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_threads(GetParam()); }
  void TearDown() override { set_threads(0); }
};

TEST_P(Parallel, CallsEveryChunkOnce) {
  for (const int64_t n : {0, 1, 7, 8, 9, 1000}) {
    for (const int64_t grain : {1, 8, 1001}) {
      std::mutex mutex;
      std::multiset<std::pair<int64_t, int64_t>> seen, wanted;
      parallel_for(n, grain, [&](int64_t begin, int64_t end) {
        const std::lock_guard lock(mutex);
        seen.emplace(begin, end);
      });
      for (int64_t begin = 0; begin < n; begin += grain)
        wanted.emplace(begin, std::min(n, begin + grain));
      EXPECT_EQ(seen, wanted) << n << " by " << grain;
    }
  }
}

TEST_P(Parallel, SeesItsWritesAfterwards) {
  std::vector<int64_t> squares(5000);
  for (int round = 0; round < 200; ++round) {
    parallel_for(5000, 100, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) squares[static_cast<size_t>(i)] = i * i + round;
    });
    for (int64_t i = 0; i < 5000; ++i) ASSERT_EQ(squares[static_cast<size_t>(i)], i * i + round);
  }
}

TEST_P(Parallel, RethrowsWhatAChunkThrew) {
  const auto run = [] {
    parallel_for(100, 1, [](int64_t begin, int64_t) {
      if (begin == 42) throw std::runtime_error("chunk 42");
    });
  };
  EXPECT_THROW(run(), std::runtime_error);
  std::atomic<int> calls{0};
  parallel_for(100, 1, [&](int64_t, int64_t) { ++calls; });
  EXPECT_EQ(calls, 100) << "the threads must work on after an exception";
}

TEST_P(Parallel, RunsInsideItselfInTheSameThread) {
  std::atomic<int> calls{0}, elsewhere{0};
  parallel_for(10, 1, [&](int64_t, int64_t) {
    const auto me = std::this_thread::get_id();
    parallel_for(10, 1, [&](int64_t, int64_t) {
      ++calls;
      if (std::this_thread::get_id() != me) ++elsewhere;
    });
  });
  EXPECT_EQ(calls, 100);
  EXPECT_EQ(elsewhere, 0);
}

TEST_P(Parallel, FlushesDenormalsInEveryThread) {
  std::atomic<int> denormals{0};
  parallel_for(64, 1, [&](int64_t, int64_t) {
    volatile float smallest = std::numeric_limits<float>::min();
    volatile float half = smallest * 0.5F;
    if (half != 0.0F) ++denormals;
  });
  EXPECT_EQ(denormals, 0);
}

TEST_P(Parallel, MayBeCalledFromSeveralThreads) {
  std::atomic<int> calls{0};
  const auto work = [&] {
    for (int i = 0; i < 100; ++i) parallel_for(8, 1, [&](int64_t, int64_t) { ++calls; });
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(calls, 1600);
}

INSTANTIATE_TEST_SUITE_P(Threads, Parallel, testing::Values(1, 2));

TEST(ParallelSettings, NeverMoreThreadsThanCores) {
  set_threads(100000);
  EXPECT_EQ(threads(), usable_cores());
  set_threads(1);
  EXPECT_EQ(threads(), 1);
  set_threads(0);
  EXPECT_GE(threads(), 1);
}

TEST(ParallelSettings, RefusesAGrainBelowOne) {
  EXPECT_THROW(parallel_for(3, 0, [](int64_t, int64_t) {}), InternalError);
}

TEST(ParallelSettings, RefusesToChangeThreadsInsideAChunk) {
  EXPECT_THROW(parallel_for(4, 1, [](int64_t, int64_t) { set_threads(1); }), InternalError);
}

}  // namespace
}  // namespace heed
