// The sentences of finding_text(), one row each: first the kinds, which every finding can fall back to, then the rules.
#include "profiler/query/finding_catalogue.hpp"

#include <iterator>

namespace fusescope::query {

namespace {

constexpr FindingSentence kSentences[] = {
    // kinds
    {"nan", "{op} gave NaN[ in {elements}][, first at index {index}][, from inputs {inputs}][ (step {step})]",
     "{op} 产生了 NaN[，共 {count} 个元素][，首个位于 {index}][，输入为 {inputs}][（第 {step} 步）]",
     "Look at the inputs of this op: they were the last finite values", "请检查该算子的输入：它们是最后的有限值"},
    {"inf", "{op} gave infinity[ in {elements}][, first at index {index}][, from inputs {inputs}][ (step {step})]",
     "{op} 产生了无穷大[，共 {count} 个元素][，首个位于 {index}][，输入为 {inputs}][（第 {step} 步）]",
     "Scale the inputs down, or use a wider element type", "请缩小输入，或使用更宽的数据类型"},
    {"overflow", "{op} went beyond the range of its element type[ in {elements}][, first at index {index}]",
     "{op} 超出了数据类型的范围[，共 {count} 个元素][，首个位于 {index}]",
     "Scale the values down, or compute in float32", "请缩小数值，或使用 float32 计算"},
    {"underflow", "{op} lost small values to zero[ in {elements}][, first at index {index}]",
     "{op} 的小数值下溢为零[，共 {count} 个元素][，首个位于 {index}]", "Scale the values up, or compute in float32",
     "请放大数值，或使用 float32 计算"},
    {"shape", "{op} cannot take operands of shapes {shapes}", "{op} 不能接受形状为 {shapes} 的操作数",
     "Reshape or transpose an operand so that the shapes agree", "请对操作数做 reshape 或 transpose，使形状一致"},
    {"dtype", "{op} cannot take operands of these element types[: {inputs}]",
     "{op} 不能接受这些数据类型的操作数[：{inputs}]", "Cast an operand with astype()", "请使用 astype() 转换操作数"},
    {"index", "{op} was given an index out of range[: {inputs}][, for shape {shapes}]",
     "{op} 的下标越界[：{inputs}][，形状为 {shapes}]", "Check the indices against the shape", "请对照形状检查下标"},
    {"broadcast", "{op} broadcasts {shapes} to a much larger result", "{op} 将 {shapes} 广播为大得多的结果",
     "If this was not meant, check for a missing or additional axis of length 1",
     "如果并非有意，请检查是否缺少或多出长度为 1 的轴"},
    {"graph_break", "The graph was left here[: {reason}]", "此处离开了计算图[：{reason}]",
     "Move this out of the jitted function, or use an op in its place", "请将其移出 jit 函数，或改用算子"},
    {"recompile", "The function was compiled again[: {reason}]", "函数被重新编译[：{reason}]",
     "Keep shapes and Python arguments the same between calls", "请在各次调用间保持形状和 Python 参数不变"},
    {"side_effect", "A side effect happens while tracing only[: {reason}]", "副作用只在追踪时发生[：{reason}]",
     "Return the value from the function and act on it outside", "请将该值从函数返回，在外部处理"},
    {"fallback", "The device does not have {op}, so the CPU ran it", "设备不支持 {op}，由 CPU 执行",
     "Use an op that the device has to save the copies to the host and back",
     "请使用设备支持的算子，以省去与主机间的拷贝"},
    {"transfer", "Data moved between host and device here[: {reason}][, {count} times][, {bytes} bytes]",
     "此处在主机与设备间传输数据[：{reason}][，共 {count} 次][，{bytes} 字节]",
     "Keep the value on the device, or read it back less often", "请让数值留在设备上，或减少读回次数"},
    {"divergence", "Eager and graph results differ first at {op}[, index {index}][: {inputs}]",
     "eager 与 graph 的结果最先在 {op} 处不同[，下标 {index}][：{inputs}]",
     "Switch the pass off with --passes to confirm that it is the cause", "请用 --passes 关闭该 pass 以确认原因"},
    {"suspicious", "{op} looks wrong[: {reason}]", "{op} 看起来有误[：{reason}]", "", ""},

    // what follows on the sentence of a rule
    {"root_tail", "; it goes back to {root} in line {root_line}[, where {root_element} is {root_value}]",
     "；源头是第 {root_line} 行的 {root}[，其 {root_element} 为 {root_value}]", "", ""},
    {"occurrence_tail", "; it was run {occurrence} of that line", "；该行第 {occurrence} 次运行时发生", "", ""},
    {"absorbed_tail", "; no result has it: it was absorbed", "；结果中没有该值：已被吸收", "", ""},

    // rules
    {"softmax_of_infinity",
     "{op} of infinity gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step {step})]",
     "{op} 的输入含无穷大，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Find where the infinity comes from; scale the scores before they are multiplied, or compute them in float32",
     "请查找无穷大的来源；在相乘之前缩放，或使用 float32 计算"},
    {"power_of_zero",
     "{op} of zero with a negative exponent gave infinity[ in {elements}][, first at index {index}][, inputs "
     "{inputs}][ (step {step})]",
     "{op} 的底数为零且指数为负，结果为无穷大[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} "
     "步）]",
     "Clip the base from below with a small epsilon", "请用小的 epsilon 对底数设下限"},
    {"gradient_of_root_at_zero",
     "The gradient of {op} at zero is infinite[, in {elements}][, first at index {index}][, inputs {inputs}][ (step "
     "{step})]",
     "{op} 在零处的梯度为无穷大[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Add a small epsilon under the root: sqrt(x + 1e-12)", "请在根号内加一个小的 epsilon：sqrt(x + 1e-12)"},
    {"gradient_of_power_at_zero",
     "The gradient of {op} at a base of zero is not finite[, in {elements}][, first at index {index}][, inputs "
     "{inputs}][ (step {step})]",
     "{op} 在底数为零处的梯度不是有限值[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Clip the base from below with a small epsilon before raising it", "请先用小的 epsilon 对底数设下限再求幂"},
    {"zero_gradient_times_inf",
     "In the gradient of {op} zero was multiplied by infinity, which is NaN[, in {elements}][, first at index "
     "{index}][, inputs {inputs}][ (step {step})]",
     "{op} 的梯度中零与无穷大相乘，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} "
     "步）]",
     "Find where the infinity comes from; where() drops a value but not its gradient: make the operand safe before the "
     "op and select afterwards",
     "请查找无穷大的来源；where() 只丢弃数值而不丢弃梯度：请在运算前使操作数安全，之后再选择"},
    {"zero_gradient_over_zero",
     "In the gradient of {op} zero was divided by zero, which is NaN[, in {elements}][, first at index {index}][, "
     "inputs "
     "{inputs}][ (step {step})]",
     "{op} 的梯度中计算 0/0，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "where() drops a value but not its gradient: make the divisor safe before the op, q = a / where(b == 0, 1, b), "
     "and "
     "select afterwards",
     "where() 只丢弃数值而不丢弃梯度：请在运算前使除数安全，如 q = a / where(b == 0, 1, b)，之后再选择"},
    {"not_kept_compiled", "The function is run by Python at each call, as no guard can watch what it does[: {reason}]",
     "该函数每次调用都由 Python 执行，因为无法用守卫检查其行为[：{reason}]",
     "Pass what changes as an argument, as a Tensor", "请将会变化的内容作为参数（Tensor）传入"},
    {"no_code_generator", "Fused operations run one by one, for there is no code generator[: {reason}]",
     "没有代码生成器，融合算子将逐个执行[：{reason}]", "Install LLVM 16 (libllvm16) to have them compiled",
     "请安装 LLVM 16（libllvm16）以编译融合算子"},
    {"nan_number",
     "{op} was given NaN by the program itself[: in {elements} of the result, first at index {index}][ (step {step})]",
     "程序本身将 NaN 传给了 {op}[，结果中共 {count} 个元素][，首个位于 {index}][（第 {step} 步）]",
     "Look at that line: a Python number, or an attribute, is NaN", "请检查该行：其中的 Python 数或属性为 NaN"},
    {"number_overflow",
     "{op} was given a number that[ {dtype}] cannot hold: it became infinity[, which {elements} of the result have, "
     "first at index {index}][ (step {step})]",
     "传给 {op} 的数超出了[ {dtype}]的范围，变成了无穷大[，结果中共 {count} 个元素][，首个位于 {index}][（第 {step} "
     "步）]",
     "Use a number within the range (float16 ends at 65504), or compute in float32",
     "请使用范围内的数（float16 的最大值为 65504），或使用 float32 计算"},
    {"number_vanishes",
     "{op} was given a number so small that it is zero[ in {dtype}]: as an epsilon it guards nothing",
     "传给 {op} 的数过小，[在 {dtype} 中]为零：作为 epsilon 不起作用",
     "Use a larger epsilon (float16 has nothing between 0 and 6e-8), or compute in float32",
     "请使用更大的 epsilon（float16 在 0 与 6e-8 之间没有数），或使用 float32 计算"},
    {"input_overflow",
     "The data that this tensor was made of is beyond the range of[ {dtype}][: {inputs} became infinity][, in "
     "{elements}][, first at index {index}][ (step {step})]",
     "构造该张量的数据超出了[ {dtype}]的范围[：{inputs} 变成了无穷大][，共 {count} 个元素][，首个位于 {index}][（第 "
     "{step} 步）]",
     "Scale the data down, or make the tensor in a wider element type; float16 ends at 65504",
     "请缩小数据，或使用更宽的数据类型；float16 的最大值为 65504"},
    {"quotient_overflow",
     "{op} gave a quotient beyond the range of its element type[ in {elements}][, first at index {index}][, inputs "
     "{inputs}][ (step {step})]",
     "{op} 的商超出了数据类型的范围[，共 {count} 个元素][，首个位于 {index}][，输入为 {inputs}][（第 {step} 步）]",
     "Keep the divisor away from zero with an epsilon, or compute in float32",
     "请用 epsilon 使除数远离零，或使用 float32 计算"},
    {"overflow_on_the_way",
     "{op} went beyond the range of its element type on the way: infinity met infinity or zero, which is NaN[, in "
     "{elements}][, first at index {index}][, inputs {inputs}][ (step {step})]",
     "{op} 的中间结果超出了数据类型的范围：无穷大与无穷大或零相遇，结果为 NaN[，共 {count} 个元素][，首个位于 "
     "{index}][，输入为 {inputs}][（第 {step} 步）]",
     "Scale the values down, or compute in float32", "请缩小数值，或使用 float32 计算"},
    {"variance_of_zero",
     "{op} divided by a standard deviation of zero, with nothing added to it[ in {elements}][, first at index "
     "{index}][, inputs {inputs}][ (step {step})]",
     "{op} 除以为零的标准差，且未加 epsilon[，共 {count} 个元素][，首个位于 {index}][，输入为 {inputs}][（第 {step} "
     "步）]",
     "Use an epsilon above 0: the elements that are normalised together are all equal",
     "请使用大于 0 的 epsilon：一起归一化的元素全部相等"},
    {"normalised_infinity",
     "{op} normalised infinity, which gave NaN[ in {elements}][, first at index {index}][, inputs {inputs}][ (step "
     "{step})]",
     "{op} 对无穷大做归一化，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入为 {inputs}][（第 {step} 步）]",
     "Find where the infinity comes from: it was there before", "请查找无穷大的来源：它在此之前就已存在"},
    {"zero_gradient_at_root",
     "The gradient of {op} at zero is infinite, and nothing flows back to it: zero times infinity is NaN[, in "
     "{elements}][, first at index {index}][, inputs {inputs}][ (step {step})]",
     "{op} 在零处的梯度为无穷大，而没有梯度流回：零乘以无穷大为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入为 "
     "{inputs}][（第 {step} 步）]",
     "where() drops a value but not its gradient: make the operand safe before the root, sqrt(where(x > 0, x, 1)), and "
     "select afterwards",
     "where() 只丢弃数值而不丢弃梯度：请在求根前使操作数安全，如 sqrt(where(x > 0, x, 1))，之后再选择"},
    {"gradient_at_origin",
     "The gradient of {op} is not defined where both operands are zero[, in {elements}][, first at index {index}][, "
     "inputs {inputs}][ (step {step})]",
     "{op} 在两个操作数均为零处没有梯度[，共 {count} 个元素][，首个位于 {index}][，输入为 {inputs}][（第 {step} 步）]",
     "Keep the point away from the origin, for example by adding a small epsilon to one operand",
     "请使该点远离原点，例如给其中一个操作数加一个小的 epsilon"},
    {"gradient_of_log_at_zero",
     "The gradient of {op} where the logarithm is of zero is infinite[, in {elements}][, first at index {index}][, "
     "inputs {inputs}][ (step {step})]",
     "{op} 在对零取对数处的梯度为无穷大[，共 {count} 个元素][，首个位于 {index}][，输入为 {inputs}][（第 {step} 步）]",
     "Add a small epsilon, or clip the input from below before the logarithm",
     "请在取对数前加一个小的 epsilon，或对输入设下限"},
    {"gradient_at_edge",
     "The gradient of {op} at the edge of its domain is infinite[, in {elements}][, first at index {index}][, inputs "
     "{inputs}][ (step {step})]",
     "{op} 在定义域边界处的梯度为无穷大[，共 {count} 个元素][，首个位于 {index}][，输入为 {inputs}][（第 {step} 步）]",
     "Clip the input to slightly inside, for example to 1 - 1e-6", "请将输入限制在边界以内，例如 1 - 1e-6"},
    {"gradient_of_exponent",
     "The gradient of {op} for its exponent takes the logarithm of the base, which is not above zero[, in "
     "{elements}][, first at index {index}][, inputs {inputs}][ (step {step})]",
     "{op} 对指数的梯度需要对底数取对数，而底数不大于零[，共 {count} 个元素][，首个位于 {index}][，输入为 "
     "{inputs}][（第 {step} 步）]",
     "Clip the base from below with a small epsilon, or keep the exponent out of the gradient",
     "请用小的 epsilon 对底数设下限，或不对指数求梯度"},
    {"nan_in_input",
     "The data that this tensor was made of already held NaN[ in {elements}][, first at index {index}][ (step {step})]",
     "构造该张量的数据中已含有 NaN[，共 {count} 个元素][，首个位于 {index}][（第 {step} 步）]",
     "Look where the data comes from: numpy.isnan(data).any() before it is used",
     "请检查数据来源：使用前用 numpy.isnan(data).any() 判断"},
    {"log_of_zero", "{op} of zero gave -inf[ in {elements}][, first at index {index}][ (step {step})]",
     "{op} 的输入为零，结果为 -inf[，共 {count} 个元素][，首个位于 {index}][（第 {step} 步）]",
     "Add a small epsilon, or clip the input from below before the logarithm",
     "请在取对数前加一个小的 epsilon，或对输入设下限"},
    {"log_of_negative",
     "{op} of a negative number gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step "
     "{step})]",
     "{op} 的输入为负数，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Clip the input from below before the logarithm", "请在取对数前对输入设下限"},
    {"sqrt_of_negative",
     "{op} of a negative number gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step "
     "{step})]",
     "{op} 的输入为负数，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Clip the input at zero; a variance computed as mean(x*x) - mean(x)^2 can fall below zero by rounding",
     "请将输入限制为非负；以 mean(x*x) - mean(x)^2 计算的方差可能因舍入小于零"},
    {"division_by_zero",
     "{op} divided by zero[ in {elements}][, first at index {index}][, inputs {inputs}][ (step {step})]",
     "{op} 除以零[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Add a small epsilon to the divisor", "请给除数加一个小的 epsilon"},
    {"zero_over_zero",
     "{op} divided zero by zero, which is NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step "
     "{step})]",
     "{op} 计算 0/0，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Add a small epsilon to the divisor", "请给除数加一个小的 epsilon"},
    {"inf_minus_inf",
     "{op} took infinity from infinity, which is NaN[, in {elements}][, first at index {index}][ (step {step})]",
     "{op} 计算 inf - inf，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][（第 {step} 步）]",
     "Find where the infinity comes from: it was there before", "请查找无穷大的来源：它此前已经存在"},
    {"overflow_of_exp",
     "{op} of a large number is beyond the range of its element type[ in {elements}][, first at index {index}][, "
     "input {inputs}][ (step {step})]",
     "{op} 的输入过大，结果超出了数据类型的范围[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} "
     "步）]",
     "Subtract the maximum first, as softmax does, or stay in the logarithm (log_softmax)",
     "请先减去最大值（如 softmax），或保持在对数域（log_softmax）"},
    {"overflow_of_pow",
     "{op} gave a power beyond the range of its element type[ in {elements}][, first at index {index}][, input "
     "{inputs}][ (step {step})]",
     "{op} 的幂超出了数据类型的范围[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Scale the base down, or compute in float32", "请缩小底数，或使用 float32 计算"},
    {"overflow_of_cast",
     "{op} met values beyond the range of the narrower element type[ in {elements}][, first at index {index}][, "
     "input {inputs}][ (step {step})]",
     "{op} 遇到超出较窄数据类型范围的数值[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Scale the values down before the cast; float16 ends at 65504", "请在转换前缩小数值；float16 的最大值为 65504"},
    {"power_of_negative_base",
     "{op} of a negative base with a fractional exponent gave NaN[ in {elements}][, first at index {index}][, "
     "input {inputs}][ (step {step})]",
     "{op} 的底数为负且指数非整数，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} "
     "步）]",
     "Take the absolute value first, or clip the base at zero", "请先取绝对值，或将底数限制为非负"},
    {"rsqrt_of_zero",
     "{op} of zero gave infinity[ in {elements}][, first at index {index}][, input {inputs}][ (step {step})]",
     "{op} 的输入为零，结果为无穷大[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Add a small epsilon inside the root, as normalisation layers do", "请在根号内加一个小的 epsilon，如归一化层所做"},
    {"mean_of_nothing",
     "{op} over no elements gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step {step})]",
     "{op} 对零个元素求平均，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Check the shape of the operand: an axis has length 0", "请检查操作数的形状：有一个轴的长度为 0"},
    {"zero_times_inf",
     "{op} multiplied zero by infinity, which is NaN[ in {elements}][, first at index {index}][, input "
     "{inputs}][ (step {step})]",
     "{op} 计算 0 乘以无穷大，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Find where the infinity comes from: it was there before; a mask is safer with select than with a product",
     "请查找无穷大的来源；用 select 做掩码比用乘法更安全"},
    {"inf_over_inf",
     "{op} divided infinity by infinity, which is NaN[ in {elements}][, first at index {index}][, input "
     "{inputs}][ (step {step})]",
     "{op} 计算无穷大除以无穷大，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} "
     "步）]",
     "Find where the infinity comes from: it was there before", "请查找无穷大的来源：它在此之前就已存在"},
    {"fully_masked_row",
     "{op} over nothing but -inf gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step {step})]",
     "{op} 的一行全部为 -inf，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Leave one element of each row unmasked, or select zeros for the rows that are masked whole",
     "请让每一行至少保留一个未被掩码的元素，或对整行被掩码的行用 select 取零"},
    {"variance_of_one_element",
     "{op} of as few elements as ddof has no degree of freedom left: it divided by zero[ in {elements}][, first at "
     "index {index}][, inputs {inputs}][ (step {step})]",
     "{op} 的元素个数不多于 ddof，自由度为零：除以了零[，共 {count} 个元素][，首个位于 {index}][，输入为 "
     "{inputs}][（第 {step} 步）]",
     "Take more than one element, or ddof=0", "请使用多于一个元素，或 ddof=0"},
    {"modulo_by_zero",
     "{op} by zero gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step {step})]",
     "{op} 的除数为零，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Keep zero out of the divisor", "请避免除数为零"},
    {"modulo_of_infinity",
     "{op} of infinity gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step {step})]",
     "{op} 的输入为无穷大，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Find where the infinity comes from: it was there before", "请查找无穷大的来源：它此前已经存在"},
    {"nan_of_infinity",
     "{op} of infinity gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step {step})]",
     "{op} 的输入为无穷大，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Find where the infinity comes from: it was there before", "请查找无穷大的来源：它此前已经存在"},
    {"outside_minus_one_to_one",
     "{op} of a number outside -1 to 1 gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ "
     "(step {step})]",
     "{op} 的输入不在 -1 到 1 之间，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} "
     "步）]",
     "Clip the input to -1 to 1; rounding can carry a cosine just beyond",
     "请将输入限制在 -1 到 1；舍入可能使余弦值略微越界"},
    {"acosh_below_one",
     "{op} of a number below 1 gave NaN[ in {elements}][, first at index {index}][, input {inputs}][ (step "
     "{step})]",
     "{op} 的输入小于 1，结果为 NaN[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Clip the input at 1", "请将输入限制为不小于 1"},
    {"atanh_of_one",
     "{op} of 1 or -1 gave infinity[ in {elements}][, first at index {index}][, input {inputs}][ (step {step})]",
     "{op} 的输入为 1 或 -1，结果为无穷大[，共 {count} 个元素][，首个位于 {index}][，输入 {inputs}][（第 {step} 步）]",
     "Clip the input to slightly less than 1", "请将输入限制为略小于 1"},
    {"propagated", "{op} passed on NaN or infinity that came from {root}[, line {root_line}]",
     "{op} 传递了来自 {root} 的 NaN 或无穷大[（第 {root_line} 行）]", "Go to where it began", "请转到其产生之处"},
    {"broadcast_enlarges", "{op} broadcasts {shapes}[ to {result}][, {factor} times the larger operand]",
     "{op} 将 {shapes} 广播[为 {result}][，是较大操作数的 {factor} 倍]",
     "If this was not meant, check for a missing or additional axis of length 1: (N,) with (N, 1) gives (N, N)",
     "如果并非有意，请检查长度为 1 的轴：(N,) 与 (N, 1) 得到 (N, N)"},
    {"softmax_of_one",
     "{op} along an axis of length 1 gives[ {value}] whatever the input is[: shape {shapes}, axis {axis}]",
     "{op} 所沿的轴长度为 1，无论输入为何，结果总是[ {value}][：形状 {shapes}，轴 {axis}]",
     "Choose the axis of the classes, or use sigmoid with a binary loss for a single logit",
     "请选择类别所在的轴；若只有一个 logit，请使用 sigmoid 和二元损失"},
    {"inf_absorbed",
     "{op} made finite values of the infinity that {root} gave[ at line {root_line}][ in {dtype}][: it is zero in "
     "{elements}, first at index {index}]. The result is finite and wrong; looking at results alone does not show it",
     "{op} 将 {root}[（第 {root_line} 行）]产生的[ {dtype}] 无穷大变成了有限值[：{count} 个元素为零，首个位于 "
     "{index}]。结果"
     "是有限的，却是错误的，仅看结果无法发现",
     "Compute in float32 where the infinity arose, or scale the values down before",
     "请在无穷大产生之处使用 float32 计算，或先缩小数值"},
    {"int_wraps",
     "{op} wrapped around[ in {dtype}][ in {elements}][, first at index {index}][, from {inputs}][: {exact} does not "
     "fit][ and became {got}]",
     "{op} 的整数结果溢出回绕[（{dtype}）][，共 {count} 个元素][，首个位于 {index}][，输入为 {inputs}][：{exact} "
     "超出范围]["
     "，变成了 {got}]",
     "Use a wider int type, int64 for counts and products", "请使用更宽的整数类型，计数和乘积请用 int64"},
    {"cast_cuts_off",
     "{op} to[ {dtype}] cut off values beyond its range[ in {elements}][, first at index {index}][: {exact}][ became "
     "{got}]",
     "{op} 转换[为 {dtype}] 时截断了超出范围的值[，共 {count} 个元素][，首个位于 {index}][：{exact}][ 变成 {got}]",
     "Clip the values first, or use a wider type", "请先限制数值范围，或使用更宽的类型"},
    {"condition_met_nan",
     "The condition is False because {op} met NaN[ at index {index}]: every comparison with NaN is[; before, it was "
     "True "
     "{turns} times]",
     "条件为 False，因为 {op} 遇到了 NaN[（位于 {index}）]：与 NaN 的比较总是 False[；此前曾 {turns} 次为 True]",
     "Stop on NaN in words of its own: test ops.isfinite(value) as well",
     "请明确处理 NaN：同时判断 ops.isfinite(value)"},
    {"label_out_of_range",
     "[Label {inputs}][ at index {index}] is no class[ of {classes}, counted from 0][; {elements} of the batch are "
     "none]: such a row adds nothing to the loss",
     "[标签 {inputs}][（位于 {index}）]不是有效类别[（共 {classes} 类，从 0 计数）][；该批次中有 {count} "
     "个]：这样的行不计入损失",
     "Count the labels from 0, give the last layer as many outputs as there are classes, or use ignore_index",
     "标签请从 0 计数，最后一层的输出数应与类别数一致，或使用 ignore_index"},
    {"labels_ignored",
     "All[ {count}] labels of the batch are to be ignored[ (ignore_index {ignore_index})]: the mean of the loss is "
     "NaN, its "
     "sum 0",
     "该批次的[ {count} 个]标签全部被忽略[（ignore_index 为 {ignore_index}）]：损失的平均值为 NaN，总和为 0",
     "Skip such batches, or divide by the number of labels that count, at least 1",
     "请跳过这样的批次，或除以有效标签数（至少为 1）"},
    {"read_back_in_loop", "The same line read from the device {count} times[, {bytes} bytes]",
     "同一行从设备读回 {count} 次[，{bytes} 字节]", "Read back once after the loop, or only every some steps",
     "请在循环后读回一次，或每隔若干步读回"},
    {"list_append_in_trace", "{reason} happens only while the function is traced, not at each call",
     "{reason} 只在追踪函数时发生，而不是每次调用", "Return the value from the function and collect it outside",
     "请将该值从函数返回，在外部收集"},
    // mistakes
    {"shape_clash",
     "{op} cannot take operands of shapes {shapes}[: axis {left_axis} of {left} is {left_extent}][, axis {right_axis} "
     "of "
     "{right} is {right_extent}]",
     "{op} 不能接受形状为 {shapes} 的操作数[：{left} 的第 {left_axis} 轴为 {left_extent}][，{right} 的第 {right_axis} "
     "轴为 {right_extent}]",
     "Reshape or transpose an operand so that the shapes agree", "请对操作数做 reshape 或 transpose，使形状一致"},
    {"dtype_clash", "{op} cannot take operands of these element types[: {operand} is {dtype}]",
     "{op} 不能接受这些数据类型的操作数[：{operand} 为 {dtype}]", "Cast an operand with astype()",
     "请使用 astype() 转换操作数"},
    {"index_out_of_range", "{op} was given an index out of range[ at position {index}][, for shapes {shapes}]",
     "{op} 的下标越界[，位于 {index}][，形状为 {shapes}]", "Check the indices against the shape", "请对照形状检查下标"},

    // what would fit: advice for the mistakes, found by trying
    {"fit_keep_dims", "[Use keep_dims=True in the {fit_op}][ of line {root_line}][: {fit_operand} is then {fit_shape}]",
     "[在 {fit_op} 中使用 keep_dims=True][（第 {root_line} 行）][：{fit_operand} 将为 {fit_shape}]", "", ""},
    {"fit_expand_dims", "[Use ops.expand_dims({fit_operand}, {fit_axis})][, which is {fit_shape}]",
     "[使用 ops.expand_dims({fit_operand}, {fit_axis})][，形状为 {fit_shape}]", "", ""},
    {"fit_reshape", "[Use {fit_expression}]", "[使用 {fit_expression}]", "", ""},
    {"fit_swap_operands", "[Swap the operands: {fit_operand} times {fit_other}]",
     "[请交换操作数：{fit_operand} 乘以 {fit_other}]", "", ""},
    {"fit_transpose", "[Use {fit_expression}][, which is {fit_shape}]", "[使用 {fit_expression}][，形状为 {fit_shape}]",
     "", ""},
    {"fit_swap_weight",
     "[Use {fit_expression}][, which is {fit_shape}]: the weight seems to be (in, out) where (out, in) is wanted, or "
     "the "
     "reverse",
     "[使用 {fit_expression}][，形状为 {fit_shape}]：权重似乎是 (in, out)，而此处需要 (out, in)，或者相反", "", ""},
    {"fit_channels_first",
     "[Use {fit_operand}.transpose({fit_order})][, which is {fit_shape}]: the channels seem to be last[, axis "
     "{fit_axis} "
     "is {fit_extent}]",
     "[使用 {fit_operand}.transpose({fit_order})][，形状为 {fit_shape}]：通道似乎在最后[，第 {fit_axis} 轴为 "
     "{fit_extent}]",
     "", ""},
    {"fit_channels_last",
     "[Use {fit_operand}.transpose({fit_order})][, which is {fit_shape}]: the channels seem to be first[, axis "
     "{fit_axis} is {fit_extent}]",
     "[使用 {fit_operand}.transpose({fit_order})][，形状为 {fit_shape}]：通道似乎在最前[，第 {fit_axis} 轴为 "
     "{fit_extent}]",
     "", ""},
    {"fit_pad_mode",
     "[Use pad_mode='{fit_mode}' in the {fit_op}][ of line {root_line}][: {fit_operand} is then {fit_shape}]",
     "[在 {fit_op} 中使用 pad_mode='{fit_mode}'][（第 {root_line} 行）][：{fit_operand} 将为 {fit_shape}]", "", ""},
    {"fit_flatten", "[Use ops.flatten({fit_operand})][, which is {fit_shape}]",
     "[使用 ops.flatten({fit_operand})][，形状为 {fit_shape}]", "", ""},
    {"fit_layer", "[Make the layer as nn.{fit_layer}({fit_call})][ in line {root_line}]",
     "[将该层改为 nn.{fit_layer}({fit_call})][（第 {root_line} 行）]", "", ""},
    {"fit_cast", "[Use {fit_operand}.astype(ms.{fit_dtype})]", "[使用 {fit_operand}.astype(ms.{fit_dtype})]", "", ""},
};

}  // namespace

std::span<const FindingSentence> finding_catalogue() { return kSentences; }

}  // namespace fusescope::query
