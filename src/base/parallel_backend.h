// What parallel.cc needs of a threading library. Either parallel_openmp.cc or
// parallel_pool.cc implements it.
#pragma once

namespace heed {

// Runs task(context) once in each of `count` threads, one of which is the caller, and returns when
// all calls have returned. The task must not throw. If another caller is using the threads, the
// calling thread may run the task alone.
void run_in_threads(int count, void (*task)(void* context), void* context);

// Limits libraries that use the same threads (oneDNN) to one thread. Called once in every
// thread that computes.
void keep_libraries_serial();

const char* backend_name();

}  // namespace heed
