<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Builder</name>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
</context>
<context>
    <name>CheckAnswer</name>
    <message>
        <source>exit status %1</source>
        <translation>退出状态 %1</translation>
    </message>
    <message>
        <source>%1 at %2:%3</source>
        <translation>%2:%3 处的 %1</translation>
    </message>
    <message>
        <source>It is no answer of fusescope --check.</source>
        <translation>它不是 fusescope --check 的结果。</translation>
    </message>
    <message>
        <source>It was written by a newer version of fusescope.</source>
        <translation>它由更新版本的 fusescope 写成。</translation>
    </message>
    <message>
        <source>Nothing is compared yet.</source>
        <translation>尚未进行比较。</translation>
    </message>
    <message>
        <source>Equal as far as can be seen: there is no tensor that both runs have.</source>
        <translation>就所见而言相同：没有两次运行共有的张量。</translation>
    </message>
    <message>
        <source>All equal, bit for bit. Tensors that both runs have: %1.</source>
        <translation>全部逐位相同。两次运行共有的张量：%1 个。</translation>
    </message>
    <message>
        <source>Close: %1 of %2 tensors differ in some bit, none beyond the tolerance.</source>
        <translation>接近：%2 个张量中有 %1 个存在位差异，均未超出容差。</translation>
    </message>
    <message>
        <source>Not repeatable: two eager runs differ already, so that nothing can be said about graphs.</source>
        <translation>不可重复：两次动态图运行已不相同，无法对图模式下结论。</translation>
    </message>
    <message>
        <source>Different: the %1 tensors are equal, and the program does something else.</source>
        <translation>不同：%1 个张量均相同，但程序的行为不同。</translation>
    </message>
    <message>
        <source>Different: %1 of %2 tensors differ, %3 of them beyond the tolerance.</source>
        <translation>不同：%2 个张量中有 %1 个不同，其中 %3 个超出容差。</translation>
    </message>
    <message>
        <source>%1 were too large to be kept.</source>
        <translation>%1 个过大而未保留。</translation>
    </message>
    <message>
        <source>%1 of %2 tensors compared</source>
        <translation>比较了 %2 个张量中的 %1 个</translation>
    </message>
    <message>
        <source>%1 tensors compared</source>
        <translation>比较了 %1 个张量</translation>
    </message>
    <message>
        <source>tolerance: %1 relative, %2 absolute</source>
        <translation>容差：相对 %1，绝对 %2</translation>
    </message>
    <message>
        <source>by dtype</source>
        <translation>按数据类型</translation>
    </message>
    <message>
        <source>tolerance: by dtype</source>
        <translation>容差：按数据类型</translation>
    </message>
    <message>
        <source>%1 runs of the program</source>
        <translation>程序运行 %1 次</translation>
    </message>
    <message>
        <source>Printed differently in line %1: “%2” eagerly, “%3” as graphs.</source>
        <translation>第 %1 行输出不同：动态图为“%2”，图模式为“%3”。</translation>
    </message>
    <message>
        <source>Ended differently: %1 eagerly, %2 as graphs.</source>
        <translation>结束方式不同：动态图为 %1，图模式为 %2。</translation>
    </message>
    <message>
        <source>Both runs ended with %1.</source>
        <translation>两次运行均以 %1 结束。</translation>
    </message>
    <message>
        <source>No pass: the difference is there with all of them switched off.</source>
        <translation>与优化步骤无关：全部关闭后差异仍在。</translation>
    </message>
    <message>
        <source>Pass %1, rewrite %2 of %3: %4, %5.</source>
        <translation>优化步骤 %1，第 %2 次改写（共 %3 次）：%4，%5。</translation>
    </message>
    <message>
        <source>Pass %1.</source>
        <translation>优化步骤 %1。</translation>
    </message>
    <message>
        <source>It says that it changes no bit: a fault of fusescope.</source>
        <translation>该步骤声明不改变任何位：这是 fusescope 的错误。</translation>
    </message>
    <message>
        <source>It says of itself: %1.</source>
        <translation>该步骤自述：%1。</translation>
    </message>
    <message>
        <source>eagerly</source>
        <translation>动态图</translation>
    </message>
    <message>
        <source>as graphs</source>
        <translation>图模式</translation>
    </message>
    <message>
        <source>eagerly again</source>
        <translation>再次动态图</translation>
    </message>
    <message>
        <source>for the values that differ</source>
        <translation>获取不同的值</translation>
    </message>
    <message>
        <source>as graphs, for the cause</source>
        <translation>图模式，查找原因</translation>
    </message>
    <message>
        <source>for the cause: --passes=%1</source>
        <translation>查找原因：--passes=%1</translation>
    </message>
    <message>
        <source>run %1, %2</source>
        <translation>第 %1 次运行，%2</translation>
    </message>
</context>
<context>
    <name>Describer</name>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>called from</source>
        <translation>调用自</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>  (modelled, not measured)</source>
        <translation>（模型估算，非实测）</translation>
    </message>
    <message>
        <source>  in %1 runs</source>
        <translation>，共 %1 次</translation>
    </message>
    <message>
        <source>Memory traffic</source>
        <translation>访存量</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>浮点运算</translation>
    </message>
    <message>
        <source>Each</source>
        <translation>每次</translation>
    </message>
    <message>
        <source>%1 average, %2 to %3</source>
        <translation>平均 %1，%2 至 %3</translation>
    </message>
    <message>
        <source>Op event %1</source>
        <translation>算子执行 %1</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>图模式</translation>
    </message>
    <message>
        <source>eager</source>
        <translation>动态图</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>%1, stream %2, thread %3</source>
        <translation>%1，流 %2，线程 %3</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Phase</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>All of this op</source>
        <translation>该算子的全部执行</translation>
    </message>
    <message>
        <source>Node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>Output %1</source>
        <translation>输出 %1</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>健康状况</translation>
    </message>
    <message>
        <source>all finite</source>
        <translation>全部有限</translation>
    </message>
    <message>
        <source>%1 NaN, %2 Inf of %3</source>
        <translation>%3 个元素中 %1 个 NaN、%2 个 Inf</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Traffic a run</source>
        <translation>单次访存量</translation>
    </message>
    <message>
        <source>FLOPs a run</source>
        <translation>单次浮点运算</translation>
    </message>
    <message>
        <source>As it ran</source>
        <translation>实际执行</translation>
    </message>
    <message>
        <source>Inside</source>
        <translation>内部</translation>
    </message>
    <message>
        <source>Attributes</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>Source line</source>
        <translation>源代码行</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>No op was issued from this line itself.</source>
        <translation>这一行没有直接发出算子。</translation>
    </message>
    <message>
        <source>Ops issued here</source>
        <translation>此处发出的算子</translation>
    </message>
    <message>
        <source>%1 in %2 runs</source>
        <translation>%1，共 %2 次</translation>
    </message>
    <message>
        <source>Op kind</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>Where it is issued</source>
        <translation>发出位置</translation>
    </message>
    <message>
        <source>With nested</source>
        <translation>含嵌套</translation>
    </message>
    <message>
        <source>Copy to the device</source>
        <translation>拷贝到设备</translation>
    </message>
    <message>
        <source>Copy to the host</source>
        <translation>拷贝到主机</translation>
    </message>
    <message>
        <source>Copy on the device</source>
        <translation>设备内拷贝</translation>
    </message>
    <message>
        <source>Transfer %1</source>
        <translation>传输 %1</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>page-locked</source>
        <translation>锁页</translation>
    </message>
    <message>
        <source>pageable</source>
        <translation>可分页</translation>
    </message>
    <message>
        <source>Needed by</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>op event %1</source>
        <translation>算子执行 %1</translation>
    </message>
    <message>
        <source>Finding: %1</source>
        <translation>发现：%1</translation>
    </message>
    <message>
        <source>What to try</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>In the profile</source>
        <translation>记录的原文</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详细信息</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>First at</source>
        <translation>首个位置</translation>
    </message>
    <message>
        <source>Shapes</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Inputs there</source>
        <translation>该处的输入</translation>
    </message>
    <message>
        <source>%1 at %2:%3</source>
        <translation>%1，位于 %2:%3</translation>
    </message>
    <message>
        <source>Op event</source>
        <translation>算子执行</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Signature</source>
        <translation>签名</translation>
    </message>
    <message>
        <source>Compiled in</source>
        <translation>编译耗时</translation>
    </message>
    <message>
        <source>Nodes</source>
        <translation>节点数</translation>
    </message>
    <message>
        <source>%1 captured, %2 in the graph that ran</source>
        <translation>捕获 %1 个，实际执行的图中 %2 个</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>优化步骤</translation>
    </message>
    <message>
        <source>%1 nodes</source>
        <translation>%1 个节点</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>无变化</translation>
    </message>
</context>
<context>
    <name>GraphColorWords</name>
    <message>
        <source>added</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>改变</translation>
    </message>
    <message>
        <source>fused</source>
        <translation>融合</translation>
    </message>
    <message>
        <source>unchanged</source>
        <translation>未变</translation>
    </message>
    <message>
        <source>Op kind</source>
        <translation>算子类型</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>……另有 %1 种</translation>
    </message>
    <message>
        <source>Share of the graph&apos;s time</source>
        <translation>占图时间的比例</translation>
    </message>
    <message>
        <source>0 %</source>
        <translation>0 %</translation>
    </message>
    <message>
        <source>not timed</source>
        <translation>未计时</translation>
    </message>
    <message>
        <source>modelled, not measured</source>
        <translation>建模值，非实测</translation>
    </message>
    <message>
        <source>Bytes read and written</source>
        <translation>读写字节数</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>did not run by itself</source>
        <translation>未单独运行</translation>
    </message>
    <message>
        <source>Health of outputs</source>
        <translation>输出的健康状况</translation>
    </message>
    <message>
        <source>NaN seen</source>
        <translation>出现 NaN</translation>
    </message>
    <message>
        <source>Inf seen</source>
        <translation>出现 Inf</translation>
    </message>
    <message>
        <source>nothing bad seen</source>
        <translation>未见异常</translation>
    </message>
    <message>
        <source>Between the two stages</source>
        <translation>两个阶段之间</translation>
    </message>
</context>
<context>
    <name>GraphExportWords</name>
    <message>
        <source>There is no graph to save.</source>
        <translation>没有可保存的图。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>%1 cannot be written as PNG</source>
        <translation>无法将 %1 写为 PNG</translation>
    </message>
</context>
<context>
    <name>Namer</name>
    <message>
        <source>%1 no. %2</source>
        <translation>%1（第 %2 次）</translation>
    </message>
    <message>
        <source>all %1</source>
        <translation>所有 %1</translation>
    </message>
    <message>
        <source>%1, line %2</source>
        <translation>%1，第 %2 行</translation>
    </message>
    <message>
        <source>transfer no. %1</source>
        <translation>第 %1 次传输</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>%1 之后</translation>
    </message>
    <message>
        <source>graph %1</source>
        <translation>图 %1</translation>
    </message>
</context>
<context>
    <name>QDockWidget</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Float</source>
        <translation>浮动</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>StageDiffWords</name>
    <message>
        <source>from %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>stands for %1 equal nodes</source>
        <translation>代表 %1 个相同的节点</translation>
    </message>
    <message>
        <source>was %1</source>
        <translation>原为 %1</translation>
    </message>
    <message>
        <source>part of what was %1</source>
        <translation>原 %1 的一部分</translation>
    </message>
    <message>
        <source>became %1</source>
        <translation>变为 %1</translation>
    </message>
</context>
<context>
    <name>Unfolder</name>
    <message>
        <source>%L1 nodes</source>
        <translation>%L1 个节点</translation>
    </message>
</context>
<context>
    <name>WatchCondition</name>
    <message>
        <source>More than</source>
        <translation>大于</translation>
    </message>
    <message>
        <source>holds a NaN</source>
        <translation>含有 NaN</translation>
    </message>
    <message>
        <source>holds an infinity</source>
        <translation>含有无穷大</translation>
    </message>
    <message>
        <source>overflows its dtype</source>
        <translation>上溢其数据类型</translation>
    </message>
    <message>
        <source>underflows its dtype</source>
        <translation>下溢其数据类型</translation>
    </message>
    <message>
        <source>is all zero</source>
        <translation>全为零</translation>
    </message>
    <message>
        <source>is the same as the last time</source>
        <translation>与上次相同</translation>
    </message>
    <message>
        <source>is not the same as the last time</source>
        <translation>与上次不同</translation>
    </message>
    <message>
        <source>has an element outside of a range</source>
        <translation>有元素超出范围</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>has an element that moves by more than</source>
        <translation>有元素的变化大于</translation>
    </message>
    <message>
        <source>has an element that moves by more than a share of it</source>
        <translation>有元素的相对变化大于</translation>
    </message>
    <message>
        <source>has a norm above</source>
        <translation>范数大于</translation>
    </message>
    <message>
        <source>has a share of zeros of at least</source>
        <translation>零元素占比不低于</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>fulfils an expression</source>
        <translation>满足表达式</translation>
    </message>
    <message>
        <source>Expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>every tensor</source>
        <translation>所有张量</translation>
    </message>
    <message>
        <source>outputs of an op</source>
        <translation>某算子的输出</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>outputs in a Cell</source>
        <translation>某 Cell 中的输出</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>Cell</translation>
    </message>
    <message>
        <source>a Parameter</source>
        <translation>某个参数</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>all Parameters</source>
        <translation>所有参数</translation>
    </message>
    <message>
        <source>all gradients</source>
        <translation>所有梯度</translation>
    </message>
    <message>
        <source>Stops when a value %1: %2</source>
        <translation>当某个值%1时停止：%2</translation>
    </message>
</context>
<context>
    <name>finder</name>
    <message>
        <source>op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>finding</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>node</source>
        <translation>节点</translation>
    </message>
    <message>
        <source>line</source>
        <translation>代码行</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::BarPlot</name>
    <message>
        <source>modelled</source>
        <translation>模型估算</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::BookmarksPanel</name>
    <message>
        <source>Remove the chosen one (Del)</source>
        <translation>移除所选项 (Del)</translation>
    </message>
    <message>
        <source>Bring back what was removed (Ctrl+Z)</source>
        <translation>恢复移除的项 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Ctrl+D bookmarks what is selected.</source>
        <translation>按 Ctrl+D 可将所选内容加入书签。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::BoxPlot</name>
    <message>
        <source>Spread of the durations of each op</source>
        <translation>各算子耗时的分布</translation>
    </message>
    <message>
        <source>No op was timed in this run.</source>
        <translation>本次运行没有算子计时。</translation>
    </message>
    <message>
        <source>%1%2
median %3, half of them between %4 and %5
whiskers %6 to %7, %8 of %9 beyond them</source>
        <translation>%1%2
中位数 %3，半数在 %4 与 %5 之间
须线 %6 至 %7，%9 次中有 %8 次在其外</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::Breadcrumb</name>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Bookmark this place</source>
        <translation>将此处加入书签</translation>
    </message>
    <message>
        <source>Copy a link to this place</source>
        <translation>复制此处的链接</translation>
    </message>
    <message>
        <source>The link is in the clipboard.</source>
        <translation>链接已复制到剪贴板。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::BreakpointDialog</name>
    <message>
        <source>Breakpoint at %1:%2</source>
        <translation>断点：%1:%2</translation>
    </message>
    <message>
        <source>Breakpoint on a function, op or Cell</source>
        <translation>函数、算子或 Cell 断点</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>train_step, Net.construct, Softmax, encoder.attention</source>
        <translation>train_step, Net.construct, Softmax, encoder.attention</translation>
    </message>
    <message>
        <source>Watchpoint</source>
        <translation>监视点</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Python, such as step &gt; 3</source>
        <translation>Python 表达式，例如 step &gt; 3</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中次数</translation>
    </message>
    <message>
        <source>5, == 5 or % 10</source>
        <translation>5、== 5 或 % 10</translation>
    </message>
    <message>
        <source>Log, and go on</source>
        <translation>记录日志并继续</translation>
    </message>
    <message>
        <source>loss is {loss}</source>
        <translation>loss 为 {loss}</translation>
    </message>
    <message>
        <source>Breakpoint on the change of a Parameter</source>
        <translation>参数变化断点</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Stop when a value</source>
        <translation>停止条件：某个值</translation>
    </message>
    <message>
        <source>Look at</source>
        <translation>监视对象</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>文本形式</translation>
    </message>
    <message>
        <source>What the debugger reads. It can be written here as well.</source>
        <translation>调试器读取的形式，也可以直接在此书写。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::Breakpoints</name>
    <message>
        <source>Exceptions that end the program</source>
        <translation>导致程序结束的异常</translation>
    </message>
    <message>
        <source>Stop when the program is about to end by one.</source>
        <translation>程序即将因异常结束时停下。</translation>
    </message>
    <message>
        <source>All Python exceptions</source>
        <translation>所有 Python 异常</translation>
    </message>
    <message>
        <source>Stop where an exception is raised, caught or not.</source>
        <translation>抛出异常时停下，无论是否被捕获。</translation>
    </message>
    <message>
        <source>Shape, dtype and index errors</source>
        <translation>形状、数据类型和索引错误</translation>
    </message>
    <message>
        <source>Stop at the op that refuses its operands.</source>
        <translation>算子拒绝其操作数时停下。</translation>
    </message>
    <message>
        <source>NaN is born</source>
        <translation>出现 NaN</translation>
    </message>
    <message>
        <source>Stop after the op that makes a NaN of operands without one.</source>
        <translation>算子由不含 NaN 的操作数产生 NaN 后停下。</translation>
    </message>
    <message>
        <source>Infinity is born</source>
        <translation>出现 Inf</translation>
    </message>
    <message>
        <source>Stop after the op that makes an Inf of finite operands.</source>
        <translation>算子由有限的操作数产生 Inf 后停下。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::BreakpointsPanel</name>
    <message>
        <source>Add a breakpoint or watchpoint</source>
        <translation>添加断点或监视点</translation>
    </message>
    <message>
        <source>Function, Op or Cell…</source>
        <translation>函数、算子或 Cell…</translation>
    </message>
    <message>
        <source>Watchpoint…</source>
        <translation>监视点…</translation>
    </message>
    <message>
        <source>Remove the chosen one (Del)</source>
        <translation>移除所选项 (Del)</translation>
    </message>
    <message>
        <source>Breakpoints</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>Stop at</source>
        <translation>停在</translation>
    </message>
    <message>
        <source>When</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中次数</translation>
    </message>
    <message>
        <source>hits %1</source>
        <translation>命中 %1</translation>
    </message>
    <message>
        <source>log %1</source>
        <translation>日志 %1</translation>
    </message>
    <message>
        <source>watch %1</source>
        <translation>监视 %1</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Add Function, Op or Cell…</source>
        <translation>添加函数、算子或 Cell…</translation>
    </message>
    <message>
        <source>Add Watchpoint…</source>
        <translation>添加监视点…</translation>
    </message>
    <message>
        <source>Remove All</source>
        <translation>全部移除</translation>
    </message>
    <message>
        <source>Change of a Parameter…</source>
        <translation>参数变化…</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>%1 变化</translation>
    </message>
    <message>
        <source>an unknown line</source>
        <translation>未知行</translation>
    </message>
    <message>
        <source>gradient at %1</source>
        <translation>%1 处的梯度</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%2 处的 %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>The line of this hit is not in the recording.</source>
        <translation>此次命中的代码行不在记录中。</translation>
    </message>
    <message>
        <source>Add Change of a Parameter…</source>
        <translation>添加参数变化断点…</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::CallStackPanel</name>
    <message>
        <source>Call stack</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Function</source>
        <translation>函数</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>The program is running.</source>
        <translation>程序正在运行。</translation>
    </message>
    <message>
        <source>No program is being debugged.</source>
        <translation>当前没有正在调试的程序。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::ChangeModel</name>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>How</source>
        <translation>方式</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>作用域</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::CheckCommand</name>
    <message>
        <source>&amp;Compare Eager and Graph…</source>
        <translation>比较动态图与图模式(&amp;C)…</translation>
    </message>
    <message>
        <source>it begins</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Comparing eager and graph runs of &lt;b&gt;%1&lt;/b&gt;: %2.%3</source>
        <translation>正在比较 &lt;b&gt;%1&lt;/b&gt; 的动态图与图模式运行：%2。%3</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::CheckDialog</name>
    <message>
        <source>Compare Eager and Graph</source>
        <translation>比较动态图与图模式</translation>
    </message>
    <message>
        <source>Runs &lt;b&gt;%1&lt;/b&gt; once eagerly and once as graphs, compares all tensors, and looks for the pass that makes a difference, which takes 8 to 20 further runs.</source>
        <translation>以动态图和图模式各运行一次 &lt;b&gt;%1&lt;/b&gt;，比较所有张量，并查找造成差异的优化步骤，为此需再运行 8 到 20 次。</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Relative tolerance</source>
        <translation>相对容差</translation>
    </message>
    <message>
        <source>by dtype: Float32 1e-5, Float16 1e-3</source>
        <translation>按数据类型：Float32 1e-5，Float16 1e-3</translation>
    </message>
    <message>
        <source>Absolute tolerance</source>
        <translation>绝对容差</translation>
    </message>
    <message>
        <source>by dtype: Float32 1e-5, Float16 1e-5</source>
        <translation>按数据类型：Float32 1e-5，Float16 1e-5</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>优化步骤</translation>
    </message>
    <message>
        <source>all; -fuse-elementwise leaves one out</source>
        <translation>全部；-fuse-elementwise 表示去掉一个</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::CheckModel</name>
    <message>
        <source>Op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>computed by %1 in graph %2</source>
        <translation>由图 %2 中的 %1 计算</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>%1, run %2</source>
        <translation>%1，第 %2 次</translation>
    </message>
    <message>
        <source>run %1 of %2 of this line</source>
        <translation>本行第 %1 次运行，共 %2 次</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>How many elements differ, of how many</source>
        <translation>不同的元素数与总数</translation>
    </message>
    <message>
        <source>Absolute</source>
        <translation>绝对差</translation>
    </message>
    <message>
        <source>The largest absolute difference</source>
        <translation>最大绝对差</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>相对差</translation>
    </message>
    <message>
        <source>The largest difference relative to the greater of the two values</source>
        <translation>相对于两值中较大者的最大差</translation>
    </message>
    <message>
        <source>ULP</source>
        <translation>ULP</translation>
    </message>
    <message>
        <source>How many numbers of the dtype lie between the two values, at most</source>
        <translation>两值之间最多相隔多少个该类型的数</translation>
    </message>
    <message>
        <source>Tolerance</source>
        <translation>容差</translation>
    </message>
    <message>
        <source>? not kept</source>
        <translation>? 未保留</translation>
    </message>
    <message>
        <source>✖ other dtype</source>
        <translation>✖ 类型不同</translation>
    </message>
    <message>
        <source>✖ other shape</source>
        <translation>✖ 形状不同</translation>
    </message>
    <message>
        <source>✔ within</source>
        <translation>✔ 之内</translation>
    </message>
    <message>
        <source>✖ beyond</source>
        <translation>✖ 超出</translation>
    </message>
    <message>
        <source>Made by</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>The pass, and the rewrite of it, without which the difference is gone</source>
        <translation>去掉后差异即消失的优化步骤及其改写</translation>
    </message>
    <message>
        <source>no pass</source>
        <translation>非优化步骤</translation>
    </message>
    <message>
        <source>%1, rewrite %2</source>
        <translation>%1，第 %2 次改写</translation>
    </message>
    <message>
        <source>What makes this difference was not looked for, or not found.</source>
        <translation>未查找或未找到造成此差异的原因。</translation>
    </message>
    <message>
        <source>What makes this difference is being looked for.</source>
        <translation>正在查找造成此差异的原因。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::CheckPanel</name>
    <message>
        <source>Ops that differ</source>
        <translation>不同的算子</translation>
    </message>
    <message>
        <source>Elements of both tensors</source>
        <translation>两个张量的元素</translation>
    </message>
    <message>
        <source>Graph Run</source>
        <translation>图模式运行</translation>
    </message>
    <message>
        <source>Show the recording of the run as graphs in all panels</source>
        <translation>在所有面板中显示图模式运行的记录</translation>
    </message>
    <message>
        <source>Eager Run</source>
        <translation>动态图运行</translation>
    </message>
    <message>
        <source>Show the recording of the eager run in all panels</source>
        <translation>在所有面板中显示动态图运行的记录</translation>
    </message>
    <message>
        <source>Which elements</source>
        <translation>哪些元素</translation>
    </message>
    <message>
        <source>Which elements of the two tensors are shown</source>
        <translation>显示两个张量的哪些元素</translation>
    </message>
    <message>
        <source>largest first</source>
        <translation>差异从大到小</translation>
    </message>
    <message>
        <source>that differ</source>
        <translation>不同的元素</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部元素</translation>
    </message>
    <message>
        <source>The program runs eagerly.</source>
        <translation>程序正以动态图运行。</translation>
    </message>
    <message>
        <source>Run ▸ Compare Eager and Graph… tells whether graphs compute what the program says, and which op, line and pass makes a difference.</source>
        <translation>“运行”菜单中的“比较动态图与图模式…”会检查计算图是否算出程序所述的结果，并指出造成差异的算子、代码行和优化步骤。</translation>
    </message>
    <message>
        <source>Choose an op: its two tensors are shown here.</source>
        <translation>选择一个算子，此处显示它的两个张量。</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>computed by %1 in graph %2</source>
        <translation>由图 %2 中的 %1 计算</translation>
    </message>
    <message>
        <source>which holds %1</source>
        <translation>其中包含 %1</translation>
    </message>
    <message>
        <source>With it alone: %1</source>
        <translation>仅用它：%1</translation>
    </message>
    <message>
        <source>Without it: %1</source>
        <translation>去掉它：%1</translation>
    </message>
    <message>
        <source>The tensors were too large to be kept.</source>
        <translation>张量过大，未保留。</translation>
    </message>
    <message>
        <source>%1 eagerly, %2 as graphs</source>
        <translation>动态图为 %1，图模式为 %2</translation>
    </message>
    <message>
        <source>Only the first %1 are shown.</source>
        <translation>仅显示前 %1 个。</translation>
    </message>
    <message>
        <source>Both values are of eager runs.</source>
        <translation>两个值均来自动态图运行。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::CheckRun</name>
    <message>
        <source>The comparison of %1 was stopped.</source>
        <translation>%1 的比较已停止。</translation>
    </message>
    <message>
        <source>The comparison of %1 broke off.</source>
        <translation>%1 的比较已中断。</translation>
    </message>
    <message>
        <source>The comparison of %1 broke off: %2</source>
        <translation>%1 的比较已中断：%2</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::ChildProcess</name>
    <message>
        <source>The fusescope command was found neither beside the window&apos;s program nor on PATH.</source>
        <translation>在本程序所在目录和 PATH 中都找不到 fusescope 命令。</translation>
    </message>
    <message>
        <source>No temporary directory for the program: %1</source>
        <translation>无法为程序创建临时目录：%1</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::Chooser</name>
    <message>
        <source>What to go to or to do</source>
        <translation>要转到或执行的内容</translation>
    </message>
    <message>
        <source>What it may mean</source>
        <translation>可能的匹配</translation>
    </message>
    <message>
        <source>Regular expression (Alt+R)</source>
        <translation>正则表达式 (Alt+R)</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>正则表达式</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::CodeBreaks</name>
    <message>
        <source>Add Breakpoint</source>
        <translation>添加断点</translation>
    </message>
    <message>
        <source>Remove Breakpoint</source>
        <translation>移除断点</translation>
    </message>
    <message>
        <source>Add Conditional Breakpoint…</source>
        <translation>添加条件断点…</translation>
    </message>
    <message>
        <source>Condition…</source>
        <translation>条件…</translation>
    </message>
    <message>
        <source>Add Log Point…</source>
        <translation>添加日志点…</translation>
    </message>
    <message>
        <source>Log Text…</source>
        <translation>日志内容…</translation>
    </message>
    <message>
        <source>Disable</source>
        <translation>禁用</translation>
    </message>
    <message>
        <source>Enable</source>
        <translation>启用</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::CodeView</name>
    <message>
        <source>Source text</source>
        <translation>源代码</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::ComparePage</name>
    <message>
        <source>Difference map</source>
        <translation>差异图</translation>
    </message>
    <message>
        <source>Histogram of the differences</source>
        <translation>差异直方图</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>absolute</source>
        <translation>绝对差</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对差</translation>
    </message>
    <message>
        <source>ULPs</source>
        <translation>ULP 数</translation>
    </message>
    <message>
        <source>What the map shows</source>
        <translation>图中显示的内容</translation>
    </message>
    <message>
        <source>pinned %1, this %2</source>
        <translation>固定 %1，当前 %2</translation>
    </message>
    <message>
        <source>this − pinned</source>
        <translation>当前 − 固定</translation>
    </message>
    <message>
        <source>Pin a tensor with “Pin to Compare”, then choose another: the two are compared here.</source>
        <translation>用“固定以比较”固定一个张量，再选择另一个：两者会在这里比较。</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已固定</translation>
    </message>
    <message>
        <source>This</source>
        <translation>当前</translation>
    </message>
    <message>
        <source>Their shapes differ, so that there are no pairs of elements to compare.</source>
        <translation>两者形状不同，因此没有可比较的元素对。</translation>
    </message>
    <message>
        <source>Equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>First difference</source>
        <translation>首个差异</translation>
    </message>
    <message>
        <source>NaN or Inf in one</source>
        <translation>仅一方为 NaN 或 Inf</translation>
    </message>
    <message>
        <source>Largest absolute</source>
        <translation>最大绝对差</translation>
    </message>
    <message>
        <source>Mean absolute</source>
        <translation>平均绝对差</translation>
    </message>
    <message>
        <source>Root mean square</source>
        <translation>均方根差</translation>
    </message>
    <message>
        <source>Largest relative</source>
        <translation>最大相对差</translation>
    </message>
    <message>
        <source>Mean relative</source>
        <translation>平均相对差</translation>
    </message>
    <message>
        <source>Largest in ULPs</source>
        <translation>最大 ULP 差</translation>
    </message>
    <message>
        <source>Mean in ULPs</source>
        <translation>平均 ULP 差</translation>
    </message>
    <message>
        <source>Pairs by ULPs of %1</source>
        <translation>按 %1 的 ULP 统计元素对</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::ComparePanel</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Differences between two profiles</source>
        <translation>两份剖析记录的差异</translation>
    </message>
    <message>
        <source>the other profile</source>
        <translation>另一份剖析记录</translation>
    </message>
    <message>
        <source>The other profile</source>
        <translation>另一份剖析记录</translation>
    </message>
    <message>
        <source>Choose the profile to compare with</source>
        <translation>选择要比较的剖析记录</translation>
    </message>
    <message>
        <source>ops</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>source lines</source>
        <translation>代码行</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>memory at its peak</source>
        <translation>内存峰值</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>比较内容</translation>
    </message>
    <message>
        <source>Profile to compare with</source>
        <translation>要比较的剖析记录</translation>
    </message>
    <message>
        <source>Profiles (*.fscope);;All files (*)</source>
        <translation>剖析记录 (*.fscope);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Choose another profile to compare the open one with.</source>
        <translation>选择另一份剖析记录，与打开的这份比较。</translation>
    </message>
    <message>
        <source>Neither profile has any.</source>
        <translation>两份剖析记录中都没有。</translation>
    </message>
    <message>
        <source>op time%1: %2 there, %3 here</source>
        <translation>算子时间%1：另一份 %2，本份 %3</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
    <message>
        <source>mode %1 there, %2 here</source>
        <translation>模式：另一份 %1，本份 %2</translation>
    </message>
    <message>
        <source>device %1 there, %2 here</source>
        <translation>设备：另一份 %1，本份 %2</translation>
    </message>
    <message>
        <source>ended %1 there, %2 here</source>
        <translation>结束状态：另一份 %1，本份 %2</translation>
    </message>
    <message>
        <source>script %1 there, %2 here</source>
        <translation>脚本：另一份 %1，本份 %2</translation>
    </message>
    <message>
        <source>%1 steps there, %2 here</source>
        <translation>步数：另一份 %1，本份 %2</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::ConsolePanel</name>
    <message>
        <source>What the program wrote</source>
        <translation>程序的输出</translation>
    </message>
    <message>
        <source>Output of the program under debugging.</source>
        <translation>被调试程序的输出。</translation>
    </message>
    <message>
        <source>Expression, or input of the program</source>
        <translation>表达式，或程序的输入</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>A line for the program&apos;s standard input</source>
        <translation>写入程序标准输入的一行</translation>
    </message>
    <message>
        <source>An expression or statement, evaluated where the program stands</source>
        <translation>在程序停下的位置求值的表达式或语句</translation>
    </message>
    <message>
        <source>No program is being debugged.</source>
        <translation>当前没有正在调试的程序。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::DapClient</name>
    <message>
        <source>The debugger&apos;s process was ended.</source>
        <translation>调试器进程已结束。</translation>
    </message>
    <message>
        <source>The debugger ended with exit status %1.</source>
        <translation>调试器已退出，退出码 %1。</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>No program is being debugged.</source>
        <translation>当前没有正在调试的程序。</translation>
    </message>
    <message>
        <source>The program has ended.</source>
        <translation>程序已结束。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::DebugControls</name>
    <message>
        <source>Start Debugging</source>
        <translation>开始调试</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Step Op: to just before the next op</source>
        <translation>算子单步：停在下一个算子之前</translation>
    </message>
    <message>
        <source>Step Over</source>
        <translation>单步跳过</translation>
    </message>
    <message>
        <source>Step Into</source>
        <translation>单步进入</translation>
    </message>
    <message>
        <source>Step Out</source>
        <translation>单步跳出</translation>
    </message>
    <message>
        <source>Step Back: to the op before</source>
        <translation>单步回退：回到上一个算子</translation>
    </message>
    <message>
        <source>Reverse Continue: to the breakpoint before</source>
        <translation>反向继续：回到上一个断点</translation>
    </message>
    <message>
        <source>Stop Debugging</source>
        <translation>停止调试</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>&lt;b&gt;Stopped&lt;/b&gt; %1</source>
        <translation>&lt;b&gt;已停下&lt;/b&gt; %1</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; is running under the debugger.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 正在调试器中运行。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::DebugSession</name>
    <message>
        <source>A program is being debugged already.</source>
        <translation>已有程序正在调试。</translation>
    </message>
    <message>
        <source>at its first line</source>
        <translation>在第一行</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>at a breakpoint</source>
        <translation>在断点处</translation>
    </message>
    <message>
        <source>after a step</source>
        <translation>单步之后</translation>
    </message>
    <message>
        <source>No program is being debugged.</source>
        <translation>当前没有正在调试的程序。</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>%1 was stopped after %2 s; what was recorded until then is shown.</source>
        <translation>%1 在 %2 秒后被停止；现在显示的是此前的记录。</translation>
    </message>
    <message>
        <source>The debugger of %1 went away after %2 s.</source>
        <translation>%1 的调试器在 %2 秒后消失。</translation>
    </message>
    <message>
        <source>%1 is no longer debugged: %2</source>
        <translation>%1 不再处于调试状态：%2</translation>
    </message>
    <message>
        <source>%1 ended after %2 s.</source>
        <translation>%1 运行 %2 秒后结束。</translation>
    </message>
    <message>
        <source>%1 ended with exit status %2 after %3 s; see Debug Console.</source>
        <translation>%1 在 %3 秒后以退出码 %2 结束；详见“调试控制台”。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::DeltaModel</name>
    <message>
        <source>What</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>另一份</translation>
    </message>
    <message>
        <source>In the other profile</source>
        <translation>在另一份剖析记录中</translation>
    </message>
    <message>
        <source>This</source>
        <translation>本份</translation>
    </message>
    <message>
        <source>In the open profile</source>
        <translation>在打开的剖析记录中</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>only in this</source>
        <translation>仅本份有</translation>
    </message>
    <message>
        <source>only in the other</source>
        <translation>仅另一份有</translation>
    </message>
    <message>
        <source>Count, other</source>
        <translation>次数（另一份）</translation>
    </message>
    <message>
        <source>Count, this</source>
        <translation>次数（本份）</translation>
    </message>
    <message>
        <source>This one minus the other; sorted by its size, whatever its sign</source>
        <translation>本份减另一份；按大小排序，不计正负</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::EventModel</name>
    <message>
        <source>graph</source>
        <translation>图模式</translation>
    </message>
    <message>
        <source>eager</source>
        <translation>动态图</translation>
    </message>
    <message>
        <source>%1, modelled</source>
        <translation>%1，模型估算</translation>
    </message>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Duration</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::Finder</name>
    <message>
        <source>Ops, nodes, tensors, lines, findings… &quot;&gt;&quot; for commands</source>
        <translation>算子、节点、张量、代码行、发现…输入“&gt;”执行命令</translation>
    </message>
    <message>
        <source>No command is called that.</source>
        <translation>没有这个名称的命令。</translation>
    </message>
    <message>
        <source>op: node: tensor: line: finding: graph: or scope: in front narrows the search.</source>
        <translation>在前面加上 op:、node:、tensor:、line:、finding:、graph: 或 scope: 可缩小搜索范围。</translation>
    </message>
    <message>
        <source>Not a regular expression: %1</source>
        <translation>不是有效的正则表达式：%1</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>Nothing has that in it.</source>
        <translation>没有匹配的内容。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::FindingModel</name>
    <message>
        <source>✖ error</source>
        <translation>✖ 错误</translation>
    </message>
    <message>
        <source>▲ warning</source>
        <translation>▲ 警告</translation>
    </message>
    <message>
        <source>● info</source>
        <translation>● 提示</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>类别</translation>
    </message>
    <message>
        <source>What</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::FindingsPanel</name>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Nothing was found so far.</source>
        <translation>目前没有发现问题。</translation>
    </message>
    <message>
        <source>Nothing was found in this run.</source>
        <translation>本次运行没有发现问题。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::FlamePanel</name>
    <message>
        <source>by Cell</source>
        <translation>按 Cell</translation>
    </message>
    <message>
        <source>by call stack and line</source>
        <translation>按调用栈和代码行</translation>
    </message>
    <message>
        <source>What holds what</source>
        <translation>分层方式</translation>
    </message>
    <message>
        <source>icicle</source>
        <translation>冰柱图</translation>
    </message>
    <message>
        <source>flame graph</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Where the outermost boxes are</source>
        <translation>最外层方块的位置</translation>
    </message>
    <message>
        <source>measured time</source>
        <translation>实测时间</translation>
    </message>
    <message>
        <source>modelled time</source>
        <translation>模型估算时间</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Show the whole (F)</source>
        <translation>显示全部 (F)</translation>
    </message>
    <message>
        <source>No op was timed in this run.</source>
        <translation>本次运行没有算子计时。</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
    <message>
        <source>double click widens a box</source>
        <translation>双击放大方块</translation>
    </message>
    <message>
        <source>%1%2 in all · %3</source>
        <translation>共 %1%2 · %3</translation>
    </message>
    <message>
        <source>%1: %2%3, %4 of the whole</source>
        <translation>%1：%2%3，占全部的 %4</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::FlamePlot</name>
    <message>
        <source>Time from the outside in</source>
        <translation>由外到内的耗时</translation>
    </message>
    <message>
        <source>Boxes as wide as the time in them. Arrow keys go from box to box, Enter widens one, Backspace goes back</source>
        <translation>方块宽度即其中的耗时。方向键在方块间移动，Enter 放大，Backspace 返回</translation>
    </message>
    <message>
        <source>
%1%2 in %3 ops · %4 of the whole</source>
        <translation>
%1%2，%3 次算子 · 占全部的 %4</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::GraphPane</name>
    <message>
        <source>Laying out…</source>
        <translation>正在布局……</translation>
    </message>
    <message>
        <source>This stage has no nodes.</source>
        <translation>此阶段没有节点。</translation>
    </message>
    <message>
        <source>%L1 constants hidden</source>
        <translation>已隐藏 %L1 个常量</translation>
    </message>
    <message>
        <source>%L1 inputs and parameters hidden</source>
        <translation>已隐藏 %L1 个输入和参数</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::GraphPanel</name>
    <message>
        <source>Find op, node or scope</source>
        <translation>查找算子、节点或作用域</translation>
    </message>
    <message>
        <source>colour: op kind</source>
        <translation>颜色：算子类型</translation>
    </message>
    <message>
        <source>colour: time</source>
        <translation>颜色：耗时</translation>
    </message>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>Graph before</source>
        <translation>之前的计算图</translation>
    </message>
    <message>
        <source>Graph after</source>
        <translation>之后的计算图</translation>
    </message>
    <message>
        <source>No graph was compiled in this run.
Programs compile graphs in graph mode and under @jit.</source>
        <translation>本次运行没有编译计算图。
程序在图模式下或使用 @jit 时会编译计算图。</translation>
    </message>
    <message>
        <source>side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>How the two stages are shown</source>
        <translation>两个阶段的显示方式</translation>
    </message>
    <message>
        <source>Two graphs side by side, or both in one with what was added, removed, changed and fused</source>
        <translation>两张图并排显示，或合为一张并标出新增、移除、改变和融合之处</translation>
    </message>
    <message>
        <source>Colour of nodes</source>
        <translation>节点颜色</translation>
    </message>
    <message>
        <source>colour: memory</source>
        <translation>颜色：内存</translation>
    </message>
    <message>
        <source>colour: device</source>
        <translation>颜色：设备</translation>
    </message>
    <message>
        <source>colour: health</source>
        <translation>颜色：健康</translation>
    </message>
    <message>
        <source>colour: change</source>
        <translation>颜色：变化</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>Fit the graph into the view (F)</source>
        <translation>使图适合视图 (F)</translation>
    </message>
    <message>
        <source>Scopes by Cell</source>
        <translation>按 Cell 划分作用域</translation>
    </message>
    <message>
        <source>Scopes by function</source>
        <translation>按函数划分作用域</translation>
    </message>
    <message>
        <source>No scopes</source>
        <translation>不划分作用域</translation>
    </message>
    <message>
        <source>Open all scopes</source>
        <translation>展开全部作用域</translation>
    </message>
    <message>
        <source>Close all scopes</source>
        <translation>折叠全部作用域</translation>
    </message>
    <message>
        <source>Hide constants</source>
        <translation>隐藏常量</translation>
    </message>
    <message>
        <source>Hide inputs and parameters</source>
        <translation>隐藏输入和参数</translation>
    </message>
    <message>
        <source>Follow the selected tensor upstream</source>
        <translation>向上游追踪所选张量</translation>
    </message>
    <message>
        <source>Follow it downstream</source>
        <translation>向下游追踪</translation>
    </message>
    <message>
        <source>Follow it both ways</source>
        <translation>双向追踪</translation>
    </message>
    <message>
        <source>Stop following</source>
        <translation>停止追踪</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>缩略图</translation>
    </message>
    <message>
        <source>Animate</source>
        <translation>动画</translation>
    </message>
    <message>
        <source>Save the graph as SVG, PNG, PDF or DOT…</source>
        <translation>将图保存为 SVG、PNG、PDF 或 DOT……</translation>
    </message>
    <message>
        <source>Copy as image</source>
        <translation>复制为图像</translation>
    </message>
    <message>
        <source>The graph is in the clipboard as an image.</source>
        <translation>图已作为图像复制到剪贴板。</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Both stages in one graph</source>
        <translation>两个阶段合为一图</translation>
    </message>
    <message>
        <source>Choose a node first: its values are followed.</source>
        <translation>请先选择一个节点：将追踪它的值。</translation>
    </message>
    <message>
        <source>Save the graph</source>
        <translation>保存图</translation>
    </message>
    <message>
        <source>Pictures and graphs (*.svg *.png *.pdf *.dot);;SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;Graphviz (*.dot)</source>
        <translation>图片和图 (*.svg *.png *.pdf *.dot);;SVG (*.svg);;PNG (*.png);;PDF (*.pdf);;Graphviz (*.dot)</translation>
    </message>
    <message>
        <source>The graph was saved in %1.</source>
        <translation>图已保存到 %1。</translation>
    </message>
    <message>
        <source>Move both graphs together</source>
        <translation>两侧计算图同步移动</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::GraphPicker</name>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>graph %1</source>
        <translation>图 %1</translation>
    </message>
    <message>
        <source>%1 · %2 nodes</source>
        <translation>%1 · %2 个节点</translation>
    </message>
    <message>
        <source>%1 %2
compiled in %3</source>
        <translation>%1 %2
编译耗时 %3</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::GraphScene</name>
    <message>
        <source>%1 of this graph&apos;s time%2</source>
        <translation>占本图时间的 %1%2</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
    <message>
        <source>holds %1</source>
        <translation>包含 %1</translation>
    </message>
    <message>
        <source>Double-click to open</source>
        <translation>双击展开</translation>
    </message>
    <message>
        <source>in a kernel that takes %1 of this graph&apos;s time%2</source>
        <translation>所在内核占此图时间的 %1%2</translation>
    </message>
    <message>
        <source>reads and writes %1</source>
        <translation>读写 %1</translation>
    </message>
    <message>
        <source>NaN: %1, Inf: %2</source>
        <translation>NaN：%1，Inf：%2</translation>
    </message>
    <message>
        <source>also read by %1</source>
        <translation>还被 %1 读取</translation>
    </message>
    <message>
        <source>also reads %1</source>
        <translation>还读取 %1</translation>
    </message>
    <message>
        <source>Double-click to close</source>
        <translation>双击折叠</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::HealthPage</name>
    <message>
        <source>Map of NaN and Inf</source>
        <translation>NaN 与 Inf 分布图</translation>
    </message>
    <message>
        <source>Previous NaN or Inf (Shift+N)</source>
        <translation>上一个 NaN 或 Inf (Shift+N)</translation>
    </message>
    <message>
        <source>Next NaN or Inf (N)</source>
        <translation>下一个 NaN 或 Inf (N)</translation>
    </message>
    <message>
        <source>First elements that are NaN or Inf</source>
        <translation>最先出现的 NaN 或 Inf 元素</translation>
    </message>
    <message>
        <source>Counting…</source>
        <translation>正在统计…</translation>
    </message>
    <message>
        <source>Whole numbers are always finite.</source>
        <translation>整数总是有限的。</translation>
    </message>
    <message>
        <source>All %1 elements are finite.</source>
        <translation>全部 %1 个元素均为有限值。</translation>
    </message>
    <message>
        <source>%1 NaN, %2 Inf, %3 −Inf of %4 elements</source>
        <translation>%4 个元素中有 %1 个 NaN、%2 个 Inf、%3 个 −Inf</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>非数（NaN）</translation>
    </message>
    <message>
        <source>Inf</source>
        <translation>无穷大</translation>
    </message>
    <message>
        <source>−Inf</source>
        <translation>负无穷大</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… 以及另外 %1 个</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::HeatMap</name>
    <message>
        <source>finite</source>
        <translation>有限</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>非数（NaN）</translation>
    </message>
    <message>
        <source>Inf</source>
        <translation>无穷大</translation>
    </message>
    <message>
        <source>−Inf</source>
        <translation>负无穷大</translation>
    </message>
    <message>
        <source>mean of %1 × %2 elements from here: %3</source>
        <translation>由此起 %1 × %2 个元素的均值：%3</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::HeatPage</name>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::HistogramPlot</name>
    <message>
        <source>elements</source>
        <translation>元素数</translation>
    </message>
    <message>
        <source>%1 to %2: %3 elements</source>
        <translation>%1 至 %2：%3 个元素</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::HistoryPlot</name>
    <message>
        <source>History of the tensor</source>
        <translation>张量的历史</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>run of the op</source>
        <translation>算子的运行次数</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>run %1, step %2</source>
        <translation>第 %1 次运行，第 %2 步</translation>
    </message>
    <message>
        <source>%1 to %2, mean %3</source>
        <translation>%1 至 %2，均值 %3</translation>
    </message>
    <message>
        <source>%1 NaN or Inf</source>
        <translation>%1 个 NaN 或 Inf</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::HolderModel</name>
    <message>
        <source>Allocated in</source>
        <translation>分配于</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>代码行</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>Bytes that are live at the chosen moment</source>
        <translation>所选时刻占用的字节数</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Pieces</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Growths of the memory that are still live</source>
        <translation>仍在占用的内存增长次数</translation>
    </message>
    <message>
        <source>Since</source>
        <translation>始于</translation>
    </message>
    <message>
        <source>When the oldest of it was allocated</source>
        <translation>其中最早的分配时间</translation>
    </message>
    <message>
        <source>outside of ops: data, parameters</source>
        <translation>算子之外：数据、参数</translation>
    </message>
    <message>
        <source>before the recording began</source>
        <translation>记录开始之前</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::ImagePage</name>
    <message>
        <source>height, width</source>
        <translation>高、宽</translation>
    </message>
    <message>
        <source>height, width, channels</source>
        <translation>高、宽、通道</translation>
    </message>
    <message>
        <source>channels, height, width</source>
        <translation>通道、高、宽</translation>
    </message>
    <message>
        <source>What the last axes are</source>
        <translation>最后几个轴的含义</translation>
    </message>
    <message>
        <source>Channel</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>least to greatest</source>
        <translation>最小至最大</translation>
    </message>
    <message>
        <source>0 to 1</source>
        <translation>0 至 1</translation>
    </message>
    <message>
        <source>0 to 255</source>
        <translation>0 至 255</translation>
    </message>
    <message>
        <source>What is black and what is white</source>
        <translation>黑与白对应的值</translation>
    </message>
    <message>
        <source>picture </source>
        <translation>图片 </translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>图片</translation>
    </message>
    <message>
        <source>Picture of the tensor</source>
        <translation>张量的图片</translation>
    </message>
    <message>
        <source>red, green, blue</source>
        <translation>红、绿、蓝</translation>
    </message>
    <message>
        <source>grey</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>channel %1</source>
        <translation>通道 %1</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation>，共 %1</translation>
    </message>
    <message>
        <source>black %1, white %2</source>
        <translation>黑 %1，白 %2</translation>
    </message>
    <message>
        <source>; every %1th pixel</source>
        <translation>；每 %1 个像素取一个</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::InspectorPanel</name>
    <message>
        <source>Properties of the selection</source>
        <translation>所选对象的属性</translation>
    </message>
    <message>
        <source>Choose a node, an op, a line, a slice or a finding: what is known about it is shown here.</source>
        <translation>选择节点、算子、代码行、时间片或发现，这里会显示它的全部信息。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::IrTextPanel</name>
    <message>
        <source>Before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>After</source>
        <translation>之后</translation>
    </message>
    <message>
        <source>side by side</source>
        <translation>并排</translation>
    </message>
    <message>
        <source>merged</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>How the two texts are shown</source>
        <translation>两段文本的显示方式</translation>
    </message>
    <message>
        <source>Changes</source>
        <translation>变化</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::KernelPanel</name>
    <message>
        <source>Fused kernel</source>
        <translation>融合内核</translation>
    </message>
    <message>
        <source>Form of the code</source>
        <translation>代码形式</translation>
    </message>
    <message>
        <source>LLVM IR</source>
        <translation>LLVM IR</translation>
    </message>
    <message>
        <source>Assembly</source>
        <translation>汇编</translation>
    </message>
    <message>
        <source>Its ops run element by element over the same shape: one loop computes them all, and the values in between stay in registers instead of going through memory.</source>
        <translation>其中的算子在相同形状上逐元素计算：一个循环即可全部算完，中间值留在寄存器中，不经过内存。</translation>
    </message>
    <message>
        <source>Its parts do not depend on each other and are alike: one launch does the work of many small ones.</source>
        <translation>各部分相互独立且结构相同：一次启动完成许多小内核的工作。</translation>
    </message>
    <message>
        <source>What follows the heavy op is done on its result piece by piece, while that is still in the cache.</source>
        <translation>主算子之后的计算趁结果仍在缓存中时分块完成。</translation>
    </message>
    <message>
        <source>No ops were fused in this graph.</source>
        <translation>该计算图没有融合算子。</translation>
    </message>
    <message>
        <source>Formed by &lt;b&gt;%1&lt;/b&gt;.</source>
        <translation>由 &lt;b&gt;%1&lt;/b&gt; 生成。</translation>
    </message>
    <message>
        <source>Formed by &lt;b&gt;%1&lt;/b&gt;, which did: %2.</source>
        <translation>由 &lt;b&gt;%1&lt;/b&gt; 生成，该步骤：%2。</translation>
    </message>
    <message>
        <source>%1 ops: %2</source>
        <translation>%1 个算子：%2</translation>
    </message>
    <message>
        <source>Reads and writes %1 a run; one by one the ops would move %2.</source>
        <translation>每次运行读写 %1；若逐个执行则需 %2。</translation>
    </message>
    <message>
        <source>; No code was generated for this kernel: it is one of the CPU library&apos;s, runs op by op,
; or the profile is of an older version.</source>
        <translation>; 该内核没有生成代码：它来自 CPU 库、逐算子执行，
; 或记录文件来自旧版本。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::MainWindow</name>
    <message>
        <source>%1 does not exist.</source>
        <translation>%1 不存在。</translation>
    </message>
    <message>
        <source>Stop the program that is debugged before opening another file.</source>
        <translation>打开其他文件前，请先停止正在调试的程序。</translation>
    </message>
    <message>
        <source>Stop the program that runs before opening another.</source>
        <translation>打开其他程序前，请先停止正在运行的程序。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Save Profile As</source>
        <translation>性能数据另存为</translation>
    </message>
    <message>
        <source>Profiles (*.fscope)</source>
        <translation>性能数据 (*.fscope)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已保存 %1</translation>
    </message>
    <message>
        <source>%1 — fusescope</source>
        <translation>%1 — fusescope</translation>
    </message>
    <message>
        <source>mode: %1</source>
        <translation>模式：%1</translation>
    </message>
    <message>
        <source>device: %1</source>
        <translation>设备：%1</translation>
    </message>
    <message>
        <source>%1 op events</source>
        <translation>%1 次算子执行</translation>
    </message>
    <message>
        <source>recording</source>
        <translation>记录中</translation>
    </message>
    <message>
        <source>run: %1</source>
        <translation>运行：%1</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;Recent</source>
        <translation>最近打开的文件(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save Profile As…</source>
        <translation>性能数据另存为(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>后退(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>前进(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Select Nothing</source>
        <translation>取消选择(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Find in Panel</source>
        <translation>在面板中查找(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>运行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Run and Record</source>
        <translation>运行并记录(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Debug</source>
        <translation>调试(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;About fusescope</source>
        <translation>关于 fusescope(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>主题(&amp;T)</translation>
    </message>
    <message>
        <source>As the &amp;System</source>
        <translation>跟随系统(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>语言(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Reset Layout</source>
        <translation>恢复默认布局(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>清空(&amp;C)</translation>
    </message>
    <message>
        <source>About fusescope</source>
        <translation>关于 fusescope</translation>
    </message>
    <message>
        <source>&lt;h3&gt;fusescope %1&lt;/h3&gt;&lt;p&gt;Shows what fusion did to a tensor program, finds the operation that broke it, and says where the time went.&lt;/p&gt;&lt;p&gt;GPL-3.0-or-later. Uses Qt, QCustomPlot, QScintilla, Graphviz and SQLite.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;fusescope %1&lt;/h3&gt;&lt;p&gt;展示融合如何改变张量程序，找出导致错误的算子，并说明时间花在哪里。&lt;/p&gt;&lt;p&gt;许可证为 GPL-3.0-or-later。使用了 Qt、QCustomPlot、QScintilla、Graphviz 和 SQLite。&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&amp;Go to Anything…</source>
        <translation>转到任意内容(&amp;G)…</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>命令(&amp;C)…</translation>
    </message>
    <message>
        <source>Stop the comparison before opening another file.</source>
        <translation>请先停止比较，再打开其他文件。</translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2</source>
        <translation>无法打开 %1：%2</translation>
    </message>
    <message>
        <source>Profiles, scripts and comparisons (*.fscope *.py check.json);;All files (*)</source>
        <translation>性能数据、脚本和比较结果 (*.fscope *.py check.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Book&amp;mark This Place</source>
        <translation>将此处加入书签(&amp;M)</translation>
    </message>
    <message>
        <source>Boo&amp;kmarks</source>
        <translation>书签(&amp;K)</translation>
    </message>
    <message>
        <source>Copy &amp;Link</source>
        <translation>复制链接(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Open Link…</source>
        <translation>打开链接(&amp;O)…</translation>
    </message>
    <message>
        <source>None in this profile</source>
        <translation>此性能数据中没有书签</translation>
    </message>
    <message>
        <source>Open Link</source>
        <translation>打开链接</translation>
    </message>
    <message>
        <source>A link that was copied from a window such as this, or PROFILE#node:NAME:</source>
        <translation>从本程序窗口复制的链接，或 PROFILE#node:NAME：</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::MemoryPanel</name>
    <message>
        <source>Peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Who holds the live memory</source>
        <translation>内存由谁占用</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>The moment at which most was live</source>
        <translation>占用最多的时刻</translation>
    </message>
    <message>
        <source>A recording tells how much was allocated and given back, not which piece. What is given back counts as the latest that is live.</source>
        <translation>记录只说明分配和归还了多少，不说明是哪一块。归还的内存按最近分配的计算。</translation>
    </message>
    <message>
        <source>%1 live at %2 · a click in the chart chooses the moment</source>
        <translation>%2 时占用 %1 · 在图中单击选择时刻</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::MemoryPlot</name>
    <message>
        <source>Live memory over time</source>
        <translation>内存占用随时间的变化</translation>
    </message>
    <message>
        <source>No memory was recorded in this run.</source>
        <translation>本次运行没有内存记录。</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>在 %1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::Minimap</name>
    <message>
        <source>Map of the whole graph</source>
        <translation>整张图的缩略图</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::OpChartPanel</name>
    <message>
        <source>Time per op</source>
        <translation>算子耗时</translation>
    </message>
    <message>
        <source>by op kind</source>
        <translation>按算子类型</translation>
    </message>
    <message>
        <source>by source line</source>
        <translation>按源代码行</translation>
    </message>
    <message>
        <source>by kernel</source>
        <translation>按核函数</translation>
    </message>
    <message>
        <source>by scope</source>
        <translation>按作用域</translation>
    </message>
    <message>
        <source>What a bar stands for</source>
        <translation>每个条形代表的内容</translation>
    </message>
    <message>
        <source>No op was timed in this run.</source>
        <translation>本次运行没有算子计时。</translation>
    </message>
    <message>
        <source>sums</source>
        <translation>总和</translation>
    </message>
    <message>
        <source>spread</source>
        <translation>分布</translation>
    </message>
    <message>
        <source>over the steps</source>
        <translation>逐步变化</translation>
    </message>
    <message>
        <source>What is drawn</source>
        <translation>绘制内容</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::OpModel</name>
    <message>
        <source>(no line)</source>
        <translation>（无对应行）</translation>
    </message>
    <message>
        <source>(no scope)</source>
        <translation>（无作用域）</translation>
    </message>
    <message>
        <source>Op</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>核函数</translation>
    </message>
    <message>
        <source>Scope</source>
        <translation>作用域</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>次数</translation>
    </message>
    <message>
        <source>How many times it ran</source>
        <translation>执行次数</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总耗时</translation>
    </message>
    <message>
        <source>Sum of its durations</source>
        <translation>各次耗时之和</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Of all op time by the same clock</source>
        <translation>占同一时钟下全部算子时间的比例</translation>
    </message>
    <message>
        <source>Average</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Total by count</source>
        <translation>总耗时除以次数</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最短</translation>
    </message>
    <message>
        <source>Shortest run</source>
        <translation>最短一次</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Longest run</source>
        <translation>最长一次</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Memory read and written, all runs together</source>
        <translation>各次执行读写的内存总量</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>浮点运算</translation>
    </message>
    <message>
        <source>Floating-point operations, all runs together</source>
        <translation>各次执行的浮点运算总数</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>时钟</translation>
    </message>
    <message>
        <source>Measured on this machine, or modelled by the cost model</source>
        <translation>在本机实测，或由代价模型估算</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>模型估算</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::OpsPanel</name>
    <message>
        <source>Filter</source>
        <translation>筛选</translation>
    </message>
    <message>
        <source>Op times</source>
        <translation>算子耗时</translation>
    </message>
    <message>
        <source>Op events</source>
        <translation>算子执行记录</translation>
    </message>
    <message>
        <source>by op kind</source>
        <translation>按算子类型</translation>
    </message>
    <message>
        <source>by source line</source>
        <translation>按源代码行</translation>
    </message>
    <message>
        <source>by kernel</source>
        <translation>按核函数</translation>
    </message>
    <message>
        <source>by scope</source>
        <translation>按作用域</translation>
    </message>
    <message>
        <source>every event</source>
        <translation>每次执行</translation>
    </message>
    <message>
        <source>What a row stands for</source>
        <translation>每一行代表的内容</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::OutputPanel</name>
    <message>
        <source>Output of the program</source>
        <translation>程序的输出</translation>
    </message>
    <message>
        <source>The program wrote nothing.</source>
        <translation>程序没有输出。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::PassesPanel</name>
    <message>
        <source>Passes</source>
        <translation>优化步骤</translation>
    </message>
    <message>
        <source>What became of the nodes</source>
        <translation>节点的变化</translation>
    </message>
    <message>
        <source>No graph was compiled in this run.</source>
        <translation>本次运行没有编译计算图。</translation>
    </message>
    <message>
        <source>The two stages are the same.</source>
        <translation>两个阶段相同。</translation>
    </message>
    <message>
        <source>All passes</source>
        <translation>全部步骤</translation>
    </message>
    <message>
        <source>Show the graph as captured and the graph that ran</source>
        <translation>显示原始捕获的图与实际执行的图</translation>
    </message>
    <message>
        <source>one stage: %1</source>
        <translation>单个阶段：%1</translation>
    </message>
    <message>
        <source>changes from %1 to %2</source>
        <translation>从 %1 到 %2 的变化</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::RangeBar</name>
    <message>
        <source>Show the whole run</source>
        <translation>显示整个运行</translation>
    </message>
    <message>
        <source>only %1 from %2 on</source>
        <translation>仅 %2 起的 %1</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::Recording</name>
    <message>
        <source>%1 was stopped after %2 s; what was recorded until then is shown.</source>
        <translation>%1 在 %2 秒后被停止；现在显示的是此前的记录。</translation>
    </message>
    <message>
        <source>%1 crashed after %2 s; what was recorded until then is shown.</source>
        <translation>%1 在 %2 秒后崩溃；现在显示的是此前的记录。</translation>
    </message>
    <message>
        <source>%1 ended after %2 s.</source>
        <translation>%1 运行 %2 秒后结束。</translation>
    </message>
    <message>
        <source>%1 raised an exception after %2 s; see Output.</source>
        <translation>%1 在 %2 秒后抛出异常；详见“输出”。</translation>
    </message>
    <message>
        <source>A file could not be read or written; see Output.</source>
        <translation>有文件无法读取或写入；详见“输出”。</translation>
    </message>
    <message>
        <source>%1 ended with exit status %2 after %3 s.</source>
        <translation>%1 在 %3 秒后以退出码 %2 结束。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::RooflinePanel</name>
    <message>
        <source>by op kind</source>
        <translation>按算子类型</translation>
    </message>
    <message>
        <source>by source line</source>
        <translation>按代码行</translation>
    </message>
    <message>
        <source>by kernel</source>
        <translation>按内核</translation>
    </message>
    <message>
        <source>by scope</source>
        <translation>按作用域</translation>
    </message>
    <message>
        <source>What a dot stands for</source>
        <translation>圆点代表什么</translation>
    </message>
    <message>
        <source>roofs: the best that any of them reached in this run · %1 with no FLOPs not shown</source>
        <translation>屋顶线：本次运行中达到的最高值 · 未显示 %1 个没有 FLOP 的项</translation>
    </message>
    <message>
        <source>roofs: the best that any of them reached in this run</source>
        <translation>屋顶线：本次运行中达到的最高值</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::RooflinePlot</name>
    <message>
        <source>%1FLOP/s</source>
        <translation>%1FLOP/s</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>highest modelled</source>
        <translation>模型估算最高值</translation>
    </message>
    <message>
        <source>highest measured</source>
        <translation>实测最高值</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
    <message>
        <source>best seen: %1</source>
        <translation>最高：%1</translation>
    </message>
    <message>
        <source>best seen: %1/s</source>
        <translation>最高：%1/s</translation>
    </message>
    <message>
        <source>No op with FLOPs was timed in this run.</source>
        <translation>本次运行没有带 FLOP 的算子计时。</translation>
    </message>
    <message>
        <source>FLOPs by byte of memory read or written</source>
        <translation>每读写一字节内存的 FLOP 数</translation>
    </message>
    <message>
        <source>%1
%2%3, %4 of the op time
%5, %6/s, %7 FLOPs by byte</source>
        <translation>%1
%2%3，占算子时间的 %4
%5，%6/s，每字节 %7 FLOP</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::RunBar</name>
    <message>
        <source>Mode</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>mode: as the script says</source>
        <translation>模式：由脚本决定</translation>
    </message>
    <message>
        <source>mode: eager</source>
        <translation>模式：动态图</translation>
    </message>
    <message>
        <source>mode: graph</source>
        <translation>模式：图模式</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>device: as the script says</source>
        <translation>设备：由脚本决定</translation>
    </message>
    <message>
        <source>device: CPU</source>
        <translation>设备：CPU</translation>
    </message>
    <message>
        <source>device: Ascend model</source>
        <translation>设备：Ascend 模型</translation>
    </message>
    <message>
        <source>device: Ascend</source>
        <translation>设备：Ascend</translation>
    </message>
    <message>
        <source>What is looked at in every result</source>
        <translation>对每个结果检查的内容</translation>
    </message>
    <message>
        <source>watch: NaN and Inf</source>
        <translation>检查：NaN 与 Inf</translation>
    </message>
    <message>
        <source>watch: off</source>
        <translation>检查：关闭</translation>
    </message>
    <message>
        <source>watch: statistics</source>
        <translation>检查：统计量</translation>
    </message>
    <message>
        <source>watch: values</source>
        <translation>检查：数值</translation>
    </message>
    <message>
        <source>arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Arguments of the script</source>
        <translation>脚本的命令行参数</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message>
        <source>Run and record</source>
        <translation>运行并记录</translation>
    </message>
    <message>
        <source>Run it to its end, recording what it does (Ctrl+F5)</source>
        <translation>运行到结束并记录全过程 (Ctrl+F5)</translation>
    </message>
    <message>
        <source>Debug</source>
        <translation>调试</translation>
    </message>
    <message>
        <source>Run it under the debugger, to the first breakpoint (F5)</source>
        <translation>在调试器中运行到第一个断点 (F5)</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Hide this bar</source>
        <translation>隐藏此栏</translation>
    </message>
    <message>
        <source>Run &lt;b&gt;%1&lt;/b&gt;? It runs as your user, in a process of its own.</source>
        <translation>运行 &lt;b&gt;%1&lt;/b&gt;？它将以当前用户的身份在独立的进程中运行。</translation>
    </message>
    <message>
        <source>&lt;b&gt;%1&lt;/b&gt; is running; the panels show it as it is recorded.</source>
        <translation>&lt;b&gt;%1&lt;/b&gt; 正在运行；各面板随记录实时更新。</translation>
    </message>
    <message>
        <source>Stop it and keep what is known by then (Shift+F5)</source>
        <translation>停止并保留已有结果 (Shift+F5)</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::SearchBar</name>
    <message>
        <source>Previous (Shift+Enter)</source>
        <translation>上一个 (Shift+Enter)</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>上一个匹配</translation>
    </message>
    <message>
        <source>Next (Enter)</source>
        <translation>下一个 (Enter)</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>下一个匹配</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::Session</name>
    <message>
        <source>This profile has no %1.</source>
        <translation>此性能数据中没有 %1。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::SliceBar</name>
    <message>
        <source>axis %1 (%2)</source>
        <translation>轴 %1（%2）</translation>
    </message>
    <message>
        <source>Down:</source>
        <translation>纵向：</translation>
    </message>
    <message>
        <source>Across:</source>
        <translation>横向：</translation>
    </message>
    <message>
        <source>Index along axis %1</source>
        <translation>轴 %1 上的下标</translation>
    </message>
    <message>
        <source>axis %1: </source>
        <translation>轴 %1：</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation>，共 %1</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::SourcePanel</name>
    <message>
        <source>Source file</source>
        <translation>源文件</translation>
    </message>
    <message>
        <source># %1 cannot be read.</source>
        <translation># 无法读取 %1。</translation>
    </message>
    <message>
        <source># The text of this file was not kept.</source>
        <translation># 未保存此文件的内容。</translation>
    </message>
    <message>
        <source>NaN or Inf in %1 results</source>
        <translation>%1 个结果含 NaN 或 Inf</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::StageModel</name>
    <message>
        <source>#</source>
        <translation>#</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>What it did</source>
        <translation>做了什么</translation>
    </message>
    <message>
        <source>the graph as captured</source>
        <translation>原始捕获的图</translation>
    </message>
    <message>
        <source>%1 nodes removed</source>
        <translation>移除了 %1 个节点</translation>
    </message>
    <message>
        <source>nodes added or rewritten</source>
        <translation>新增或改写了节点</translation>
    </message>
    <message>
        <source>no change</source>
        <translation>无变化</translation>
    </message>
    <message>
        <source>at most %1 in use at a time</source>
        <translation>同时最多占用 %1</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>耗时</translation>
    </message>
    <message>
        <source>How long the pass took</source>
        <translation>该步骤所用时间</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>算子数</translation>
    </message>
    <message>
        <source>Nodes that compute, before and after; a fused kernel is one</source>
        <translation>参与计算的节点数（前 → 后）；一个融合算子算一个</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>访存量</translation>
    </message>
    <message>
        <source>Bytes read and written in one run, before and after</source>
        <translation>一次运行读写的字节数（前 → 后）</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::StagePicker</name>
    <message>
        <source>Stage before</source>
        <translation>之前的阶段</translation>
    </message>
    <message>
        <source>Stage after</source>
        <translation>之后的阶段</translation>
    </message>
    <message>
        <source>Passes that changed the graph have a dot</source>
        <translation>带圆点的是改变了计算图的优化步骤</translation>
    </message>
    <message>
        <source> (as captured)</source>
        <translation>（原始捕获）</translation>
    </message>
    <message>
        <source> (what ran)</source>
        <translation>（实际执行）</translation>
    </message>
    <message>
        <source> · %1 nodes</source>
        <translation> · %1 个节点</translation>
    </message>
    <message>
        <source> · no change</source>
        <translation> · 无变化</translation>
    </message>
    <message>
        <source>%1 took %2</source>
        <translation>%1 耗时 %2</translation>
    </message>
    <message>
        <source>, rewrites: %1</source>
        <translation>，改写：%1</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::StartPage</name>
    <message>
        <source>See what fusion did to a tensor program, which operation broke it, and where its time went.</source>
        <translation>看清融合对张量程序做了什么、哪个算子出了错、时间花在哪里。</translation>
    </message>
    <message>
        <source>Open a profile or a script…</source>
        <translation>打开性能数据或脚本…</translation>
    </message>
    <message>
        <source>or drop a file anywhere on this window</source>
        <translation>或将文件拖放到窗口的任意位置</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Files that you open are listed here.</source>
        <translation>打开过的文件会列在这里。</translation>
    </message>
    <message>
        <source>Examples to run</source>
        <translation>可运行的示例</translation>
    </message>
    <message>
        <source>The example programs are not installed.</source>
        <translation>未安装示例程序。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::StepPlot</name>
    <message>
        <source>Time of each op over the steps</source>
        <translation>各算子逐步的耗时</translation>
    </message>
    <message>
        <source>No op was timed in this run.</source>
        <translation>本次运行没有算子计时。</translation>
    </message>
    <message>
        <source>All ops ran in one step.</source>
        <translation>所有算子都在同一步中运行。</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>%1
step %2: %3%4
A double click marks this step in the timeline.</source>
        <translation>%1
第 %2 步：%3%4
双击可在时间线中选取这一步。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::SummaryPage</name>
    <message>
        <source>Histogram of the elements</source>
        <translation>元素直方图</translation>
    </message>
    <message>
        <source>Over the steps</source>
        <translation>随步数变化</translation>
    </message>
    <message>
        <source>Mean in the band from least to greatest; crosses where NaN or Inf occurred</source>
        <translation>色带从最小值到最大值，其中的线为均值；叉号表示出现了 NaN 或 Inf</translation>
    </message>
    <message>
        <source>Logarithmic</source>
        <translation>对数坐标</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Health</source>
        <translation>健康状况</translation>
    </message>
    <message>
        <source>all finite</source>
        <translation>全部为有限值</translation>
    </message>
    <message>
        <source>%1 not finite, first at</source>
        <translation>%1 个非有限值，首个在</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>非数（NaN）</translation>
    </message>
    <message>
        <source>Inf</source>
        <translation>无穷大</translation>
    </message>
    <message>
        <source>−Inf</source>
        <translation>负无穷大</translation>
    </message>
    <message>
        <source>Least</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Greatest</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Zeros</source>
        <translation>零值</translation>
    </message>
    <message>
        <source>Negative</source>
        <translation>负值</translation>
    </message>
    <message>
        <source>Subnormal</source>
        <translation>非规格化数</translation>
    </message>
    <message>
        <source>%1 NaN, %2 Inf</source>
        <translation>%1 个 NaN，%2 个 Inf</translation>
    </message>
    <message>
        <source>First at</source>
        <translation>首个在</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::TablePage</name>
    <message>
        <source>values</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>hexadecimal</source>
        <translation>十六进制</translation>
    </message>
    <message>
        <source>binary</source>
        <translation>二进制</translation>
    </message>
    <message>
        <source>How elements are written</source>
        <translation>元素的写法</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>元素</translation>
    </message>
    <message>
        <source>Choose an element to see its bits.</source>
        <translation>选择一个元素以查看其二进制位。</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>位</translation>
    </message>
    <message>
        <source>sign</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>exponent (NaN or Inf)</source>
        <translation>指数（NaN 或 Inf）</translation>
    </message>
    <message>
        <source>exponent: 2 to the %1</source>
        <translation>指数：2 的 %1 次方</translation>
    </message>
    <message>
        <source>fraction, subnormal</source>
        <translation>尾数，非规格化</translation>
    </message>
    <message>
        <source>fraction</source>
        <translation>尾数</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::TensorPage</name>
    <message>
        <source>The tensor has no elements.</source>
        <translation>该张量没有元素。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::TensorPairModel</name>
    <message>
        <source>no .npy file</source>
        <translation>不是 .npy 文件</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>过大</translation>
    </message>
    <message>
        <source>cut short</source>
        <translation>不完整</translation>
    </message>
    <message>
        <source>the dtype %1 is not known</source>
        <translation>未知的数据类型 %1</translation>
    </message>
    <message>
        <source>another shape</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>sign of 0</source>
        <translation>0 的符号</translation>
    </message>
    <message>
        <source>Index</source>
        <translation>下标</translation>
    </message>
    <message>
        <source>Eager</source>
        <translation>动态图</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>图模式</translation>
    </message>
    <message>
        <source>Difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>Of the graph&apos;s value to the eager one; the bar shows its size</source>
        <translation>图模式的值减动态图的值；色条表示大小</translation>
    </message>
    <message>
        <source>ULP</source>
        <translation>ULP</translation>
    </message>
    <message>
        <source>How many numbers of the dtype lie between the two</source>
        <translation>两值之间相隔多少个该类型的数</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::TensorPanel</name>
    <message>
        <source>History of the tensor</source>
        <translation>张量的历史</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Which run of the op</source>
        <translation>算子的第几次运行</translation>
    </message>
    <message>
        <source>Which run of the op that makes this tensor</source>
        <translation>产生此张量的算子的第几次运行</translation>
    </message>
    <message>
        <source>run </source>
        <translation>第 </translation>
    </message>
    <message>
        <source>Pin to Compare</source>
        <translation>固定以比较</translation>
    </message>
    <message>
        <source>Keeps this tensor: the next one that you choose is compared with it</source>
        <translation>保留此张量：接下来选择的张量会与它比较</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>NumPy File (.npy)…</source>
        <translation>NumPy 文件 (.npy)…</translation>
    </message>
    <message>
        <source>Text (.csv)…</source>
        <translation>文本 (.csv)…</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>概要</translation>
    </message>
    <message>
        <source>Heat Map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>NaN and Inf</source>
        <translation>NaN 与 Inf</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>图像</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>input %1: %2</source>
        <translation>输入 %1：%2</translation>
    </message>
    <message>
        <source>output %1: %2</source>
        <translation>输出 %1：%2</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation>，共 %1</translation>
    </message>
    <message>
        <source>, step %1</source>
        <translation>，第 %1 步</translation>
    </message>
    <message>
        <source>The recorded bytes do not fit this type and shape.</source>
        <translation>记录的字节与此类型和形状不符。</translation>
    </message>
    <message>
        <source>The value of %1 could not be read.</source>
        <translation>无法读取 %1 的值。</translation>
    </message>
    <message>
        <source>Choose an op, a node, a finding or a line: the tensors that it made and read are shown here. While a program stands still, “Show as Tensor” in the menu of a variable shows that.</source>
        <translation>选择一个算子、节点、发现或代码行：它产生和读取的张量会显示在这里。程序停住时，变量菜单中的“显示为张量”可显示该变量。</translation>
    </message>
    <message>
        <source>%1, output %2</source>
        <translation>%1，输出 %2</translation>
    </message>
    <message>
        <source>To have the elements: choose “values” as what is watched and record again, or run

fusescope --record run.fscope --watch values %1</source>
        <translation>若要得到元素：选择“检查：数值”并重新记录，或运行

fusescope --record run.fscope --watch values %1</translation>
    </message>
    <message>
        <source>No op that was recorded made this value: it is a Parameter or an argument of the graph. While a program stands still, “Show as Tensor” in the menu of a variable shows its elements.</source>
        <translation>此值并非由已记录的算子产生：它是参数或图的输入。程序停住时，变量菜单中的“显示为张量”可显示其元素。</translation>
    </message>
    <message>
        <source>There was no room left for the elements of this tensor. More are kept with a larger budget:

fusescope --record run.fscope --watch values --values-budget 2G %1</source>
        <translation>没有空间保留此张量的元素。更大的预算可以保留更多：

fusescope --record run.fscope --watch values --values-budget 2G %1</translation>
    </message>
    <message>
        <source>Nothing was recorded of this tensor.</source>
        <translation>没有记录此张量的任何内容。</translation>
    </message>
    <message>
        <source>The run was recorded with its statistics, without elements.</source>
        <translation>此次运行只记录了统计值，没有记录元素。</translation>
    </message>
    <message>
        <source>The run was recorded without looking at tensors.</source>
        <translation>此次运行未查看张量。</translation>
    </message>
    <message>
        <source>Of this run only NaN and Inf were counted.</source>
        <translation>此次运行只统计了 NaN 与 Inf。</translation>
    </message>
    <message>
        <source>%1 is pinned; choose another tensor, or another run, to compare.</source>
        <translation>已固定 %1；再选择另一个张量或另一次运行即可比较。</translation>
    </message>
    <message>
        <source>Export as Text</source>
        <translation>导出为文本</translation>
    </message>
    <message>
        <source>Export as NumPy File</source>
        <translation>导出为 NumPy 文件</translation>
    </message>
    <message>
        <source>Text (*.csv)</source>
        <translation>文本 (*.csv)</translation>
    </message>
    <message>
        <source>NumPy files (*.npy)</source>
        <translation>NumPy 文件 (*.npy)</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>正在写入 %1…</translation>
    </message>
    <message>
        <source>Wrote %1.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::TimelinePanel</name>
    <message>
        <source>Zoom out (S)</source>
        <translation>缩小 (S)</translation>
    </message>
    <message>
        <source>Zoom in (W)</source>
        <translation>放大 (W)</translation>
    </message>
    <message>
        <source>Show the whole run (F)</source>
        <translation>显示整个运行 (F)</translation>
    </message>
    <message>
        <source>Nothing begins in the marked range.</source>
        <translation>所选范围内没有开始的事件。</translation>
    </message>
    <message>
        <source>Ops of the marked range</source>
        <translation>所选时段内的算子</translation>
    </message>
    <message>
        <source>Reading all %1 events; shown so far is a sample…</source>
        <translation>正在读取全部 %1 个事件；当前显示的是抽样…</translation>
    </message>
    <message>
        <source>W S zoom · A D pan · F fit · drag on the ruler (or Shift + drag) marks a range</source>
        <translation>W S 缩放 · A D 平移 · F 全览 · 在标尺上拖动（或 Shift + 拖动）选取时段</translation>
    </message>
    <message>
        <source>%1%2: %3 in %4, %5 busy</source>
        <translation>%1%2：%3 个，共 %4，占用 %5</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
    <message>
        <source>Steps below each other, and their average</source>
        <translation>各步上下对齐，并显示平均</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Nothing was timed in this run.</source>
        <translation>本次运行没有计时数据。</translation>
    </message>
    <message>
        <source>%1
%2%3
at %4 · %5</source>
        <translation>%1
%2%3
起始于 %4 · %5</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
    <message>
        <source>Lanes of host threads, device streams, transfers, memory and compilations over time</source>
        <translation>主机线程、设备流、传输、内存和编译随时间的泳道</translation>
    </message>
    <message>
        <source>%1
%2%3
at %4</source>
        <translation>%1
%2%3
时刻 %4</translation>
    </message>
    <message>
        <source>
launched %1 before</source>
        <translation>
提前 %1 下发</translation>
    </message>
    <message>
        <source>
Passes are laid end to end: only their durations were recorded.</source>
        <translation>
各优化步骤首尾相接排列：只记录了它们的时长。</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::TransferPlot</name>
    <message>
        <source>host to device</source>
        <translation>主机到设备</translation>
    </message>
    <message>
        <source>device to host</source>
        <translation>设备到主机</translation>
    </message>
    <message>
        <source>device to device</source>
        <translation>设备到设备</translation>
    </message>
    <message>
        <source>tensor from host data</source>
        <translation>由主机数据创建张量</translation>
    </message>
    <message>
        <source>parameter upload</source>
        <translation>上传参数</translation>
    </message>
    <message>
        <source>read back by Python</source>
        <translation>由 Python 读回</translation>
    </message>
    <message>
        <source>printed</source>
        <translation>打印</translation>
    </message>
    <message>
        <source>graph break</source>
        <translation>图中断</translation>
    </message>
    <message>
        <source>op ran on the CPU</source>
        <translation>算子在 CPU 上执行</translation>
    </message>
    <message>
        <source>No transfers were recorded.</source>
        <translation>没有记录到传输。</translation>
    </message>
    <message>
        <source> (modelled)</source>
        <translation>（模型估算）</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>size of the transfer</source>
        <translation>传输大小</translation>
    </message>
    <message>
        <source>%1, %2
%3 in %4%5, %6</source>
        <translation>%1，%2
%3，用时 %4%5，%6</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::TransfersPanel</name>
    <message>
        <source>Transfers by cause</source>
        <translation>按原因统计的传输</translation>
    </message>
    <message>
        <source>size over time</source>
        <translation>大小随时间</translation>
    </message>
    <message>
        <source>bandwidth by size</source>
        <translation>带宽与大小</translation>
    </message>
    <message>
        <source>What is drawn</source>
        <translation>绘制内容</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::VariableModel</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
</context>
<context>
    <name>fusescope::gui::VariablesPanel</name>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Variables are shown while the program stands still.</source>
        <translation>程序停下时会显示变量。</translation>
    </message>
    <message>
        <source>No program is being debugged.</source>
        <translation>当前没有正在调试的程序。</translation>
    </message>
    <message>
        <source>Copy Value</source>
        <translation>复制值</translation>
    </message>
    <message>
        <source>Copy Expression</source>
        <translation>复制表达式</translation>
    </message>
    <message>
        <source>Set Value…</source>
        <translation>设置值…</translation>
    </message>
    <message>
        <source>Go to Where It Was Made</source>
        <translation>转到其产生处</translation>
    </message>
    <message>
        <source>Stop When It Changes</source>
        <translation>变化时停止</translation>
    </message>
    <message>
        <source>The program will stop when %1 changes.</source>
        <translation>%1 变化时程序将停止。</translation>
    </message>
    <message>
        <source>Show as Tensor</source>
        <translation>显示为张量</translation>
    </message>
</context>
<context>
    <name>panel</name>
    <message>
        <source>Breakpoints</source>
        <translation>断点</translation>
    </message>
    <message>
        <source>Call Stack</source>
        <translation>调用栈</translation>
    </message>
    <message>
        <source>Debug Console</source>
        <translation>调试控制台</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>发现</translation>
    </message>
    <message>
        <source>Graph</source>
        <translation>计算图</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>Graph text</source>
        <translation>计算图文本</translation>
    </message>
    <message>
        <source>Time per op</source>
        <translation>算子耗时</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>算子</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源代码</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Eager/Graph</source>
        <translation>动态图/图模式</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Flame graph</source>
        <translation>火焰图</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>优化步骤</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>Two profiles</source>
        <translation>两份记录对比</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
</context>
<context>
    <name>timeline</name>
    <message>
        <source>%1 queued</source>
        <translation>排队 %1 个</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Queue, %1</source>
        <translation>队列，%1</translation>
    </message>
    <message>
        <source>Copies, stream %1</source>
        <translation>拷贝，流 %1</translation>
    </message>
    <message>
        <source>Bandwidth, stream %1</source>
        <translation>带宽，流 %1</translation>
    </message>
    <message>
        <source>Memory, %1</source>
        <translation>内存，%1</translation>
    </message>
    <message>
        <source>compile %1</source>
        <translation>编译 %1</translation>
    </message>
    <message>
        <source>Compilation</source>
        <translation>编译</translation>
    </message>
    <message>
        <source>copy to device</source>
        <translation>拷贝到设备</translation>
    </message>
    <message>
        <source>copy to host</source>
        <translation>拷贝到主机</translation>
    </message>
    <message>
        <source>copy on device</source>
        <translation>设备内拷贝</translation>
    </message>
    <message>
        <source>Ascend model</source>
        <translation>Ascend 模型</translation>
    </message>
    <message>
        <source>%1 thread %2</source>
        <translation>%1 线程 %2</translation>
    </message>
    <message>
        <source>%1 stream %2</source>
        <translation>%1 流 %2</translation>
    </message>
    <message>
        <source>modelled</source>
        <translation>模型估算</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>Too many changes of scope: some are left out.</source>
        <translation>作用域切换过多：部分未显示。</translation>
    </message>
    <message>
        <source>average of %1 steps%2</source>
        <translation>%1 步的平均%2</translation>
    </message>
    <message>
        <source>step %1 · %2%3</source>
        <translation>第 %1 步 · %2%3</translation>
    </message>
    <message>
        <source>Steps begin at 0 · the %1 slowest of %2, the middle one and the fastest</source>
        <translation>各步从 0 开始 · %2 步中最慢的 %1 步、居中的一步和最快的一步</translation>
    </message>
    <message>
        <source>Steps begin at 0 · all %1</source>
        <translation>各步从 0 开始 · 全部 %1 步</translation>
    </message>
</context>
</TS>
