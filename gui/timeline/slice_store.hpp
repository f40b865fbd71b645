// One row of slices in columns. It is cut into chunks that never change once they are full, so that what a growing
// recording adds costs only what is new, and one frame costs the width of the window and not the number of events.
#pragma once

#include <QVector>
#include <cstdint>
#include <memory>
#include <vector>

namespace fusescope::gui {

class SliceStore {
 public:
    qsizetype size() const { return size_; }
    bool isEmpty() const { return size_ == 0; }

    qint64 begin(qsizetype i) const { return chunk(i).begin[at_(i)]; }
    qint64 duration(qsizetype i) const { return chunk(i).duration[at_(i)]; }
    qint64 end(qsizetype i) const { return begin(i) + duration(i); }
    qint64 id(qsizetype i) const { return chunk(i).id[at_(i)]; }
    quint32 label(qsizetype i) const { return chunk(i).label[at_(i)]; }
    /// What the slice hangs together with: of an op on a device the time of its launch, of a transfer the op event.
    bool hasLinks() const { return linked_; }
    qint64 link(qsizetype i) const { return linked_ ? chunk(i).link[at_(i)] : 0; }
    /// Of an op on a device the host thread that launched it; of a transfer its bytes.
    qint64 extra(qsizetype i) const { return linked_ ? chunk(i).extra[at_(i)] : 0; }

    /// Sum of the durations of all slices before i; i may be size().
    qint64 busyBefore(qsizetype i) const;
    /// First slice that begins at or after the time.
    qsizetype firstFrom(qint64 time) const;
    /// The same, not before `from`, quick when it is near. Where many lie between, it may be up to 15 slices late: a
    /// part of a pixel then.
    qsizetype nextFrom(qsizetype from, qint64 time) const;
    /// First slice whose link is at or after the value; the links must grow.
    qsizetype firstLinkFrom(qint64 value) const;
    /// Slice that covers the time; else the nearest one within `slack`; -1 when there is none.
    qsizetype at(qint64 time, qint64 slack) const;
    /// Position of the slice with that row id, -1 when it is not here.
    qsizetype find(qint64 row) const;
    /// The longest of [first, last), which must not be empty.
    qsizetype longest(qsizetype first, qsizetype last) const;

 private:
    friend class SliceBuilder;
    static constexpr qsizetype kChunk = 1 << 15;
    static constexpr qsizetype kBlock = 16;  ///< slices that share one sum and one longest

    struct Chunk {
        std::vector<qint64> begin, duration, id;
        std::vector<quint32> label;
        std::vector<qint64> link;
        std::vector<quint32> extra;
        std::vector<qint64> busy;          ///< sum before each block, of this chunk and all before it
        std::vector<quint16> longest;      ///< place of the longest of each block
        std::vector<qint64> blockBegin;    ///< of the first slice of each block
        std::vector<qint64> blockLongest;  ///< duration of the longest of each block
        quint16 longestOfAll = 0;          ///< place of the longest of the chunk
        qint64 busyBefore = 0, busyAfter = 0;
        qint64 lowestId = 0, highestId = 0;
        bool idsGrow = true;
        void finish(qint64 before);
    };

    const Chunk& chunk(qsizetype i) const { return *chunks_[i / kChunk]; }
    static size_t at_(qsizetype i) { return static_cast<size_t>(i % kChunk); }

    QVector<std::shared_ptr<const Chunk>> chunks_;
    qsizetype size_ = 0;
    bool linked_ = false;
};

/// Makes a SliceStore, or goes on where another one ends.
class SliceBuilder {
 public:
    explicit SliceBuilder(bool linked = false) { store_.linked_ = linked; }
    explicit SliceBuilder(const SliceStore& before);

    void add(qint64 begin, qint64 duration, qint64 id, quint32 label, qint64 link = 0, qint64 extra = 0);
    /// The last slice lasts until then.
    void extendLast(qint64 end) { last_->duration.back() = end - last_->begin.back(); }
    qint64 lastBegin() const { return last_->begin.back(); }
    qsizetype size() const { return store_.size_; }
    /// The builder is empty after it. Sorts when slices did not come in order of begin.
    SliceStore take();

 private:
    void close();
    static SliceStore sorted(const SliceStore& store);

    SliceStore store_;
    std::shared_ptr<SliceStore::Chunk> last_;
    bool sorted_ = true;
    qint64 latest_ = INT64_MIN;
};

}  // namespace fusescope::gui
