// Panel: one fused kernel. Why it was formed, what went into it, what that saves, and the code it was compiled to.
#include <QComboBox>
#include <QHBoxLayout>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QVBoxLayout>

#include "gui/app/panel.hpp"
#include "gui/app/session.hpp"
#include "gui/widgets/code_view.hpp"
#include "gui/widgets/format.hpp"
#include "gui/widgets/stage_picker.hpp"
#include "profiler/query/kernels.hpp"
#include "profiler/query/origins.hpp"
#include "profiler/query/stage_graph.hpp"

namespace fusescope::gui {

namespace {

constexpr int kNamedOps = 30;

struct Kernel {
    qint64 node = 0;
    QString name;
    QString kind;  ///< "elementwise", "multi", "matmul", …
    QString pass;
    QString rule;
    QStringList members;
    qint64 bytesBefore = 0, bytesAfter = 0;
};

QVector<Kernel> readKernels(Database& database, qint64 graph) {
    QVector<Kernel> kernels;
    for (const auto& fusion : query::fusions(database, graph)) {
        Kernel kernel;
        kernel.node = fusion.node_id;
        kernel.name = QString::fromStdString(fusion.name);
        for (const auto& op : fusion.member_ops) {
            kernel.members << QString::fromStdString(op);
        }
        kernel.bytesBefore = fusion.bytes_before;
        kernel.bytesAfter = fusion.bytes_after;
        if (const auto node = query::node(database, fusion.node_id)) {
            kernel.kind = QJsonDocument::fromJson(QByteArray::fromStdString(node->attributes))
                              .object()
                              .value(QLatin1String("kernel"))
                              .toString();
        }
        const auto birth = query::kernel_birth(database, fusion.node_id);
        kernel.pass = QString::fromStdString(birth.pass);
        kernel.rule = QString::fromStdString(birth.rule);
        kernels.push_back(kernel);
    }
    return kernels;
}

QString shortened(const QStringList& ops) {
    return ops.size() <= kNamedOps ? ops.join(QStringLiteral(" · "))
                                   : ops.mid(0, kNamedOps).join(QStringLiteral(" · ")) + QStringLiteral(" · …");
}

class KernelPanel : public Panel {
    Q_OBJECT

 public:
    explicit KernelPanel(Session& session)
        : Panel(session),
          kernels_(new QComboBox),
          forms_(new QComboBox),
          why_(new QLabel),
          code_(new CodeView(CodeView::Language::Plain)) {
        auto* column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        auto* bar = new QHBoxLayout;
        bar->setContentsMargins(6, 4, 6, 4);
        kernels_->setObjectName(QStringLiteral("kernelPicker"));
        kernels_->setAccessibleName(tr("Fused kernel"));
        kernels_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        kernels_->setMinimumContentsLength(18);
        forms_->setObjectName(QStringLiteral("codeForm"));
        forms_->setAccessibleName(tr("Form of the code"));
        forms_->addItem(tr("LLVM IR"), QStringLiteral("llvm"));
        forms_->addItem(tr("Assembly"), QStringLiteral("asm"));
        bar->addWidget(new GraphPicker(session.stages()));
        bar->addWidget(kernels_, 1);
        bar->addWidget(forms_);
        column->addLayout(bar);
        why_->setObjectName(QStringLiteral("kernelReason"));
        why_->setWordWrap(true);
        why_->setTextFormat(Qt::RichText);
        why_->setTextInteractionFlags(Qt::TextSelectableByMouse);
        why_->setContentsMargins(10, 2, 10, 8);
        column->addWidget(why_);
        code_->setObjectName(QStringLiteral("kernelCode"));
        column->addWidget(code_, 1);
        connect(kernels_, &QComboBox::activated, this, [this](int at) {
            session_.select(Selection::node(found_[at].node));
            show();
        });
        connect(forms_, &QComboBox::currentIndexChanged, this, &KernelPanel::showCode);
        connect(&session.stages(), &ShownStages::stagesChanged, this, [this] { invalidate(); });
    }

 protected:
    void reload() override {
        const qint64 graph = session_.stages().graph();
        if (graph == 0) {
            setKernels({});
            return;
        }
        session_.jobs().run(
            this, QStringLiteral("kernels"),
            [graph](JobContext& context) { return readKernels(context.database(), graph); },
            [this](QVector<Kernel> kernels) { setKernels(std::move(kernels)); });
    }

    void clear() override { setKernels({}); }

    void showRelated(const Related& related) override {
        for (int i = 0; i < found_.size(); ++i) {
            if (related.finalNodes.contains(found_[i].node)) {
                if (i != kernels_->currentIndex()) {
                    kernels_->setCurrentIndex(i);
                    show();
                }
                return;
            }
        }
    }

 private:
    void setKernels(QVector<Kernel> kernels) {
        const qint64 shown = found_.value(kernels_->currentIndex()).node;
        found_ = std::move(kernels);
        kernels_->clear();
        for (int i = 0; i < found_.size(); ++i) {
            kernels_->addItem(found_[i].name);
            if (found_[i].node == shown) {
                kernels_->setCurrentIndex(i);
            }
        }
        kernels_->setEnabled(!found_.isEmpty());
        forms_->setEnabled(!found_.isEmpty());
        if (session_.hasProfile() && session_.related().of == session_.selection()) {
            showRelated(session_.related());
        }
        show();
    }

    // What it is good for that such ops run as one.
    static QString sentenceOf(const QString& kind) {
        if (kind == QLatin1String("elementwise")) {
            return tr(
                "Its ops run element by element over the same shape: one loop computes them all, and the values "
                "in between stay in registers instead of going through memory.");
        }
        if (kind == QLatin1String("multi")) {
            return tr(
                "Its parts do not depend on each other and are alike: one launch does the work of many small "
                "ones.");
        }
        if (kind.isEmpty()) {
            return {};
        }
        return tr("What follows the heavy op is done on its result piece by piece, while that is still in the cache.");
    }

    void show() {
        const Kernel kernel = found_.value(kernels_->currentIndex());
        if (kernel.node == 0) {
            why_->setText(session_.hasProfile() ? tr("No ops were fused in this graph.") : QString());
            codes_.clear();
            showCode();
            return;
        }
        QStringList lines;
        QString formed = kernel.pass.isEmpty()   ? QString()
                         : kernel.rule.isEmpty() ? tr("Formed by <b>%1</b>.").arg(kernel.pass.toHtmlEscaped())
                                                 : tr("Formed by <b>%1</b>, which did: %2.")
                                                       .arg(kernel.pass.toHtmlEscaped(), kernel.rule.toHtmlEscaped());
        lines << (formed + ' ' + sentenceOf(kernel.kind)).trimmed();
        lines << tr("%1 ops: %2").arg(integerText(kernel.members.size()), shortened(kernel.members).toHtmlEscaped());
        if (kernel.bytesBefore > kernel.bytesAfter) {
            lines << tr("Reads and writes %1 a run; one by one the ops would move %2.")
                         .arg(bytesText(static_cast<double>(kernel.bytesAfter)),
                              bytesText(static_cast<double>(kernel.bytesBefore)));
        }
        why_->setText(lines.join(QStringLiteral("<br>")));
        session_.jobs().run(
            this, QStringLiteral("code"),
            [node = kernel.node](JobContext& context) {
                QHash<QString, QString> codes;
                for (const auto& code : query::kernel_code(context.database(), node)) {
                    codes.insert(QString::fromStdString(code.form), QString::fromStdString(code.text));
                }
                return codes;
            },
            [this, node = kernel.node](QHash<QString, QString> codes) {
                if (found_.value(kernels_->currentIndex()).node == node) {
                    codes_ = std::move(codes);
                    showCode();
                }
            });
    }

    void showCode() {
        const QString code = codes_.value(forms_->currentData().toString());
        code_->setText(!code.isEmpty()    ? code
                       : found_.isEmpty() ? QString()
                                          : tr("; No code was generated for this kernel: it is one of the CPU "
                                               "library's, runs op by op,\n; or the profile is of an older version."));
    }

    QComboBox* kernels_;
    QComboBox* forms_;
    QLabel* why_;
    CodeView* code_;
    QVector<Kernel> found_;
    QHash<QString, QString> codes_;
};

}  // namespace

}  // namespace fusescope::gui

namespace fusescope {

gui::PanelDefinition panel_kernel() {
    return {QStringLiteral("kernel"),
            QT_TRANSLATE_NOOP("panel", "Kernel"),
            QStringLiteral("kernel"),
            gui::DockPlace::Center,
            2,
            QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_K),
            [](gui::Session& session) { return new gui::KernelPanel(session); }};
}

}  // namespace fusescope

#include "kernel.moc"
