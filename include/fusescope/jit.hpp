// Functions whose calls become graphs: fused, compiled and cached.
#pragma once

#include <memory>
#include <string>

#include "fusescope/function.hpp"

namespace fusescope {

/// Calls of the function are compiled, once for each combination of dtypes and shapes. A later call runs the graph and
/// not the function, so the function must compute with tensors only: its arguments, Parameters (whose present values
/// are used, and which it may update), and tensors that stay the same. A call that looks at a value in the middle
/// (item(), data()) still gives the right result, but it is run by the function each time; the recorder is told of the
/// graph break. What else decides the ops, such as Cell::set_train, is as it was when the graph was compiled. The first
/// call of each recording compiles again, so that the profile has the graph.
///
/// One thread at a time. Inside another graph, and while gradients are noted, the ops join what is going on.
class Jit {
 public:
    /// `name` is the graph's name in profiles.
    explicit Jit(TensorFunction function, std::string name = "jit");
    Jit(Jit&&) noexcept;
    Jit& operator=(Jit&&) noexcept;
    ~Jit();

    Tensors operator()(std::span<const Tensor> arguments);
    Tensors operator()(std::initializer_list<Tensor> arguments) {
        return (*this)(std::span<const Tensor>(arguments.begin(), arguments.size()));
    }

    /// How many graphs are kept.
    std::size_t compiled() const noexcept;

 private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

inline Jit jit(TensorFunction function, std::string name = "jit") { return Jit(std::move(function), std::move(name)); }

}  // namespace fusescope
