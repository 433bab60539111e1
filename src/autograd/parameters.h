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
#include "tensor/buffer.h"
#include "tensor/kernels/kernels.h"

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

  // gradient += x^T dy, x [M, K] and dy [M, C], in the store's precision; nothing without
  // a gradient buffer.
  void add_gradient(const Tensor& x, const Tensor& dy) const;

  Init init = Init::zero;
  const uint64_t* version = nullptr;              // the store's count of changes
  const kernels::Precision* precision = nullptr;  // of its packed forms: the store's
  mutable kernels::PackedMatrix packed_, packed_transposed_;
  mutable std::atomic<uint64_t> packed_version_{0}, packed_transposed_version_{0};
};

class ParameterStore {
 public:
  explicit ParameterStore(Device device = Device::cpu) : device_(device) {}
  ParameterStore(const ParameterStore&) = delete;
  ParameterStore& operator=(const ParameterStore&) = delete;

  Device device() const { return device_; }
  // Declares a parameter; names are unique. Only before memory is allocated. The
  // reference stays valid.
  Parameter& add(const std::string& name, const Shape& shape, Init init);
  // Memory for all declared parameters, all zero. with_gradients false (translation):
  // no gradient buffer.
  void allocate(bool with_gradients);
  // Fills the allocated parameters: each from its own random stream (seed, name), so that adding
  // one does not change the others.
  void initialise(uint64_t seed);

  std::deque<Parameter>& parameters() { return parameters_; }
  const std::deque<Parameter>& parameters() const { return parameters_; }
  Parameter* find(const std::string& name);
  Tensor values() { return values_.all(); }        // flat, [size()]
  Tensor gradients() { return gradients_.all(); }  // flat, same layout; empty without gradients
  int64_t size() const { return size_; }  // elements, with the padding between parameters (zeros)
  int64_t count() const;                  // elements that belong to a parameter
  // The precision of products with the packed forms, from now on; f32 at
  // first. Requires kernels::has_precision.
  void set_precision(kernels::Precision precision);
  kernels::Precision precision() const { return precision_; }
  // While one exists, values may be altered; packed forms are made anew afterwards.
  class Update {
   public:
    explicit Update(ParameterStore& store) : store_(store) {}
    Update(const Update&) = delete;
    Update& operator=(const Update&) = delete;
    ~Update() { ++store_.version_; }

   private:
    ParameterStore& store_;
  };
  [[nodiscard]] Update update() { return Update(*this); }
  uint64_t version() const { return version_; }  // another number after each update

 private:
  Device device_;
  std::deque<Parameter> parameters_;
  std::vector<int64_t> offsets_;
  int64_t size_ = 0;
  Buffer values_, gradients_;
  uint64_t version_ = 1;
  kernels::Precision precision_ = kernels::Precision::f32;
};

}  // namespace heed
