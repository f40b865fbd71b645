// Fused nodes to generated kernels.
#include <fmt/format.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>

#include "engine/codegen/jit.hpp"
#include "engine/core/half.hpp"
#include "engine/cpu/parallel.hpp"
#include "engine/exec/fused_kernel.hpp"

namespace fusescope::codegen {
namespace {

struct Part {
    Schedule schedule;
    KernelFunction function = nullptr;
    std::shared_ptr<CompiledBatch> batch;  ///< holds the function
    std::string name;                      ///< of the function in its batch
    std::size_t first_scratch = 0;         ///< of the block results of reduced rows
    std::size_t first_input = 0, first_output = 0;
    std::int64_t units = 0;
};

template <class A>
A fold_blocks(cpu::Fold fold, const double* blocks, std::int64_t n, std::int64_t count) {
    A acc = static_cast<A>(blocks[0]);
    for (std::int64_t i = 1; i < n; ++i) {
        const A b = static_cast<A>(blocks[i]);
        switch (fold) {
            case cpu::Fold::max:
                acc = acc > b || acc != acc ? acc : b;
                break;
            case cpu::Fold::min:
                acc = acc < b || acc != acc ? acc : b;
                break;
            default:
                acc = acc + b;
        }
    }
    return fold == cpu::Fold::mean ? acc / static_cast<A>(count) : acc;
}

class GeneratedKernel final : public exec::FusedKernel {
 public:
    GeneratedKernel(std::vector<Part> parts, int flops) : parts_(std::move(parts)) {
        for (Part& p : parts_) {
            total_ += p.schedule.count;
            if (blocks_per_row(p.schedule) > 1) {
                p.first_scratch = scratch_.size();
                scratch_.resize(scratch_.size() + p.schedule.reductions.size() * static_cast<std::size_t>(p.units));
            }
            for (const auto& [step, store] : p.schedule.stores) out_bad_.looked_at(p.first_output + store.output);
            for (const Load& l : p.schedule.loads) {
                if (p.schedule.element_by_element(l)) in_bad_.looked_at(p.first_input + l.input);
            }
            // Generated code is given addresses in them, also of what it does not look at.
            for (const auto& [step, r] : p.schedule.reductions) out_bad_.reserve(p.first_output + r.output);
            for (const Load& l : p.schedule.loads) in_bad_.reserve(p.first_input + l.input);
        }
        // A second thread pays for itself after some 20 microseconds of work.
        grain_ = (std::int64_t{1} << 15) / std::max(1, flops / 4);
    }

    void run(std::span<void* const> inputs, std::span<void* const> outputs) override {
        in_bad_.clear();
        out_bad_.clear();
        // Work is measured in elements, laid end to end over all parts; a thread takes the units that begin in its
        // share.
        cpu::parallel_for(total_, grain_, 1, [&](std::int64_t from, std::int64_t to) {
            std::int64_t start = 0;
            for (const Part& p : parts_) {
                const std::int64_t n = p.schedule.count;
                const std::int64_t lo = std::max<std::int64_t>(from - start, 0), hi = std::min(to - start, n);
                start += n;
                if (lo >= hi) continue;
                const auto unit_at = [&](std::int64_t e) {
                    return static_cast<std::int64_t>((static_cast<__int128>(e) * p.units + n - 1) / n);
                };
                const std::int64_t begin = unit_at(lo), end = unit_at(hi);
                if (begin >= end) continue;
                std::int64_t count = n;
                void* extra = p.schedule.flat ? static_cast<void*>(&count) : scratch_.data() + p.first_scratch;
                p.function(inputs.data() + p.first_input, outputs.data() + p.first_output, begin, end, extra,
                           in_bad_.found.data() + p.first_input, out_bad_.found.data() + p.first_output);
            }
        });
        for (const Part& p : parts_) {
            if (blocks_per_row(p.schedule) > 1) finish_rows(p, outputs);
        }
    }

    Found found_in_input(std::size_t i) const override { return in_bad_.of(i); }
    Found found_in_output(std::size_t o) const override { return out_bad_.of(o); }

    bool in_place(std::size_t o, std::size_t i) const override {
        for (const Part& p : parts_) {
            const Schedule& s = p.schedule;
            for (const auto& [step, store] : s.stores) {
                if (p.first_output + store.output != o) continue;
                // Every way in which the input is read must be element by element.
                for (const Part& other : parts_) {
                    for (const Load& l : other.schedule.loads) {
                        if (other.first_input + l.input != i) continue;
                        if (&other != &p || size_of(l.dtype) != size_of(store.dtype)) return false;
                        if (!s.element_by_element(l)) return false;
                    }
                }
                return true;
            }
        }
        return false;
    }

    std::function<std::string()> text(const std::string& form) const override {
        if (form != "llvm" && form != "asm") return {};
        std::vector<std::pair<std::shared_ptr<CompiledBatch>, std::string>> functions;
        std::set<KernelFunction> told;  // parts that compute the same share a function
        for (const Part& p : parts_) {
            if (told.insert(p.function).second) functions.emplace_back(p.batch, p.name);
        }
        return [functions = std::move(functions), form] {
            std::string text;
            try {
                for (const auto& [batch, name] : functions)
                    text += (text.empty() ? "" : "\n") + batch->text(name, form);
            } catch (const std::exception&) {
                return std::string();  // the code runs, and only its text is missing
            }
            return text;
        };
    }

 private:
    /// What generated code has found in each input or output of the node.
    struct Bad {
        std::vector<std::uint8_t> found;
        std::vector<bool> looks;

        void reserve(std::size_t k) {
            if (found.size() <= k) {
                found.resize(k + 1);
                looks.resize(k + 1);
            }
        }
        void looked_at(std::size_t k) {
            reserve(k);
            looks[k] = true;
        }
        void clear() { std::fill(found.begin(), found.end(), std::uint8_t{0}); }
        Found of(std::size_t k) const {
            if (k >= found.size() || !looks[k]) return Found::unknown;
            return found[k] & kBadNan ? Found::nan : found[k] & kBadInf ? Found::inf : Found::finite;
        }
    };

    void finish_rows(const Part& p, std::span<void* const> outputs) {
        const std::int64_t blocks = blocks_per_row(p.schedule);
        const std::int64_t inner = p.schedule.inner();
        for (std::size_t k = 0; k < p.schedule.reductions.size(); ++k) {
            const Reduction& r = p.schedule.reductions[k].second;
            void* out = outputs[p.first_output + r.output];
            for (std::int64_t row = 0; row < p.schedule.rows(); ++row) {
                const double* at =
                    scratch_.data() + p.first_scratch + static_cast<std::int64_t>(k) * p.units + row * blocks;
                if (r.dtype == DType::Float64) {
                    static_cast<double*>(out)[row] = fold_blocks<double>(r.fold, at, blocks, inner);
                    continue;
                }
                const float v = fold_blocks<float>(r.fold, at, blocks, inner);
                if (r.dtype == DType::Float32) static_cast<float*>(out)[row] = v;
                if (r.dtype == DType::Float16) static_cast<std::uint16_t*>(out)[row] = float_to_half(v);
                if (r.dtype == DType::BFloat16) static_cast<std::uint16_t*>(out)[row] = float_to_bfloat(v);
            }
        }
    }

    std::vector<Part> parts_;
    std::vector<double> scratch_;
    Bad in_bad_, out_bad_;  ///< of the last run
    std::int64_t total_ = 0;
    std::int64_t grain_ = 1;
};

/// Functions that are alive, by what they compute: graphs with the same bodies share them.
class Cache {
 public:
    static Cache& get() {
        static Cache* cache = new Cache;
        return *cache;
    }
    struct Entry {
        KernelFunction function = nullptr;
        std::weak_ptr<CompiledBatch> batch;
        std::string name;
    };
    bool find(const std::string& key, Part& part) {
        std::scoped_lock lock(mutex_);
        const auto it = entries_.find(key);
        if (it == entries_.end()) return false;
        part.batch = it->second.batch.lock();
        part.function = it->second.function;
        part.name = it->second.name;
        return part.batch != nullptr;
    }
    void insert(const std::string& key, KernelFunction function, const std::shared_ptr<CompiledBatch>& batch,
                const std::string& name) {
        std::scoped_lock lock(mutex_);
        if (entries_.size() > 4096) std::erase_if(entries_, [](const auto& e) { return e.second.batch.expired(); });
        entries_[key] = {function, batch, name};
    }

 private:
    std::mutex mutex_;
    std::map<std::string, Entry> entries_;
};

class Factory final : public exec::FusedKernelFactory {
 public:
    void prepare(std::span<const ir::NodePtr> nodes) override {
        std::vector<Jit::Wanted> wanted;
        std::map<std::string, std::size_t> by_key;
        struct Pending {
            const ir::Node* node;
            std::vector<Part> parts;
            std::vector<std::size_t> functions;
        };
        std::vector<Pending> pending;
        static std::atomic<unsigned> serial{0};
        for (const ir::NodePtr& n : nodes) {
            if (n->kernel != "elementwise" && n->kernel != "multi") continue;
            Pending p{n.get(), {}, {}};
            std::size_t in = 0, out = 0;
            bool fits = true;
            for (const ir::GraphPtr& region : n->regions) {
                std::string why;
                auto schedule = make_schedule(*region, why);
                if (!schedule) {
                    fits = false;
                    break;
                }
                Part part;
                part.schedule = std::move(*schedule);
                part.first_input = in;
                part.first_output = out;
                part.units = units_of(part.schedule);
                in += region->inputs.size();
                out += region->outputs.size();
                p.parts.push_back(std::move(part));
            }
            if (fits) pending.push_back(std::move(p));
        }
        std::vector<std::string> keys;
        for (Pending& p : pending) {
            for (Part& part : p.parts) {
                std::string key = part.schedule.key();
                p.functions.push_back(kKnown);
                if (Cache::get().find(key, part)) continue;
                auto [it, fresh] = by_key.try_emplace(std::move(key), wanted.size());
                if (fresh) {
                    wanted.push_back({fmt::format("kernel_{}", serial++), &part.schedule});
                    keys.push_back(it->first);
                }
                p.functions.back() = it->second;
            }
        }
        std::vector<KernelFunction> addresses;
        std::shared_ptr<CompiledBatch> batch;
        if (!wanted.empty()) batch = Jit::get().compile(wanted, addresses);
        for (std::size_t k = 0; k < keys.size(); ++k) {
            Cache::get().insert(keys[k], addresses[k], batch, wanted[k].name);
        }
        for (Pending& p : pending) {
            int flops = 0;
            for (std::size_t k = 0; k < p.parts.size(); ++k) {
                if (p.functions[k] != kKnown) {
                    p.parts[k].function = addresses[p.functions[k]];
                    p.parts[k].batch = batch;
                    p.parts[k].name = wanted[p.functions[k]].name;
                }
                int own = 0;
                for (const BodyStep& s : p.parts[k].schedule.body) {
                    if (s.what != BodyStep::What::op) continue;
                    std::vector<DType> types;
                    for (std::uint32_t o : s.operands) types.push_back(p.parts[k].schedule.body[o].dtype);
                    own += s.node->op->element(types, s.node->attrs).flops();
                }
                flops = std::max(flops, own);
            }
            made_[p.node] = std::make_unique<GeneratedKernel>(std::move(p.parts), flops);
        }
    }

    std::unique_ptr<exec::FusedKernel> make(const ir::NodePtr& node) override {
        auto it = made_.find(node.get());
        if (it == made_.end()) return nullptr;
        return std::move(it->second);
    }

 private:
    static constexpr std::size_t kKnown = ~std::size_t{0};
    std::map<const ir::Node*, std::unique_ptr<exec::FusedKernel>> made_;
};

}  // namespace
}  // namespace fusescope::codegen

/// What engine/exec looks up after opening this module.
extern "C" fusescope::exec::FusedKernelFactory* fusescope_make_kernel_factory() {
    return new fusescope::codegen::Factory;
}
