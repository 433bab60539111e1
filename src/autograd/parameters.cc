#include "autograd/parameters.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "autograd/profile.h"
#include "base/error.h"
#include "base/round_up.h"
#include "tensor/transfer.h"

namespace heed {
namespace {

constexpr int64_t kAlign = 64 / sizeof(Real);  // each parameter starts on a cache line

uint64_t name_stream(const std::string& name) {  // FNV-1a
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : name) hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

// Start values of one parameter, made on the host.
using Values = std::vector<Real>;

void fill_uniform(Values& values, double bound, Random& random) {
  for (Real& x : values) x = static_cast<Real>(bound * (2 * random.uniform() - 1));
}

void fill_normal(Values& values, double deviation, Random& random) {
  for (Real& x : values) x = static_cast<Real>(deviation * random.normal());
}

// Each H x H block of [H, n H] becomes the Q of a random matrix, with signs fixed so that Q is
// uniform over rotations.
void fill_orthogonal(Values& values, const Shape& shape, Random& random) {
  const int64_t h = shape[0], columns = shape.last();
  for (int64_t block = 0; block + h <= columns; block += h) {
    Eigen::MatrixXd m(h, h);
    for (int64_t i = 0; i < h; ++i)
      for (int64_t j = 0; j < h; ++j) m(i, j) = random.normal();
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(m);
    const Eigen::MatrixXd q = qr.householderQ();
    for (int64_t j = 0; j < h; ++j) {
      const double sign = qr.matrixQR()(j, j) < 0 ? -1 : 1;
      for (int64_t i = 0; i < h; ++i)
        values[static_cast<size_t>(i * columns + block + j)] = static_cast<Real>(sign * q(i, j));
    }
  }
}

Values start_values(const Parameter& p, uint64_t seed) {
  Random random(seed, name_stream(p.name));
  const Shape& shape = p.value.shape;
  const double in = static_cast<double>(shape.rows()), out = static_cast<double>(shape.last());
  Values values(static_cast<size_t>(shape.size()));
  switch (p.init) {
    case Init::zero:
      break;
    case Init::glorot:
      fill_uniform(values, std::sqrt(6.0 / (in + out)), random);
      break;
    case Init::orthogonal:
      fill_orthogonal(values, shape, random);
      break;
    case Init::embedding:
      fill_normal(values, 1.0 / std::sqrt(out), random);
      break;
    case Init::lstm_bias: {
      const auto quarter = static_cast<std::ptrdiff_t>(values.size() / 4);
      std::fill(values.begin() + quarter, values.begin() + 2 * quarter, Real{1});
      break;
    }
  }
  return values;
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
  if (!gradient.empty()) kernels::gemm({x, true}, {dy}, gradient, true, *precision);
}

Parameter& ParameterStore::add(const std::string& name, const Shape& shape, Init init) {
  check(values().empty(), "[add] parameters are declared before they get memory. Received {}",
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

void ParameterStore::allocate(bool with_gradients) {
  check(values().empty(), "[allocate] parameters get memory once");
  values_ = Buffer(device_, size_);
  if (with_gradients) gradients_ = Buffer(device_, size_);
  for (size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& p = parameters_[i];
    p.value = values().part(offsets_[i], p.value.shape);
    if (with_gradients) p.gradient = gradients().part(offsets_[i], p.value.shape);
  }
}

void ParameterStore::initialise(uint64_t seed) {
  const Update guard = update();
  for (const Parameter& p : parameters_) upload(start_values(p, seed), p.value);
}

Parameter* ParameterStore::find(const std::string& name) {
  for (Parameter& p : parameters_)
    if (p.name == name) return &p;
  return nullptr;
}

void ParameterStore::set_precision(kernels::Precision precision) {
  const Update guard = update();
  precision_ = precision;
}

int64_t ParameterStore::count() const {
  int64_t n = 0;
  for (const Parameter& p : parameters_) n += p.value.size();
  return n;
}

}  // namespace heed
