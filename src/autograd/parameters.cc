#include "autograd/parameters.h"

#include <Eigen/QR>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <new>

#include "autograd/profile.h"
#include "base/error.h"
#include "base/round_up.h"

namespace heed {
namespace {

constexpr int64_t kAlign = 64 / sizeof(Real);  // each parameter starts on a cache line

Tensor allocate_flat(int64_t size) {
  const size_t bytes = std::max<size_t>(64, static_cast<size_t>(size) * sizeof(Real));
  void* data = std::aligned_alloc(64, round_up<size_t>(bytes, 64));
  if (data == nullptr) throw std::bad_alloc();
  Tensor t{static_cast<Real*>(data), Shape{size}, Device::cpu};
  kernels::fill(t, 0);
  return t;
}

uint64_t name_stream(const std::string& name) {  // FNV-1a
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : name) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

void fill_uniform(Tensor t, double bound, Random& random) {
  for (int64_t i = 0; i < t.size(); ++i)
    t.data[i] = static_cast<Real>(bound * (2 * random.uniform() - 1));
}

void fill_normal(Tensor t, double deviation, Random& random) {
  for (int64_t i = 0; i < t.size(); ++i) t.data[i] = static_cast<Real>(deviation * random.normal());
}

// Each H x H block of [H, n H] becomes the Q of a random matrix, signs fixed so that Q is uniform
// over rotations.
void fill_orthogonal(Tensor t, Random& random) {
  const int64_t h = t.shape[0], columns = t.shape.last();
  for (int64_t block = 0; block + h <= columns; block += h) {
    Eigen::MatrixXd m(h, h);
    for (int64_t i = 0; i < h; ++i)
      for (int64_t j = 0; j < h; ++j) m(i, j) = random.normal();
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(m);
    const Eigen::MatrixXd q = qr.householderQ();
    for (int64_t j = 0; j < h; ++j) {
      const double sign = qr.matrixQR()(j, j) < 0 ? -1 : 1;
      for (int64_t i = 0; i < h; ++i)
        t.data[i * columns + block + j] = static_cast<Real>(sign * q(i, j));
    }
  }
}

void initialise(Parameter& p, uint64_t seed) {
  Random random(seed, name_stream(p.name));
  const double in = static_cast<double>(p.value.shape.rows()),
               out = static_cast<double>(p.value.shape.last());
  switch (p.init) {
    case Init::zero:
      return;
    case Init::glorot:
      return fill_uniform(p.value, std::sqrt(6.0 / (in + out)), random);
    case Init::orthogonal:
      return fill_orthogonal(p.value, random);
    case Init::embedding:
      return fill_normal(p.value, 1.0 / std::sqrt(out), random);
    case Init::lstm_bias:
      return kernels::fill(p.value.slice(p.value.size() / 4, p.value.size() / 2), 1);
  }
}

const kernels::PackedMatrix& packed_form(const Parameter& p, bool transposed,
                                         kernels::PackedMatrix& packed,
                                         std::atomic<uint64_t>& version) {
  if (version.load(std::memory_order_acquire) == *p.version) return packed;
  static std::mutex& packing = *new std::mutex;
  const std::lock_guard lock(packing);
  if (version.load(std::memory_order_relaxed) == *p.version) return packed;
  const OpScope scope("pack weights");
  packed.pack(p.value, transposed, *p.precision);
  version.store(*p.version, std::memory_order_release);
  return packed;
}

}  // namespace

const kernels::PackedMatrix& Parameter::packed() const {
  return packed_form(*this, false, packed_, packed_version_);
}

const kernels::PackedMatrix& Parameter::packed_transposed() const {
  return packed_form(*this, true, packed_transposed_, packed_transposed_version_);
}

void Parameter::add_gradient(const Tensor& x, const Tensor& dy) const {
  if (!gradient.empty()) kernels::gemm(x, true, dy, false, gradient, true, *precision);
}

ParameterStore::~ParameterStore() {
  std::free(values_.data);
  std::free(gradients_.data);
}

Parameter& ParameterStore::add(const std::string& name, const Shape& shape, Init init) {
  check(values_.empty(), "[add] parameters are declared before they are laid out. Received {}",
        name);
  check(find(name) == nullptr, "[add] parameter names are unique. Received {} twice", name);
  Parameter& p = parameters_.emplace_back();
  p.name = name;
  p.value.shape = shape;
  p.init = init;
  p.version = &version_;
  p.precision = &precision_;
  offsets_.push_back(size_);
  size_ += round_up(shape.size(), kAlign);
  return p;
}

void ParameterStore::lay_out(bool with_gradients) {
  check(values_.empty(), "[lay_out] parameters are laid out once");
  values_ = allocate_flat(size_);
  if (with_gradients) gradients_ = allocate_flat(size_);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& p = parameters_[i];
    p.value.data = values_.data + offsets_[i];
    if (with_gradients)
      p.gradient = Tensor{gradients_.data + offsets_[i], p.value.shape, Device::cpu};
  }
}

void ParameterStore::allocate(uint64_t seed, bool with_gradients) {
  lay_out(with_gradients);
  for (Parameter& p : parameters_) initialise(p, seed);
}

Parameter* ParameterStore::find(const std::string& name) {
  for (Parameter& p : parameters_)
    if (p.name == name) return &p;
  return nullptr;
}

void ParameterStore::set_precision(kernels::Precision precision) {
  precision_ = precision;
  changed();
}

int64_t ParameterStore::count() const {
  int64_t n = 0;
  for (const Parameter& p : parameters_) n += p.value.size();
  return n;
}

}  // namespace heed
