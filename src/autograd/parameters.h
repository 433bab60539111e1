// All parameters of a model in one flat buffer, their gradients in another of the same layout. A
// parameter is a view.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "tensor/kernels/kernels.h"
#include "tensor/tensor.h"

namespace heed {

// How a parameter starts. glorot: uniform in +-sqrt(6 / (in + out)) (Glorot & Bengio 2010);
// orthogonal: for recurrent weights [H, n H], each H x H block a random rotation (Saxe et al.
// 2014); embedding: normal, deviation 1 / sqrt(E). lstm_bias: zero, but 1 for the forget gate, the
// second quarter (Jozefowicz et al. 2015).
enum class Init { zero, glorot, orthogonal, embedding, lstm_bias };

struct Parameter {
  std::string name;
  Tensor value;
  Tensor gradient;
  // The packed forms of value for products with it and with its transpose, made when first asked
  // for and again after an update. Any number of threads may ask.
  const kernels::PackedMatrix& packed() const;
  const kernels::PackedMatrix& packed_transposed() const;

  // gradient += x^T dy, x [M, K] and dy [M, N], in the store's precision; nothing without a
  // gradient buffer.
  void add_gradient(const Tensor& x, const Tensor& dy) const;

  Init init = Init::zero;
  const uint64_t* version = nullptr;              // the store's count of changes
  const kernels::Precision* precision = nullptr;  // of its packed forms: the store's
  mutable kernels::PackedMatrix packed_, packed_transposed_;
  mutable std::atomic<uint64_t> packed_version_{0}, packed_transposed_version_{0};
};

class ParameterStore {
 public:
  ParameterStore() = default;
  ParameterStore(const ParameterStore&) = delete;
  ParameterStore& operator=(const ParameterStore&) = delete;
  ~ParameterStore();

  // Declares a parameter; names are unique. Only before they are laid out. The reference stays
  // valid.
  Parameter& add(const std::string& name, const Shape& shape, Init init);
  // Lays all declared parameters out, all zero: for weights that come from a file. with_gradients
  // false (translation): no gradient buffer.
  void lay_out(bool with_gradients);
  // The same, and fills them: each from its own random stream (seed, name), so adding one does not
  // change the others.
  void allocate(uint64_t seed, bool with_gradients);

  std::deque<Parameter>& parameters() { return parameters_; }
  const std::deque<Parameter>& parameters() const { return parameters_; }
  Parameter* find(const std::string& name);
  Tensor values() { return values_; }        // flat, [size()]
  Tensor gradients() { return gradients_; }  // flat, same layout
  int64_t size() const { return size_; }     // numbers, with the padding between parameters (zeros)
  int64_t count() const;                     // numbers that belong to a parameter
  // The precision of products with the packed forms, from now on; f32 at first. Requires
  // kernels::has_precision.
  void set_precision(kernels::Precision precision);
  kernels::Precision precision() const { return precision_; }
  void changed() { ++version_; }  // call after values were altered: packed forms are made anew
  uint64_t version() const { return version_; }  // another number after each changed()

 private:
  std::deque<Parameter> parameters_;
  std::vector<int64_t> offsets_;
  int64_t size_ = 0;
  Tensor values_, gradients_;
  uint64_t version_ = 1;
  kernels::Precision precision_ = kernels::Precision::f32;
};

}  // namespace heed
