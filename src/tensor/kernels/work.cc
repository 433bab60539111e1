#include "tensor/kernels/work.h"

namespace heed::kernels {
namespace {

thread_local Work done;

}  // namespace

const Work& work_done() { return done; }

void count_work(const Work& work) { done += work; }

}  // namespace heed::kernels
