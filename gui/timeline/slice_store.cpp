// Binary search over chunks, and sums and longest ones a block at a time.
#include "gui/timeline/slice_store.hpp"

#include <algorithm>
#include <numeric>

namespace fusescope::gui {

void SliceStore::Chunk::finish(qint64 before) {
    busyBefore = before;
    busy.clear();
    longest.clear();
    blockBegin.clear();
    blockLongest.clear();
    idsGrow = std::is_sorted(id.begin(), id.end());
    const auto [low, high] = std::minmax_element(id.begin(), id.end());
    lowestId = *low;
    highestId = *high;
    longestOfAll = 0;
    for (size_t i = 0; i < begin.size(); ++i) {
        const auto place = static_cast<quint16>(i);
        if (i % kBlock == 0) {
            busy.push_back(before);
            longest.push_back(place);
            blockBegin.push_back(begin[i]);
            blockLongest.push_back(duration[i]);
        }
        before += duration[i];
        if (duration[i] > blockLongest.back()) {
            longest.back() = place;
            blockLongest.back() = duration[i];
        }
        if (duration[i] > duration[longestOfAll]) {
            longestOfAll = place;
        }
    }
    busyAfter = before;
}

qint64 SliceStore::busyBefore(qsizetype i) const {
    if (i >= size_) {
        return chunks_.isEmpty() ? 0 : chunks_.back()->busyAfter;
    }
    const Chunk& c = chunk(i);
    const size_t place = at_(i);
    const size_t block = place / kBlock;
    return std::accumulate(c.duration.begin() + static_cast<std::ptrdiff_t>(block * kBlock),
                           c.duration.begin() + static_cast<std::ptrdiff_t>(place), c.busy[block]);
}

qsizetype SliceStore::firstFrom(qint64 time) const {
    const auto found =
        std::partition_point(chunks_.begin(), chunks_.end(), [time](const auto& c) { return c->begin.back() < time; });
    if (found == chunks_.end()) {
        return size_;
    }
    const auto& begins = (*found)->begin;
    return (found - chunks_.begin()) * kChunk + (std::lower_bound(begins.begin(), begins.end(), time) - begins.begin());
}

qsizetype SliceStore::nextFrom(qsizetype from, qint64 time) const {
    constexpr qsizetype kNear = 64;
    if (from >= size_) {
        return size_;
    }
    const Chunk* c = &chunk(from);
    const auto place = static_cast<std::ptrdiff_t>(at_(from));
    const auto length = static_cast<std::ptrdiff_t>(c->begin.size());
    const std::ptrdiff_t near = std::min<std::ptrdiff_t>(place + kNear, length);
    const auto begins = c->begin.begin();
    if (begins[near - 1] >= time) {
        return from - place + (std::lower_bound(begins + place, begins + near, time) - begins);
    }
    qsizetype number = from / kChunk;
    while (c->begin.back() < time) {
        if (++number == chunks_.size()) {
            return size_;
        }
        c = chunks_[number].get();
    }
    const bool same = number == from / kChunk;
    const auto blocks = c->blockBegin.begin() + (same ? place / kBlock : 0);
    const auto block = std::lower_bound(blocks, c->blockBegin.end(), time) - c->blockBegin.begin();
    return std::max(from, std::min(number * kChunk + block * kBlock, size_));
}

qsizetype SliceStore::firstLinkFrom(qint64 value) const {
    if (!linked_) {
        return size_;
    }
    const auto found =
        std::partition_point(chunks_.begin(), chunks_.end(), [value](const auto& c) { return c->link.back() < value; });
    if (found == chunks_.end()) {
        return size_;
    }
    const auto& links = (*found)->link;
    return (found - chunks_.begin()) * kChunk + (std::lower_bound(links.begin(), links.end(), value) - links.begin());
}

qsizetype SliceStore::at(qint64 time, qint64 slack) const {
    const qsizetype after = firstFrom(time + 1);
    if (after > 0 && end(after - 1) > time) {
        return after - 1;
    }
    qsizetype best = -1;
    qint64 distance = slack + 1;
    if (after > 0 && time - end(after - 1) < distance) {
        best = after - 1;
        distance = time - end(after - 1);
    }
    if (after < size_ && begin(after) - time < distance) {
        best = after;
    }
    return best;
}

qsizetype SliceStore::find(qint64 row) const {
    for (qsizetype c = 0; c < chunks_.size(); ++c) {
        const Chunk& chunk = *chunks_[c];
        if (row < chunk.lowestId || row > chunk.highestId) {
            continue;
        }
        const auto it = chunk.idsGrow ? std::lower_bound(chunk.id.begin(), chunk.id.end(), row)
                                      : std::find(chunk.id.begin(), chunk.id.end(), row);
        if (it != chunk.id.end() && *it == row) {
            return c * kChunk + (it - chunk.id.begin());
        }
    }
    return -1;
}

qsizetype SliceStore::longest(qsizetype first, qsizetype last) const {
    qsizetype best = first;
    qint64 most = duration(first);
    const auto offer = [&](qsizetype candidate, qint64 length) {
        if (length > most) {
            most = length;
            best = candidate;
        }
    };
    for (qsizetype i = first; i < last;) {
        const Chunk& c = chunk(i);
        const size_t place = at_(i);
        const qsizetype start = i - static_cast<qsizetype>(place);
        if (place == 0 && i + kChunk <= last) {
            offer(start + c.longestOfAll, c.duration[c.longestOfAll]);
            i += kChunk;
        } else if (place % kBlock == 0 && i + kBlock <= last) {
            const size_t blocks = static_cast<size_t>(std::min(last - start, kChunk)) / kBlock;
            size_t found = place / kBlock;
            for (size_t block = found; block < blocks; ++block) {
                found = c.blockLongest[block] > c.blockLongest[found] ? block : found;
            }
            offer(start + c.longest[found], c.blockLongest[found]);
            i = start + static_cast<qsizetype>(blocks) * kBlock;
        } else {
            offer(i, c.duration[place]);
            ++i;
        }
    }
    return best;
}

SliceBuilder::SliceBuilder(const SliceStore& before) : store_(before) {
    if (store_.size_ == 0) {
        return;
    }
    latest_ = store_.begin(store_.size_ - 1);
    // The last chunk is copied: it may still be shown.
    last_ = std::make_shared<SliceStore::Chunk>(*store_.chunks_.back());
    store_.chunks_.removeLast();
}

void SliceBuilder::add(qint64 begin, qint64 duration, qint64 id, quint32 label, qint64 link, qint64 extra) {
    if (last_ && static_cast<qsizetype>(last_->begin.size()) == SliceStore::kChunk) {
        close();
    }
    if (!last_) {
        last_ = std::make_shared<SliceStore::Chunk>();
    }
    sorted_ = sorted_ && begin >= latest_;
    latest_ = std::max(latest_, begin);
    last_->begin.push_back(begin);
    last_->duration.push_back(duration);
    last_->id.push_back(id);
    last_->label.push_back(label);
    if (store_.linked_) {
        last_->link.push_back(link);
        last_->extra.push_back(static_cast<quint32>(std::clamp<qint64>(extra, 0, UINT32_MAX)));
    }
    ++store_.size_;
}

void SliceBuilder::close() {
    if (!last_) {
        return;
    }
    const qint64 before = store_.chunks_.isEmpty() ? 0 : store_.chunks_.back()->busyAfter;
    last_->finish(before);
    store_.chunks_.push_back(std::move(last_));
    last_.reset();
}

SliceStore SliceBuilder::take() {
    if (last_ && static_cast<qsizetype>(last_->begin.size()) < SliceStore::kChunk / 2) {
        // Vectors grow by doubling; most rows are short.
        last_->begin.shrink_to_fit();
        last_->duration.shrink_to_fit();
        last_->id.shrink_to_fit();
        last_->label.shrink_to_fit();
    }
    close();
    SliceStore made = sorted_ ? std::move(store_) : sorted(store_);
    store_ = {};
    sorted_ = true;
    latest_ = INT64_MIN;
    return made;
}

SliceStore SliceBuilder::sorted(const SliceStore& store) {
    std::vector<qsizetype> order(static_cast<size_t>(store.size()));
    std::iota(order.begin(), order.end(), qsizetype{0});
    std::stable_sort(order.begin(), order.end(),
                     [&store](qsizetype a, qsizetype b) { return store.begin(a) < store.begin(b); });
    SliceBuilder builder(store.linked_);
    for (const qsizetype i : order) {
        builder.add(store.begin(i), store.duration(i), store.id(i), store.label(i), store.link(i), store.extra(i));
    }
    builder.close();
    return std::move(builder.store_);
}

}  // namespace fusescope::gui
