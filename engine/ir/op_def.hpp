// One row of the op table: everything the engine knows about an op.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/expr/program.hpp"
#include "engine/ir/attribute.hpp"
#include "fusescope/tensor.hpp"

namespace fusescope {

struct OpDef;

/// Position in the op table; generated constants are in "engine/ops/op_ids.hpp" (namespace op).
enum class OpId : std::uint16_t {};

/// Which element types an operand takes.
enum class Accept : std::uint8_t {
    any,
    number,
    floating,
    integer,
    integer_or_bool,
    boolean,
    index /* Int32 or Int64 */
};

enum class OperandKind : std::uint8_t {
    tensor,    ///< a tensor, or a number that becomes one (see OpDef::promotes)
    optional,  ///< a tensor or None; absent ones are undefined Tensors
    list,      ///< any number of tensors; only as the last operand
};

struct Operand {
    std::string name;  ///< Python's keyword, "input", "other"
    Accept accept = Accept::any;
    OperandKind kind = OperandKind::tensor;
};

/// Classes of ops are asked of the row, never listed elsewhere.
struct Traits {
    bool commutative = false;
    bool random = false;           ///< draws from the context's generator; keeps its order and is never dropped
    bool effect = false;           ///< acts on the world (Print, Assign): keeps its order and is never dropped
    bool view = false;             ///< only renames extents of the same bytes (Reshape, ExpandDims, Squeeze)
    bool reduction = false;        ///< reduces axes named by its attribute "axis"
    std::uint8_t writes = 0;   ///< the first n operands are Parameters that get outputs 0 … n-1 (Assign, optimizers)
    bool host_value = false;       ///< result extents depend on values (nonzero): breaks a graph
};

/// Given to `infer`. It either fills `outputs` or throws UserError with a structured explanation.
struct InferContext {
    const OpDef& op;
    std::span<const TensorType> inputs;  ///< an absent optional operand has rank 0 and is marked in `present`
    std::span<const bool> present;
    const Attrs& attrs;
    std::vector<TensorType>& outputs;

    void result(DType dtype, Shape shape) { outputs.push_back({dtype, std::move(shape)}); }
};
using InferFn = void (*)(InferContext&);

/// One operand of a kernel: contiguous row-major bytes.
struct KernelTensor {
    void* data = nullptr;  ///< null for an absent optional operand
    const TensorType* type = nullptr;

    template <class T>
    T* as() const noexcept {
        return static_cast<T*>(data);
    }
    DType dtype() const noexcept { return type->dtype; }
    const Shape& shape() const noexcept { return type->shape; }
    std::int64_t count() const noexcept { return type->shape.count(); }
};

/// State of the random generator for one execution of one op: Philox counter mode, so that element i of the n-th
/// random op of a run is the same in every mode and for any number of threads.
struct RandomState {
    std::uint64_t seed = 0;
    std::uint64_t op_number = 0;
};

struct KernelArgs {
    std::span<const KernelTensor> inputs;
    std::span<const KernelTensor> outputs;
    const Attrs& attrs;
    RandomState random;
};
/// Computes outputs from inputs. Outputs are allocated; one may share its bytes with an input of the same size only if
/// OpDef::in_place allows it. Throws UserError for bad values (an index out of range).
using KernelFn = void (*)(const KernelArgs&);

/// Given to `grad`: builds the gradients of the inputs out of ops (engine/ops/lang.hpp), eagerly or in a trace.
struct GradContext {
    const OpDef& op;
    std::span<const Tensor> inputs;
    std::span<const Tensor> outputs;
    std::span<const Tensor> out_grads;  ///< undefined where nothing flows back
    const Attrs& attrs;
    std::span<const bool> needs;  ///< which inputs want a gradient
    std::span<Tensor> in_grads;   ///< to fill; undefined means zero

    bool need(std::size_t i) const { return needs[i]; }
    void set(std::size_t i, Tensor g) { in_grads[i] = std::move(g); }
};
using GradFn = void (*)(GradContext&);

/// Builds the op out of simpler ops; the reference for tests, for passes that expand, and the kernel when there is
/// none.
using DecomposeFn = std::vector<Tensor> (*)(std::span<const Tensor> inputs, const Attrs& attrs);

struct Cost {
    std::uint64_t flops = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t bytes_written = 0;
};
/// Fills flops; bytes default to the sizes of all operands and results and may be corrected.
using CostFn = void (*)(std::span<const TensorType> inputs, std::span<const TensorType> outputs, const Attrs&, Cost&);

/// How the op is called in the vendor's library.
struct AscendInfo {
    std::string aclnn;            ///< "aclnnAdd"; empty: not there, the CPU runs it
    bool numbers_differ = false;  ///< the device's result may differ from the CPU's in more than rounding
};

/// How NaN and Inf are born, for findings. Key of the sentence catalogue: "log_of_zero".
struct Hazard {
    std::string rule;
    bool makes_nan = false;
    bool makes_inf = false;
};

/// Why an op has no gradient.
inline constexpr GradFn kNoGradient = nullptr;

/// What must be said of every op. The parts that cannot be derived are constructor arguments of OpDef.
struct OpSchema {
    std::string name;                  ///< MindSpore primitive, "MatMul"
    std::string functional;            ///< mindspore.ops name, "matmul"; empty: not callable by that way
    std::vector<std::string> aliases;  ///< further names in mindspore.ops
    std::vector<std::string> methods;  ///< names as Tensor methods
    std::string doc;                   ///< one sentence
    std::vector<Operand> operands;
    std::vector<AttrSpec> attributes;
    int outputs = 1;        ///< -1: depends on attributes (Split)
    bool promotes = false;  ///< operands that are not Bool by declaration are cast to one dtype first; numbers take it
    bool ints_become_float = false;  ///< ints and Bool are cast to Float32 after that (Sqrt of an int)
    Traits traits;
};

struct OpDef {
    OpDef(OpSchema schema, InferFn infer, CostFn cost, GradFn grad)
        : schema(std::move(schema)), infer(infer), cost(cost), grad(grad) {}

    OpSchema schema;
    InferFn infer;
    CostFn cost;
    GradFn grad;                ///< kNoGradient: the result does not depend on inputs smoothly
    KernelFn kernel = nullptr;  ///< null: `decompose` is what runs
    DecomposeFn decompose = nullptr;
    /// Elementwise ops: the body as instructions, by operand dtypes after promotion. Empty function: not elementwise.
    std::function<expr::Program(std::span<const DType> inputs, const Attrs& attrs)> element;
    bool in_place = false;  ///< output 0 may be written over an input of equal byte size
    AscendInfo ascend;
    std::vector<Hazard> hazards;
    OpId id{};  ///< set by the table

    bool elementwise() const noexcept { return static_cast<bool>(element); }
    const std::string& name() const noexcept { return schema.name; }
    /// Position of an attribute; -1 when there is none of that name.
    int attribute(std::string_view name) const noexcept;
    /// Attributes with all defaults.
    Attrs defaults() const;

    // For chained definitions in op files.
    OpDef&& with_kernel(KernelFn k) && {
        kernel = k;
        return std::move(*this);
    }
    OpDef&& with_decompose(DecomposeFn d) && {
        decompose = d;
        return std::move(*this);
    }
    OpDef&& with_ascend(std::string aclnn, bool differ = false) && {
        ascend = {std::move(aclnn), differ};
        return std::move(*this);
    }
    OpDef&& with_hazard(std::string rule, bool nan, bool inf) && {
        hazards.push_back({std::move(rule), nan, inf});
        return std::move(*this);
    }
};

/// The table, made once at first use from the files of engine/ops, in order of file names.
class OpTable {
 public:
    static const OpTable& get();
    const OpDef& operator[](OpId id) const { return rows_[static_cast<std::size_t>(id)]; }
    /// By primitive name ("MatMul"); null when unknown.
    const OpDef* find(std::string_view name) const noexcept;
    /// By mindspore.ops name or alias ("matmul").
    const OpDef* find_functional(std::string_view name) const noexcept;
    std::span<const OpDef> rows() const noexcept { return rows_; }

 private:
    OpTable();
    std::vector<OpDef> rows_;
    std::vector<std::pair<std::string, OpId>> by_name_, by_functional_;  // sorted
};

/// Runs or traces one op: the entry that gradients, decompositions, optimizers and the C++ API use.
/// Implemented by engine/exec/dispatch.cpp.
std::vector<Tensor> apply(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs);
/// The same for ops with one result.
Tensor apply1(const OpDef& op, std::span<const Tensor> inputs, const Attrs& attrs);

inline const OpDef& op_row(OpId id) { return OpTable::get()[id]; }

}  // namespace fusescope
