#include "engine/codegen/emitter.hpp"

#include <llvm/IR/Intrinsics.h>

#include <cstring>

#include "engine/cpu/reduce.hpp"
#include "engine/expr/vector_math.hpp"

namespace fusescope::codegen {

using expr::Ins;
using expr::Kind;
using llvm::FixedVectorType;
using llvm::Value;

namespace {
bool is_floating(Kind k) { return k == Kind::f32 || k == Kind::f64; }
bool is_signed(Kind k) { return k == Kind::i8 || k == Kind::i16 || k == Kind::i32 || k == Kind::i64; }
}  // namespace

llvm::Type* Emitter::element_type(Kind kind) {
    switch (kind) {
        case Kind::mask:
            return b_.getInt1Ty();
        case Kind::i8:
        case Kind::u8:
            return b_.getInt8Ty();
        case Kind::i16:
            return b_.getInt16Ty();
        case Kind::i32:
            return b_.getInt32Ty();
        case Kind::i64:
            return b_.getInt64Ty();
        case Kind::f32:
            return b_.getFloatTy();
        case Kind::f64:
            return b_.getDoubleTy();
    }
    __builtin_unreachable();
}

llvm::Type* Emitter::vector_type(Kind kind) { return FixedVectorType::get(element_type(kind), kLanes); }

llvm::Type* Emitter::storage_type(DType dtype) {
    if (dtype == DType::Float16) return b_.getHalfTy();
    if (dtype == DType::BFloat16) return b_.getInt16Ty();
    return element_type(expr::kind_of(dtype));
}

Value* Emitter::splat(llvm::Constant* c) {
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(kLanes), c);
}

namespace {
// BFloat16 is the upper half of a float's bits.
Value* widen_bfloat(llvm::IRBuilder<>& b, Value* bits) {
    auto* ints = FixedVectorType::get(b.getInt32Ty(), kLanes);
    Value* wide = b.CreateShl(b.CreateZExt(bits, ints), 16);
    return b.CreateBitCast(wide, FixedVectorType::get(b.getFloatTy(), kLanes));
}

// To nearest even, NaN stays NaN: engine/core/half.hpp's rule.
Value* narrow_bfloat(llvm::IRBuilder<>& b, Value* x) {
    auto* ints = FixedVectorType::get(b.getInt32Ty(), kLanes);
    auto constant = [&](std::uint32_t v) { return llvm::ConstantInt::get(ints, v); };
    Value* u = b.CreateBitCast(x, ints);
    Value* nan = b.CreateICmpUGT(b.CreateAnd(u, constant(0x7fffffffu)), constant(0x7f800000u));
    Value* odd = b.CreateAnd(b.CreateLShr(u, 16), constant(1));
    Value* rounded = b.CreateLShr(b.CreateAdd(b.CreateAdd(u, constant(0x7fff)), odd), 16);
    Value* quiet = b.CreateOr(b.CreateLShr(u, 16), constant(0x40));
    return b.CreateTrunc(b.CreateSelect(nan, quiet, rounded), FixedVectorType::get(b.getInt16Ty(), kLanes));
}
}  // namespace

Value* Emitter::load(DType dtype, Value* address, Value* mask, unsigned align) {
    auto* type = FixedVectorType::get(storage_type(dtype), kLanes);
    Value* v;
    if (mask) {
        // Unused lanes are ones, so that a division in them raises nothing.
        llvm::Constant* one = storage_type(dtype)->isIntegerTy()
                                  ? static_cast<llvm::Constant*>(llvm::ConstantInt::get(storage_type(dtype), 1))
                                  : llvm::ConstantFP::get(storage_type(dtype), 1.0);
        v = b_.CreateMaskedLoad(type, address, llvm::Align(align), mask, splat(one));
    } else {
        v = b_.CreateAlignedLoad(type, address, llvm::Align(align));
    }
    if (dtype == DType::Float16) return b_.CreateFPExt(v, vector_type(Kind::f32));
    if (dtype == DType::BFloat16) return widen_bfloat(b_, v);
    return v;
}

Value* Emitter::load_splat(DType dtype, Value* address) {
    Value* one = b_.CreateLoad(storage_type(dtype), address);
    Value* v = b_.CreateVectorSplat(kLanes, one);
    if (dtype == DType::Float16) return b_.CreateFPExt(v, vector_type(Kind::f32));
    if (dtype == DType::BFloat16) return widen_bfloat(b_, v);
    return v;
}

void Emitter::store(DType dtype, Value* value, Value* address, Value* mask, unsigned align, bool streams) {
    if (dtype == DType::Float16) value = b_.CreateFPTrunc(value, FixedVectorType::get(b_.getHalfTy(), kLanes));
    if (dtype == DType::BFloat16) value = narrow_bfloat(b_, value);
    if (mask) {
        b_.CreateMaskedStore(value, address, llvm::Align(align), mask);
        return;
    }
    auto* s = b_.CreateAlignedStore(value, address, llvm::Align(align));
    if (streams) {
        auto& context = module_.getContext();
        auto* one = llvm::ConstantAsMetadata::get(b_.getInt32(1));
        s->setMetadata(llvm::LLVMContext::MD_nontemporal, llvm::MDNode::get(context, one));
    }
}

Value* Emitter::round_to(DType dtype, Value* value) {
    if (dtype == DType::Float16) {
        Value* half = b_.CreateFPTrunc(value, FixedVectorType::get(b_.getHalfTy(), kLanes));
        return b_.CreateFPExt(half, vector_type(Kind::f32));
    }
    if (dtype == DType::BFloat16) return widen_bfloat(b_, narrow_bfloat(b_, value));
    return value;
}

Value* Emitter::largest(Value* so_far, Value* value) {
    const unsigned width = value->getType()->getScalarSizeInBits();
    auto* bits = FixedVectorType::get(b_.getIntNTy(width), kLanes);
    const llvm::APInt sign = llvm::APInt::getSignedMaxValue(width);
    Value* magnitude = b_.CreateAnd(b_.CreateBitCast(value, bits), llvm::ConstantInt::get(bits, sign));
    return so_far ? b_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, so_far, magnitude) : magnitude;
}

llvm::Constant* Emitter::infinity_bits(Value* largest) {
    auto* bits = llvm::cast<FixedVectorType>(largest->getType());
    const auto& form = bits->getScalarSizeInBits() == 64 ? llvm::APFloat::IEEEdouble() : llvm::APFloat::IEEEsingle();
    return llvm::ConstantInt::get(bits, llvm::APFloat::getInf(form).bitcastToAPInt());
}

Value* Emitter::tells_inf(Value* largest) {
    return b_.CreateOrReduce(b_.CreateICmpEQ(largest, infinity_bits(largest)));
}

Value* Emitter::tells_nan(Value* largest) {
    return b_.CreateOrReduce(b_.CreateICmpUGT(largest, infinity_bits(largest)));
}

Value* Emitter::constant(DType dtype, const void* bytes) {
    auto bits = [&](auto zero) {
        std::memcpy(&zero, bytes, sizeof zero);
        return zero;
    };
    switch (dtype) {
        case DType::Float32:
            return splat(llvm::ConstantFP::get(module_.getContext(), llvm::APFloat(bits(0.0f))));
        case DType::Float64:
            return splat(llvm::ConstantFP::get(module_.getContext(), llvm::APFloat(bits(0.0))));
        case DType::Float16: {
            const llvm::APFloat half(llvm::APFloat::IEEEhalf(), llvm::APInt(16, bits(std::uint16_t{})));
            Value* v = splat(llvm::ConstantFP::get(module_.getContext(), half));
            return b_.CreateFPExt(v, vector_type(Kind::f32));
        }
        case DType::BFloat16:
            return widen_bfloat(b_, splat(b_.getInt16(bits(std::uint16_t{}))));
        case DType::Int16:
            return splat(b_.getInt16(static_cast<std::uint16_t>(bits(std::int16_t{}))));
        case DType::Int32:
            return splat(b_.getInt32(static_cast<std::uint32_t>(bits(std::int32_t{}))));
        case DType::Int64:
            return splat(b_.getInt64(static_cast<std::uint64_t>(bits(std::int64_t{}))));
        case DType::Bool:
        case DType::Int8:
        case DType::UInt8:
            return splat(b_.getInt8(bits(std::uint8_t{})));
    }
    __builtin_unreachable();
}

Value* Emitter::run(const expr::Program& program, const std::vector<Value*>& operands, DType result) {
    std::vector<Value*> r;
    for (const expr::Step& s : program.steps) {
        if (s.ins == Ins::input) {
            r.push_back(operands[static_cast<std::size_t>(s.imm_int)]);
        } else {
            r.push_back(step(program, s, r));
        }
    }
    Value* v = r[static_cast<std::size_t>(program.outputs[0])];
    if (result == DType::Bool && v->getType() == vector_type(Kind::mask)) v = b_.CreateZExt(v, vector_type(Kind::u8));
    return round_to(result, v);
}

Value* Emitter::intrinsic(unsigned id, Value* a) {
    return b_.CreateUnaryIntrinsic(static_cast<llvm::Intrinsic::ID>(id), a);
}

Value* Emitter::step(const expr::Program& program, const expr::Step& s, const std::vector<Value*>& r) {
    auto reg = [&](std::int16_t k) { return k < 0 ? nullptr : r[static_cast<std::size_t>(k)]; };
    Value* a = reg(s.a);
    Value* b = reg(s.b);
    const bool floating = is_floating(s.type);
    // Comparisons give masks and conversions another kind; what they read is known from the operand's step.
    const Kind operand = s.a < 0 ? s.type : program.steps[static_cast<std::size_t>(s.a)].type;
    const bool compares_floats = is_floating(operand);
    switch (s.ins) {
        case Ins::input:
            return nullptr;
        case Ins::constant:
            if (s.type == Kind::f32) return splat(llvm::ConstantFP::get(b_.getFloatTy(), s.imm));
            if (s.type == Kind::f64) return splat(llvm::ConstantFP::get(b_.getDoubleTy(), s.imm));
            return splat(llvm::ConstantInt::get(element_type(s.type), static_cast<std::uint64_t>(s.imm_int)));
        case Ins::add:
            return floating ? b_.CreateFAdd(a, b) : b_.CreateAdd(a, b);
        case Ins::sub:
            return floating ? b_.CreateFSub(a, b) : b_.CreateSub(a, b);
        case Ins::mul:
            return floating ? b_.CreateFMul(a, b) : b_.CreateMul(a, b);
        case Ins::div:
            return b_.CreateFDiv(a, b);
        case Ins::neg:
            return floating ? b_.CreateFNeg(a) : b_.CreateNeg(a);
        case Ins::abs:
            if (floating) return intrinsic(llvm::Intrinsic::fabs, a);
            if (!is_signed(s.type)) return a;
            return b_.CreateSelect(b_.CreateICmpSLT(a, llvm::Constant::getNullValue(a->getType())), b_.CreateNeg(a), a);
        case Ins::sqrt:
            return intrinsic(llvm::Intrinsic::sqrt, a);
        case Ins::floor:
            return intrinsic(llvm::Intrinsic::floor, a);
        case Ins::ceil:
            return intrinsic(llvm::Intrinsic::ceil, a);
        case Ins::trunc:
            return intrinsic(llvm::Intrinsic::trunc, a);
        case Ins::rint:
            return intrinsic(llvm::Intrinsic::rint, a);
        case Ins::bit_and:
            return b_.CreateAnd(a, b);
        case Ins::bit_or:
            return b_.CreateOr(a, b);
        case Ins::bit_xor:
            return b_.CreateXor(a, b);
        case Ins::bit_not:
            return b_.CreateNot(a);
        case Ins::shift_left:
        case Ins::shift_right:
            return shift(s, a, b);
        case Ins::floor_div:
        case Ins::floor_mod:
            return integer_division(s, a, b);
        case Ins::less:
            return compares_floats      ? b_.CreateFCmpOLT(a, b)
                   : is_signed(operand) ? b_.CreateICmpSLT(a, b)
                                        : b_.CreateICmpULT(a, b);
        case Ins::less_equal:
            return compares_floats      ? b_.CreateFCmpOLE(a, b)
                   : is_signed(operand) ? b_.CreateICmpSLE(a, b)
                                        : b_.CreateICmpULE(a, b);
        case Ins::equal:
            return compares_floats ? b_.CreateFCmpOEQ(a, b) : b_.CreateICmpEQ(a, b);
        case Ins::select:
            return b_.CreateSelect(a, b, reg(s.c));
        case Ins::convert:
            return convert(a, operand, s.type);
        case Ins::round_half:
            return round_to(DType::Float16, a);
        case Ins::round_bfloat:
            return round_to(DType::BFloat16, a);
        default:
            return math(s, a, b);
    }
}

Value* Emitter::math(const expr::Step& s, Value* a, Value* b) {
    void* address = nullptr;
    const char* name = expr::vector_math::vector_math_symbol(s.ins, s.type, &address);
    llvm::Type* element = element_type(s.type);
    const bool scalar = s.ins == Ins::fmod_;
    const int width =
        scalar ? 1 : expr::vector_math::kSymbolBytes / static_cast<int>(element->getPrimitiveSizeInBits() / 8);
    llvm::Type* piece =
        scalar ? element : static_cast<llvm::Type*>(FixedVectorType::get(element, static_cast<unsigned>(width)));
    std::vector<llvm::Type*> params(b ? 2 : 1, piece);
    llvm::FunctionCallee callee = module_.getOrInsertFunction(name, llvm::FunctionType::get(piece, params, false));
    auto part = [&](Value* v, int from) -> Value* {
        if (scalar) return b_.CreateExtractElement(v, static_cast<std::uint64_t>(from));
        if (width == kLanes) return v;
        std::vector<int> picks;
        for (int k = 0; k < width; ++k) picks.push_back(from + k);
        return b_.CreateShuffleVector(v, picks);
    };
    std::vector<Value*> parts;
    for (int from = 0; from < kLanes; from += width) {
        std::vector<Value*> args{part(a, from)};
        if (b) args.push_back(part(b, from));
        parts.push_back(b_.CreateCall(callee, args));
    }
    if (scalar) {
        Value* v = llvm::PoisonValue::get(vector_type(s.type));
        for (int k = 0; k < kLanes; ++k)
            v = b_.CreateInsertElement(v, parts[static_cast<std::size_t>(k)], static_cast<std::uint64_t>(k));
        return v;
    }
    while (parts.size() > 1) {
        std::vector<Value*> joined;
        for (std::size_t k = 0; k + 1 < parts.size(); k += 2) {
            const int n = static_cast<int>(llvm::cast<FixedVectorType>(parts[k]->getType())->getNumElements());
            std::vector<int> picks;
            for (int i = 0; i < 2 * n; ++i) picks.push_back(i);
            joined.push_back(b_.CreateShuffleVector(parts[k], parts[k + 1], picks));
        }
        parts = joined;
    }
    return parts[0];
}

Value* Emitter::convert(Value* a, Kind from, Kind to) {
    llvm::Type* type = vector_type(to);
    const bool mask = a->getType() == vector_type(Kind::mask);
    const bool from_float = a->getType()->isFPOrFPVectorTy();
    if (is_floating(to)) {
        if (mask) return b_.CreateUIToFP(a, type);
        if (from_float) {
            if (a->getType() == type) return a;
            return to == Kind::f64 ? b_.CreateFPExt(a, type) : b_.CreateFPTrunc(a, type);
        }
        return from == Kind::u8 ? b_.CreateUIToFP(a, type) : b_.CreateSIToFP(a, type);
    }
    if (from_float) {
        // Saturates, and makes NaN 0.
        const auto id = to == Kind::u8 ? llvm::Intrinsic::fptoui_sat : llvm::Intrinsic::fptosi_sat;
        return b_.CreateIntrinsic(id, {type, a->getType()}, {a});
    }
    const unsigned have = a->getType()->getScalarSizeInBits();
    const unsigned want = type->getScalarSizeInBits();
    if (have == want) return a;
    if (have > want) return b_.CreateTrunc(a, type);
    return mask || from == Kind::u8 ? b_.CreateZExt(a, type) : b_.CreateSExt(a, type);
}

// As floor_div_scalar and floor_mod_scalar of lanes.hpp: by zero gives 0, the lowest value by -1 wraps.
Value* Emitter::integer_division(const expr::Step& s, Value* a, Value* b) {
    llvm::Type* type = a->getType();
    Value* zero = llvm::Constant::getNullValue(type);
    Value* one = llvm::ConstantInt::get(type, 1);
    Value* by_zero = b_.CreateICmpEQ(b, zero);
    if (!is_signed(s.type)) {
        Value* safe = b_.CreateSelect(by_zero, one, b);
        Value* v = s.ins == Ins::floor_div ? b_.CreateUDiv(a, safe) : b_.CreateURem(a, safe);
        return b_.CreateSelect(by_zero, zero, v);
    }
    Value* minus = b_.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(type));
    Value* safe = b_.CreateSelect(b_.CreateOr(by_zero, minus), one, b);
    Value* remainder = b_.CreateSRem(a, safe);
    Value* uneven = b_.CreateICmpNE(remainder, zero);
    if (s.ins == Ins::floor_mod) {
        Value* other_sign = b_.CreateXor(b_.CreateICmpSLT(remainder, zero), b_.CreateICmpSLT(safe, zero));
        Value* v = b_.CreateSelect(b_.CreateAnd(uneven, other_sign), b_.CreateAdd(remainder, safe), remainder);
        return b_.CreateSelect(b_.CreateOr(by_zero, minus), zero, v);
    }
    Value* quotient = b_.CreateSDiv(a, safe);
    Value* other_sign = b_.CreateXor(b_.CreateICmpSLT(a, zero), b_.CreateICmpSLT(safe, zero));
    Value* v = b_.CreateSelect(b_.CreateAnd(uneven, other_sign), b_.CreateSub(quotient, one), quotient);
    v = b_.CreateSelect(minus, b_.CreateNeg(a), v);
    return b_.CreateSelect(by_zero, zero, v);
}

Value* Emitter::shift(const expr::Step& s, Value* a, Value* n) {
    llvm::Type* type = a->getType();
    const unsigned bits = type->getScalarSizeInBits();
    // A negative count is a huge unsigned one.
    Value* inside = b_.CreateICmpULT(n, llvm::ConstantInt::get(type, bits));
    Value* safe = b_.CreateSelect(inside, n, llvm::Constant::getNullValue(type));
    Value* zero = llvm::Constant::getNullValue(type);
    if (s.ins == Ins::shift_left) return b_.CreateSelect(inside, b_.CreateShl(a, safe), zero);
    if (!is_signed(s.type)) return b_.CreateSelect(inside, b_.CreateLShr(a, safe), zero);
    return b_.CreateSelect(inside, b_.CreateAShr(a, safe), b_.CreateAShr(a, llvm::ConstantInt::get(type, bits - 1)));
}

Value* Emitter::combine(int fold, Value* a, Value* b) {
    switch (static_cast<cpu::Fold>(fold)) {
        case cpu::Fold::sum:
        case cpu::Fold::mean:
            return b_.CreateFAdd(a, b);
        case cpu::Fold::prod:
            return b_.CreateFMul(a, b);
        case cpu::Fold::max:
            return b_.CreateSelect(b_.CreateOr(b_.CreateFCmpOGT(a, b), b_.CreateFCmpUNO(a, a)), a, b);
        case cpu::Fold::min:
            return b_.CreateSelect(b_.CreateOr(b_.CreateFCmpOLT(a, b), b_.CreateFCmpUNO(a, a)), a, b);
    }
    __builtin_unreachable();
}

}  // namespace fusescope::codegen
