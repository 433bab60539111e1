// Whether a sanitizer slows this build and inflates its memory.
#pragma once

namespace heed::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitizer = true;
#else
inline constexpr bool kSanitizer = false;
#endif

}  // namespace heed::test
