// What the oneDNN wrappers share: one engine, one stream a thread, and a cache of primitives. Included only by sources
// of this folder.
#pragma once

#include <cstdint>
#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

namespace fusescope::cpu::onednn {

dnnl::engine& engine();
dnnl::stream& stream();

/// Key of a primitive: whatever numbers describe it.
using Key = std::vector<std::int64_t>;
struct KeyHash {
    std::size_t operator()(const Key& k) const noexcept {
        std::size_t h = k.size();
        for (std::int64_t v : k) h = (h ^ static_cast<std::size_t>(v)) * 0x9e3779b97f4a7c15ull + (h >> 7);
        return h;
    }
};

/// Primitives of this thread by key; making one costs a hundred microseconds and more, finding one a fraction of one.
template <class Entry>
class Cache {
 public:
    template <class Make>
    Entry& get(const Key& key, Make&& make) {
        auto it = entries_.find(key);
        if (it != entries_.end()) return *it->second;
        if (entries_.size() >= kMost) entries_.clear();
        return *entries_.emplace(key, std::make_unique<Entry>(make())).first->second;
    }

 private:
    static constexpr std::size_t kMost = 1024;
    std::unordered_map<Key, std::unique_ptr<Entry>, KeyHash> entries_;
};

}  // namespace fusescope::cpu::onednn
