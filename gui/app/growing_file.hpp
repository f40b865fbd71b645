// Looks now and then whether a profile that another process writes has appeared and grown.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace fusescope::gui {

class GrowingFile : public QObject {
    Q_OBJECT

 public:
    explicit GrowingFile(QObject* parent = nullptr);

    void watch(const QString& path);
    /// Looks one last time; an appeared file counts as grown.
    void finish();
    void stop() { timer_.stop(); }
    const QString& path() const { return path_; }

 signals:
    /// The file can be opened now.
    void appeared(const QString& path);
    /// It has grown since the last signal.
    void grew();

 private:
    void look();

    QString path_;
    QTimer timer_;
    qint64 seenBytes_ = -1;
    bool appeared_ = false;
};

}  // namespace fusescope::gui
