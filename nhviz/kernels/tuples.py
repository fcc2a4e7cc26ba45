"""Tuples of numbers as vectors that stay in the processor's registers.

numba's arrays are in memory, and its tuples have no arithmetic. A loop over the entries is written out here while code
is made, for tuples of any length.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

NUMBER = types.float64


@intrinsic
def moved(_, y, share, rates):
    """y + share * rates."""

    def write(context, builder, signature, arguments):
        starts, factor, changes = arguments
        parts = zip(entries(builder, starts, y), entries(builder, changes, y), strict=True)
        sums = [builder.fadd(start, builder.fmul(factor, change)) for start, change in parts]
        return context.make_tuple(builder, y, sums)

    return y(y, NUMBER, y), write


@intrinsic
def below(_, y, limit):
    """Whether all entries are smaller than a limit, each in size. The answer is no for NaN, too."""

    def write(context, builder, signature, arguments):
        values, bound = arguments
        good = cgutils.true_bit
        for value in entries(builder, values, y):
            good = builder.and_(good, builder.fcmp_ordered("<", size(builder, value), bound))
        return good

    return types.boolean(y, NUMBER), write


@intrinsic
def near(_, offs, targets, slack):
    """Whether all entries are within slack (1 + |target|) of zero. The answer is no for NaN, too."""

    def write(context, builder, signature, arguments):
        one, good = ir.Constant(ir.DoubleType(), 1.0), cgutils.true_bit
        pairs = zip(entries(builder, arguments[0], offs), entries(builder, arguments[1], targets), strict=True)
        for off, target in pairs:
            bound = builder.fmul(arguments[2], builder.fadd(one, size(builder, target)))
            good = builder.and_(good, builder.fcmp_ordered("<=", size(builder, off), bound))
        return good

    return types.boolean(offs, targets, NUMBER), write


@intrinsic
def keep(_, y, row):
    """Write all entries into a row of as many."""

    def write(context, builder, signature, arguments):
        place = context.make_array(row)(context, builder, arguments[1]).data
        for i, value in enumerate(entries(builder, arguments[0], y)):
            builder.store(value, cgutils.gep_inbounds(builder, place, i))
        return context.get_dummy_value()

    return types.void(y, row), write


def entries(builder, values, kind):
    """The entries of a tuple, one by one."""
    return [builder.extract_value(values, i) for i in range(kind.count)]


def size(builder, value):
    """|value|."""
    return builder.call(builder.module.declare_intrinsic("llvm.fabs", [ir.DoubleType()]), [value])
