#include "tensor/transfer.h"

#include <algorithm>

#include "base/error.h"
#include "tensor/memory.h"

namespace heed {
namespace {

template <typename T>
void copy_in(std::span<const T> from, const View<T>& to) {
  check(std::ssize(from) == to.size(),
        "[upload] as many elements as the shape has. Received {} for {}", from.size(), to.shape);
  memory::copy_in(to.device, from.data(), from.size_bytes(), to.data);
}

template <typename T>
View<const T> upload_into(Arena& arena, std::span<const T> from, const Shape& shape) {
  const View<T> to = arena.array<T>(shape);
  copy_in(from, to);
  return to;
}

template <typename T>
void copy_out(const View<T>& from, std::span<std::remove_const_t<T>> to) {
  check(std::ssize(to) == from.size(),
        "[download] as many elements as the shape has. Received {} for {}", to.size(), from.shape);
  memory::copy_out(from.device, from.data, to.size_bytes(), to.data());
}

template <typename T>
std::vector<std::remove_const_t<T>> download_all(const View<T>& from) {
  std::vector<std::remove_const_t<T>> to(static_cast<size_t>(from.size()));
  copy_out(from, std::span(to));
  return to;
}

}  // namespace

Tensor upload(Arena& arena, std::span<const Real> from, const Shape& shape) {
  const Tensor to = arena.tensor(shape);
  copy_in(from, to);
  return to;
}

Flags upload(Arena& arena, std::span<const uint8_t> from, const Shape& shape) {
  return upload_into(arena, from, shape);
}

View<const int8_t> upload(Arena& arena, std::span<const int8_t> from, const Shape& shape) {
  return upload_into(arena, from, shape);
}

Ids upload(Arena& arena, std::span<const int32_t> ids, const Shape& shape, const IdRange& range) {
  const auto wrong = std::find_if(
      ids.begin(), ids.end(), [&](int32_t id) { return id < range.least || id >= range.below; });
  check(wrong == ids.end(), "[upload] ids lie in [{}, {}). Received {} at {}", range.least,
        range.below, wrong == ids.end() ? 0 : *wrong, wrong - ids.begin());
  return upload_into(arena, ids, shape);
}

void upload(std::span<const Real> from, const Tensor& to) { copy_in(from, to); }

std::vector<Real> download(const Tensor& from) { return download_all(from); }
std::vector<int32_t> download(const Ids& from) { return download_all(from); }
#ifndef HEED_DOUBLE
std::vector<double> download(const Sums& from) { return download_all(from); }
#endif

std::vector<int8_t> download(const View<int8_t>& from) { return download_all(from); }

void download(const Tensor& from, std::span<Real> to) { copy_out(from, to); }

Real item(const Tensor& x) {
  check(x.size() == 1, "[item] a tensor of one element. Received {}", x.shape);
  Real value = 0;
  copy_out(x, std::span(&value, 1));
  return value;
}

HostView::HostView(const Tensor& tensor) : tensor_(tensor) {
  if (tensor.device != Device::cpu) copy_ = download(tensor);
}

}  // namespace heed
