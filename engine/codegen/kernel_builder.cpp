#include "engine/codegen/kernel_builder.hpp"

#include <llvm/IR/Verifier.h>

#include <functional>
#include <limits>

#include "engine/codegen/emitter.hpp"
#include "engine/core/tensor_impl.hpp"

namespace fusescope::codegen {
namespace {

using llvm::BasicBlock;
using llvm::Value;

class KernelBuilder {
 public:
    KernelBuilder(llvm::Module& module, const Schedule& s, llvm::Function* function)
        : module_(module), s_(s), f_(function), b_(module.getContext()), e_(module, b_) {}

    void build() {
        b_.SetInsertPoint(BasicBlock::Create(module_.getContext(), "entry", f_));
        begin_ = f_->getArg(2);
        end_ = f_->getArg(3);
        for (const Load& l : s_.loads) in_.push_back(pointer(f_->getArg(0), l.input));
        for (const auto& [step, store] : s_.stores) out_.push_back(pointer(f_->getArg(1), store.output));
        for (const auto& [step, r] : s_.reductions) red_.push_back(pointer(f_->getArg(1), r.output));
        // Generated code streams past the caches what is too large to be found there again.
        streams_ = s_.count * 4 >= (std::int64_t{16} << 20);
        splats_.resize(s_.loads.size());
        at_ = in_;
        out_at_ = out_;
        // What is stored is looked at while it is in registers: doing so later would read it all again.
        for (const auto& [step, store] : s_.stores) look_at(step, store.dtype, 6, store.output);
        for (std::size_t k = 0; k < s_.body.size(); ++k) {
            if (s_.body[k].what != BodyStep::What::load) continue;
            const Load& l = s_.loads[s_.body[k].load];
            if (s_.element_by_element(l)) look_at(static_cast<std::uint32_t>(k), l.dtype, 5, l.input);
        }
        if (s_.flat) {
            build_flat();
        } else {
            build_rows();
        }
        for (std::size_t k = 0; k < looks_.size(); ++k) {
            Value* largest = carried_[k].value;
            if_then(e_.tells_inf(largest), [&] { tell(looks_[k], kBadInf); });
            if_then(e_.tells_nan(largest), [&] { tell(looks_[k], kBadNan); });
        }
        b_.CreateRetVoid();
    }

 private:
    struct Look {
        std::uint32_t step;  ///< of the body
        unsigned argument;   ///< where its bits go
        std::uint32_t at;
    };

    void look_at(std::uint32_t step, DType dtype, unsigned argument, std::uint32_t at) {
        if (!is_float(dtype)) return;
        looks_.push_back({step, argument, at});
        auto* bits = llvm::FixedVectorType::get(b_.getIntNTy(dtype == DType::Float64 ? 64 : 32), kLanes);
        carried_.push_back({llvm::Constant::getNullValue(bits), nullptr});
    }

    void tell(const Look& look, std::uint8_t what) {
        Value* at = b_.CreateConstGEP1_64(b_.getInt8Ty(), f_->getArg(look.argument), look.at);
        // Threads that work on the same tensor may all come here.
        b_.CreateAtomicRMW(llvm::AtomicRMWInst::Or, at, b_.getInt8(what), llvm::Align(1),
                           llvm::AtomicOrdering::Monotonic);
    }

    Value* i64(std::int64_t v) { return b_.getInt64(static_cast<std::uint64_t>(v)); }
    Value* pointer(Value* array, std::uint32_t i) {
        return b_.CreateLoad(b_.getPtrTy(), b_.CreateConstGEP1_64(b_.getPtrTy(), array, i));
    }
    Value* element(DType dtype, Value* base, Value* index) { return b_.CreateGEP(e_.storage_type(dtype), base, index); }

    // for (i = from; i < to; i += step) body(i); from and to are multiples of step apart, or the body looks at `to`.
    void loop(Value* from, Value* to, std::int64_t step, const std::function<void(Value*)>& body) {
        BasicBlock* before = b_.GetInsertBlock();
        BasicBlock* head = BasicBlock::Create(module_.getContext(), "head", f_);
        BasicBlock* inside = BasicBlock::Create(module_.getContext(), "body", f_);
        BasicBlock* after = BasicBlock::Create(module_.getContext(), "after", f_);
        b_.CreateBr(head);
        b_.SetInsertPoint(head);
        llvm::PHINode* i = b_.CreatePHI(b_.getInt64Ty(), 2);
        i->addIncoming(from, before);
        // What is accumulated is carried round the loop.
        for (Carried& c : carried_) {
            c.phi = b_.CreatePHI(c.value->getType(), 2);
            c.phi->addIncoming(c.value, before);
            c.value = c.phi;
        }
        std::vector<llvm::PHINode*> phis;
        for (Carried& c : carried_) phis.push_back(c.phi);
        b_.CreateCondBr(b_.CreateICmpSLT(i, to), inside, after);
        b_.SetInsertPoint(inside);
        body(i);
        i->addIncoming(b_.CreateAdd(i, i64(step)), b_.GetInsertBlock());
        for (std::size_t k = 0; k < carried_.size(); ++k) {
            phis[k]->addIncoming(carried_[k].value, b_.GetInsertBlock());
            carried_[k].value = phis[k];
        }
        b_.CreateBr(head);
        b_.SetInsertPoint(after);
    }

    Value* lanes_below(Value* rest) {
        std::vector<llvm::Constant*> index;
        for (int k = 0; k < kLanes; ++k) index.push_back(b_.getInt64(static_cast<std::uint64_t>(k)));
        return b_.CreateICmpSLT(llvm::ConstantVector::get(index), b_.CreateVectorSplat(kLanes, rest));
    }

    void load_splats() {
        for (std::size_t l = 0; l < s_.loads.size(); ++l) {
            if (s_.loads[l].strides.back() == 0) splats_[l] = e_.load_splat(s_.loads[l].dtype, at_[l]);
        }
    }

    // The body at elements j … j+7 of the current run; stores, and gives the values to be reduced.
    std::vector<Value*> body_at(Value* j, Value* mask) {
        std::vector<Value*> r;
        for (const BodyStep& step : s_.body) {
            switch (step.what) {
                case BodyStep::What::load: {
                    const Load& l = s_.loads[step.load];
                    r.push_back(splats_[step.load] ? splats_[step.load]
                                                   : e_.load(l.dtype, element(l.dtype, at_[step.load], j), mask,
                                                             static_cast<unsigned>(size_of(l.dtype))));
                    break;
                }
                case BodyStep::What::constant:
                    r.push_back(e_.constant(step.dtype, step.constant.impl()->raw()));
                    break;
                case BodyStep::What::op: {
                    std::vector<DType> types;
                    std::vector<Value*> operands;
                    for (std::uint32_t o : step.operands) {
                        types.push_back(s_.body[o].dtype);
                        operands.push_back(r[o]);
                    }
                    r.push_back(e_.run(step.node->op->element(types, step.node->attrs), operands, step.dtype));
                    break;
                }
            }
        }
        for (std::size_t k = 0; k < s_.stores.size(); ++k) {
            const auto& [step, store] = s_.stores[k];
            const auto size = static_cast<unsigned>(size_of(store.dtype));
            // Results start at 64 bytes, and a flat unit at a multiple of that; a row may start anywhere.
            const unsigned align = s_.flat ? std::min(64u, size * kLanes) : size;
            e_.store(store.dtype, r[step], element(store.dtype, out_at_[k], j), mask, align,
                     streams_ && s_.flat && size >= 4);
        }
        for (std::size_t k = 0; k < looks_.size(); ++k) {
            Carried& c = carried_[k];
            Value* largest = e_.largest(c.value, r[looks_[k].step]);
            c.value = mask ? b_.CreateSelect(mask, largest, c.value) : largest;
        }
        std::vector<Value*> reduced;
        for (const auto& [step, red] : s_.reductions) reduced.push_back(r[step]);
        return reduced;
    }

    // Runs elements [from, to) of the current run in steps of kLanes.
    void run_elements(Value* from, Value* to) {
        Value* whole = b_.CreateAdd(from, b_.CreateAnd(b_.CreateSub(to, from), i64(~std::int64_t{kLanes - 1})));
        loop(from, whole, kLanes, [&](Value* i) { body_at(i, nullptr); });
        if_then(b_.CreateICmpSLT(whole, to), [&] { body_at(whole, lanes_below(b_.CreateSub(to, whole))); });
    }

    void if_then(Value* condition, const std::function<void()>& then) {
        BasicBlock* yes = BasicBlock::Create(module_.getContext(), "then", f_);
        BasicBlock* after = BasicBlock::Create(module_.getContext(), "endif", f_);
        BasicBlock* before = b_.GetInsertBlock();
        b_.CreateCondBr(condition, yes, after);
        std::vector<Value*> old;
        for (const Carried& c : carried_) old.push_back(c.value);
        b_.SetInsertPoint(yes);
        then();
        BasicBlock* from = b_.GetInsertBlock();
        b_.CreateBr(after);
        b_.SetInsertPoint(after);
        for (std::size_t k = 0; k < carried_.size(); ++k) {
            llvm::PHINode* phi = b_.CreatePHI(old[k]->getType(), 2);
            phi->addIncoming(old[k], before);
            phi->addIncoming(carried_[k].value, from);
            carried_[k].value = phi;
        }
    }

    void build_flat() {
        load_splats();
        Value* from = b_.CreateMul(begin_, i64(kFlatUnit));
        Value* to = b_.CreateMul(end_, i64(kFlatUnit));
        // The number of elements comes in scratch, so that one function serves all sizes.
        Value* count = b_.CreateLoad(b_.getInt64Ty(), f_->getArg(4));
        to = b_.CreateSelect(b_.CreateICmpSLT(to, count), to, count);
        run_elements(from, to);
    }

    void build_rows() {
        const std::int64_t inner = s_.inner();
        const std::int64_t blocks = blocks_per_row(s_);
        loop(begin_, end_, 1, [&](Value* unit) {
            Value* row = blocks == 1 ? unit : b_.CreateUDiv(unit, i64(blocks));
            Value* rest = row;
            std::vector<Value*> offset(s_.loads.size(), i64(0));
            for (std::size_t k = s_.extents.size() - 1; k-- > 0;) {
                Value* at = b_.CreateURem(rest, i64(s_.extents[k]));
                rest = b_.CreateUDiv(rest, i64(s_.extents[k]));
                for (std::size_t l = 0; l < s_.loads.size(); ++l) {
                    if (const std::int64_t stride = s_.loads[l].strides[k]) {
                        offset[l] = b_.CreateAdd(offset[l], b_.CreateMul(at, i64(stride)));
                    }
                }
            }
            for (std::size_t l = 0; l < s_.loads.size(); ++l) at_[l] = element(s_.loads[l].dtype, in_[l], offset[l]);
            Value* start = b_.CreateMul(row, i64(inner));
            for (std::size_t k = 0; k < s_.stores.size(); ++k) {
                out_at_[k] = element(s_.stores[k].second.dtype, out_[k], start);
            }
            load_splats();
            if (s_.reductions.empty()) {
                run_elements(i64(0), i64(inner));
            } else {
                Value* block = blocks == 1 ? i64(0) : b_.CreateURem(unit, i64(blocks));
                Value* from = b_.CreateMul(block, i64(cpu::kRowBlock));
                Value* to = b_.CreateAdd(from, i64(cpu::kRowBlock));
                to = b_.CreateSelect(b_.CreateICmpSLT(to, i64(inner)), to, i64(inner));
                reduce_run(from, blocks == 1 ? i64(inner) : to, row, unit, blocks);
            }
        });
    }

    llvm::Type* accumulator(DType d) { return d == DType::Float64 ? b_.getDoubleTy() : b_.getFloatTy(); }

    // engine/cpu/reduce.hpp's order: 32 partial results as 4 vectors of 8.
    void reduce_run(Value* from, Value* to, Value* row, Value* unit, std::int64_t blocks) {
        const std::size_t first = looks_.size();  // of their accumulators
        for (const auto& [step, r] : s_.reductions) {
            const double inf = std::numeric_limits<double>::infinity();
            const double start = r.fold == cpu::Fold::max ? -inf : r.fold == cpu::Fold::min ? inf : 0.0;
            llvm::Constant* c = llvm::ConstantFP::get(accumulator(r.dtype), start);
            for (int g = 0; g < 4; ++g) {
                carried_.push_back({llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(kLanes), c), nullptr});
            }
        }
        auto add = [&](int group, const std::vector<Value*>& values, Value* mask) {
            for (std::size_t k = 0; k < values.size(); ++k) {
                Carried& c = carried_[first + k * 4 + static_cast<std::size_t>(group)];
                Value* sum = e_.combine(static_cast<int>(s_.reductions[k].second.fold), c.value, values[k]);
                c.value = mask ? b_.CreateSelect(mask, sum, c.value) : sum;
            }
        };
        Value* whole = b_.CreateAdd(from, b_.CreateAnd(b_.CreateSub(to, from), i64(~std::int64_t{31})));
        loop(from, whole, 32, [&](Value* i) {
            for (int g = 0; g < 4; ++g) add(g, body_at(b_.CreateAdd(i, i64(8 * g)), nullptr), nullptr);
        });
        if_then(b_.CreateICmpSLT(whole, to), [&] {
            for (int g = 0; g < 4; ++g) {
                Value* j = b_.CreateAdd(whole, i64(8 * g));
                Value* mask = lanes_below(b_.CreateSub(to, j));
                add(g, body_at(j, mask), mask);
            }
        });
        for (std::size_t k = 0; k < s_.reductions.size(); ++k) {
            const Reduction& r = s_.reductions[k].second;
            const int fold = static_cast<int>(r.fold);
            const Carried* group = &carried_[first + 4 * k];
            Value* v = e_.combine(fold, e_.combine(fold, group[0].value, group[1].value),
                                  e_.combine(fold, group[2].value, group[3].value));
            for (int half = 4; half > 0; half /= 2) {
                std::vector<int> low, high;
                for (int l = 0; l < half; ++l) {
                    low.push_back(l);
                    high.push_back(l + half);
                }
                v = e_.combine(fold, b_.CreateShuffleVector(v, low), b_.CreateShuffleVector(v, high));
            }
            Value* result = b_.CreateExtractElement(v, std::uint64_t{0});
            if (blocks > 1) {
                const std::int64_t units = units_of(s_);
                Value* at = b_.CreateAdd(unit, i64(static_cast<std::int64_t>(k) * units));
                // Scratch holds doubles; a float goes through one unchanged.
                b_.CreateStore(b_.CreateFPExt(result, b_.getDoubleTy()),
                               b_.CreateGEP(b_.getDoubleTy(), f_->getArg(4), at));
                continue;
            }
            if (r.fold == cpu::Fold::mean) {
                result =
                    b_.CreateFDiv(result, llvm::ConstantFP::get(accumulator(r.dtype), static_cast<double>(s_.inner())));
            }
            Value* wide = b_.CreateVectorSplat(kLanes, result);
            Value* first = lanes_below(i64(1));
            e_.store(r.dtype, wide, element(r.dtype, red_[k], row), first, static_cast<unsigned>(size_of(r.dtype)),
                     false);
        }
        carried_.resize(first);
    }

    struct Carried {
        Value* value;
        llvm::PHINode* phi;
    };

    llvm::Module& module_;
    const Schedule& s_;
    llvm::Function* f_;
    llvm::IRBuilder<> b_;
    Emitter e_;
    Value *begin_ = nullptr, *end_ = nullptr;
    std::vector<Value*> in_, out_, red_;  // of the whole tensors
    std::vector<Value*> at_, out_at_;     // of the current row
    std::vector<Value*> splats_;
    std::vector<Carried> carried_;  // first one for each look, then those of reductions
    std::vector<Look> looks_;
    bool streams_ = false;
};

}  // namespace

void build_kernel(llvm::Module& module, const Schedule& schedule, const std::string& name, const std::string& cpu,
                  const std::string& features) {
    llvm::LLVMContext& c = module.getContext();
    llvm::Type* pointer = llvm::PointerType::getUnqual(c);
    llvm::Type* i64 = llvm::Type::getInt64Ty(c);
    auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(c),
                                         {pointer, pointer, i64, i64, pointer, pointer, pointer}, false);
    auto* f = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
    f->addFnAttr("target-cpu", cpu);
    f->addFnAttr("target-features", features);
    f->addFnAttr(llvm::Attribute::NoUnwind);
    KernelBuilder(module, schedule, f).build();
}

}  // namespace fusescope::codegen
