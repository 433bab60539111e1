// What parallel.cc asks of a threading library. One of parallel_openmp.cc and parallel_pool.cc
// implements it.
#pragma once

namespace heed {

// Runs task(context) once in each of `count` threads, one of them the calling one; returns when all
// have returned. The task must not throw. If the threads are in use by another caller, the calling
// thread may run it alone.
void run_in_threads(int count, void (*task)(void* context), void* context);

// Called once in every thread that computes: keeps libraries that use the same threads (oneDNN) to
// one thread.
void keep_libraries_serial();

const char* backend_name();

}  // namespace heed
