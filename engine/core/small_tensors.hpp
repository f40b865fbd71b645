// Operand lists on the stack.
#pragma once

#include <memory>
#include <span>

#include "engine/core/tensor_impl.hpp"

namespace fusescope {

/// Copies of up to four handles without touching the heap; more go there.
class SmallTensors {
 public:
    explicit SmallTensors(std::span<const Tensor> from) : size_(from.size()) {
        if (size_ > 4) many_ = std::make_unique<Tensor[]>(size_);
        for (std::size_t i = 0; i < size_; ++i) data()[i] = from[i];
    }
    Tensor* data() { return many_ ? many_.get() : few_; }
    std::span<Tensor> span() { return {data(), size_}; }

 private:
    std::size_t size_;
    Tensor few_[4];
    std::unique_ptr<Tensor[]> many_;
};

/// Types of operands; an absent one has the default type.
class SmallTypes {
 public:
    explicit SmallTypes(std::span<const Tensor> from) : size_(from.size()) {
        if (size_ > 4) many_ = std::make_unique<TensorType[]>(size_);
        for (std::size_t i = 0; i < size_; ++i) {
            if (from[i].defined()) data()[i] = from[i].type();
        }
    }
    TensorType* data() { return many_ ? many_.get() : few_; }
    std::span<const TensorType> span() { return {data(), size_}; }

 private:
    std::size_t size_;
    TensorType few_[4];
    std::unique_ptr<TensorType[]> many_;
};

}  // namespace fusescope
