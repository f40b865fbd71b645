// Layers. Defaults and initial values are those of the Python package.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fusescope/nn/cell.hpp"

namespace fusescope::nn {

/// y = x · weightᵀ + bias: x (*, in), weight (out, in), bias (out,).
class Dense final : public Cell {
 public:
    Dense(std::int64_t in_channels, std::int64_t out_channels, bool has_bias = true);
    Tensor construct(const Tensor& x) override;

 private:
    Parameter weight_, bias_;
};

/// Two-dimensional convolution of (N, C, H, W); weight (out, in / group, rows, columns).
class Conv2d final : public Cell {
 public:
    struct Options {
        Shape stride{1, 1};
        std::string pad_mode = "same";  ///< "same", "valid" or "pad"
        Shape padding{0, 0, 0, 0};      ///< top, bottom, left, right; for "pad"
        Shape dilation{1, 1};
        std::int64_t group = 1;
        bool has_bias = false;
    };
    Conv2d(std::int64_t in_channels, std::int64_t out_channels, std::int64_t kernel_size);
    Conv2d(std::int64_t in_channels, std::int64_t out_channels, const Shape& kernel_size, Options options);
    Tensor construct(const Tensor& x) override;

 private:
    Options options_;
    Parameter weight_, bias_;
};

/// The largest element, or the mean, of each window of (N, C, H, W).
class MaxPool2d final : public Cell {
 public:
    explicit MaxPool2d(std::int64_t kernel_size = 1, std::int64_t stride = 1, std::string pad_mode = "valid");
    Tensor construct(const Tensor& x) override;

 private:
    std::int64_t kernel_size_, stride_;
    std::string pad_mode_;
};
class AvgPool2d final : public Cell {
 public:
    explicit AvgPool2d(std::int64_t kernel_size = 1, std::int64_t stride = 1, std::string pad_mode = "valid");
    Tensor construct(const Tensor& x) override;

 private:
    std::int64_t kernel_size_, stride_;
    std::string pad_mode_;
};

/// Normalises each channel (axis 1) of (N, C, H, W): by the batch while training, when it also moves the running
/// statistics (they keep the share `momentum` of their value), else by these.
class BatchNorm2d final : public Cell {
 public:
    explicit BatchNorm2d(std::int64_t num_features, double eps = 1e-5, double momentum = 0.9);
    Tensor construct(const Tensor& x) override;

 private:
    double eps_, momentum_;
    Parameter gamma_, beta_, moving_mean_, moving_variance_;
};

/// Normalises the last axes, which must have the extents `normalized_shape`.
class LayerNorm final : public Cell {
 public:
    explicit LayerNorm(const Shape& normalized_shape, double epsilon = 1e-7);
    Tensor construct(const Tensor& x) override;

 private:
    int axes_;
    double epsilon_;
    Parameter gamma_, beta_;
};

/// Zeroes elements with probability p while training and scales the others by 1 / (1 - p).
class Dropout final : public Cell {
 public:
    explicit Dropout(double p = 0.5);
    Tensor construct(const Tensor& x) override;

 private:
    double p_;
};

/// All axes from the second on as one.
class Flatten final : public Cell {
 public:
    Flatten() : Cell("Flatten") {}
    Tensor construct(const Tensor& x) override;
};

/// Rows of a table (vocab_size, embedding_size) by number: x is Int32 or Int64 of any shape.
class Embedding final : public Cell {
 public:
    Embedding(std::int64_t vocab_size, std::int64_t embedding_size);
    Tensor construct(const Tensor& x) override;

 private:
    std::int64_t embedding_size_;
    Parameter table_;
};

/// An elementwise function as a Cell.
class Activation : public Cell {
 public:
    /// `op` is a row of the op table with one operand.
    Activation(const std::string& kind, const std::string& op);
    Tensor construct(const Tensor& x) override;

 private:
    std::string op_;
};
struct ReLU final : Activation {
    ReLU() : Activation("ReLU", "ReLU") {}
};
struct Sigmoid final : Activation {
    Sigmoid() : Activation("Sigmoid", "Sigmoid") {}
};
struct Tanh final : Activation {
    Tanh() : Activation("Tanh", "Tanh") {}
};
struct SiLU final : Activation {
    SiLU() : Activation("SiLU", "SiLU") {}
};
/// x times the probability that a normal value is below it; `approximate`: by tanh, as in Python.
class GELU final : public Cell {
 public:
    explicit GELU(bool approximate = true) : Cell("GELU"), approximate_(approximate) {}
    Tensor construct(const Tensor& x) override;

 private:
    bool approximate_;
};
class Softmax final : public Cell {
 public:
    explicit Softmax(std::int64_t axis = -1) : Cell("Softmax"), axis_(axis) {}
    Tensor construct(const Tensor& x) override;

 private:
    std::int64_t axis_;
};

/// Cells one after another, named by their number. It owns them.
class SequentialCell final : public Cell {
 public:
    explicit SequentialCell(std::vector<std::unique_ptr<Cell>> cells = {});
    /// sequential.append<Dense>(784, 10): makes a Cell at the end.
    template <class T, class... A>
    T& append(A&&... arguments) {
        auto cell = std::make_unique<T>(std::forward<A>(arguments)...);
        T& made = *cell;
        append(std::move(cell));
        return made;
    }
    void append(std::unique_ptr<Cell> cell);
    Tensor construct(const Tensor& x) override;

 private:
    std::vector<std::unique_ptr<Cell>> owned_;
};

}  // namespace fusescope::nn
