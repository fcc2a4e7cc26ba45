"""One set of compiler switches for every kernel, and what a kernel is.

`error_model="numpy"` makes a division by zero give an infinity, which the kernels test for,
instead of raising in the middle of an orbit. Fast-math stays off: round-off claims need it off.

There are two kinds of compiled functions. A piece becomes part of every function that calls it: that is right for
formulas and short loops. numba does so with everything, however large, and compiles it again each time. A kernel
stands on its own: its types are declared, it is compiled once, kept on the disk, and others call it through a pointer.
So kernels can be compiled in any order, by many processes at once. Only kernels are called from Python.
"""

import contextlib
import ctypes
import dis
import logging
import threading
from collections.abc import Callable, Iterator
from functools import cache as memo
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

import numba
from llvmlite import binding
from numba import types
from numba.core import cgutils
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import ConcreteTemplate, Signature, infer_global
from numba.extending import lower_builtin

from nhviz.kernels import cache

VECTOR = types.float64[::1]
MATRIX = types.float64[:, ::1]
CUBE = types.float64[:, :, ::1]
WORDS = {
    "nothing": types.void,
    "truth": types.boolean,
    "integer": types.int64,
    "number": types.float64,
    "complex": types.complex128,
    "pair": types.UniTuple(types.float64, 2),
    "triple": types.UniTuple(types.float64, 3),
    "four": types.UniTuple(types.float64, 4),
    "five": types.UniTuple(types.float64, 5),
    "vector": VECTOR,
    "integers": types.int64[::1],
    "matrix": MATRIX,
    "part": types.float64[:, :],
    "cube": CUBE,
    "four_indices": types.float64[:, :, :, ::1],
    "together": lambda *parts: types.Tuple(parts),
}
"""The words of a declaration. Arrays are contiguous; a part of a matrix need not be."""
FIELD_SIGNATURE = types.void(VECTOR, VECTOR, VECTOR)
"""field(y, p, dy): the signature of a vector field."""

piece: Callable[..., Any] = partial(numba.njit, nogil=True, error_model="numpy")
"""Decorator for a piece: compiled with, and into, the kernels that call it."""

KERNELS: dict[str, "Kernel"] = {}
"""Every kernel of the modules imported so far, by its name."""

loading = threading.RLock()
observers: list[Callable[[list["Kernel"]], Callable[["Kernel"], object]]] = []
"""Who wants to see compilation. Told what is to be compiled, each answers with a function that is told of each step."""

log = logging.getLogger("nhviz.kernels")


class Kernel:
    """A function of declared types that is compiled once, or loaded from the disk, together with the kernels it calls.

    Code that calls it reads its address from a slot when it runs. So nothing of it is needed to compile the caller;
    `load` fills the slots before anything is called from Python. One that is `inlined` becomes part of its callers.
    """

    callees: tuple["Kernel", ...]

    def __init__(self, function: FunctionType, declared: Signature, inlined: bool = False) -> None:
        self.name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.__wrapped__ = self.py_func = function
        self.declared, self.inlined, self.loaded = declared, inlined, False
        self.dispatcher = piece(cache=cache.folder() is not None)(function)
        self.slot, self.callees = ctypes.c_void_p(), ()
        if inlined:
            self.inside = piece(forceinline=True)(function)
            infer_global(self, types.Dispatcher(self.inside))
        else:
            self.teach_numba()
        KERNELS[self.name] = self

    def __call__(self, *arguments: Any) -> Any:
        """Run it, from Python."""
        if not self.loaded:
            self.load()
        return self.dispatcher(*arguments)

    def __repr__(self) -> str:
        return f"<kernel {self.name}>"

    @property
    def marker(self) -> str:
        """The name of the note that it is on the disk."""
        return f"kernel.{self.__module__}.{self.__name__}"

    @property
    def closure(self) -> tuple["Kernel", ...]:
        """The kernel and all that it calls, those it calls first."""
        if not self.callees:
            found = {kernel: None for callee in called(self.py_func) for kernel in callee.closure}
            self.callees = (*found, self)
        return self.callees

    @property
    def size(self) -> int:
        """The bytes of Python's code in it and its pieces: the time to compile it grows with them."""
        return sum(len(part.__code__.co_code) for part in inside(self.py_func, set()))

    def load(self) -> None:
        """Compile what is not on the disk, load the rest, and fill the slots."""
        with loading:
            waiting = [kernel for kernel in self.closure if not kernel.loaded]
            missing = [kernel for kernel in waiting if not cache.is_marked(kernel.marker)]
            steps = [watch(missing) for watch in observers] if missing else []
            for kernel in waiting:
                kernel.fill()
                if kernel in missing:
                    for step in steps:
                        step(kernel)

    def compile(self) -> None:
        """Compile this kernel alone and keep it, or load it; what it calls need not be there."""
        known = cache.is_marked(self.marker)
        try:
            self.dispatcher.compile(self.declared)
        except Exception as error:
            # What a full disk could not keep is compiled all the same.
            if self.declared.args not in self.dispatcher.overloads:
                if not known and not isinstance(error, OSError):
                    raise
                self.replace_damaged(error)
        else:
            if not known:
                cache.mark(self.marker)
        # From now on other types are converted to the declared ones, or refused; nothing is compiled for them.
        self.dispatcher.disable_compile()

    def replace_damaged(self, reason: Exception) -> None:
        """Compile anew what could not be loaded from the disk."""
        log.warning("Compiling %s again: what is on the disk cannot be loaded (%s).", self.name, reason)
        with contextlib.suppress(OSError):
            self.dispatcher._cache.flush()
        self.dispatcher = piece()(self.py_func)
        self.dispatcher.compile(self.declared)

    def fill(self) -> None:
        """Compile or load, and tell its callers where it is."""
        if self.loaded:
            return
        self.compile()
        made = self.dispatcher.overloads[self.declared.args]
        self.slot.value = made.library.get_pointer_to_function(made.fndesc.llvm_func_name)
        self.loaded = True

    def teach_numba(self) -> None:
        """Tell numba the types, and how a call is written: by the address in the slot, in numba's own convention."""
        symbol = f"nhviz:{self.__module__}.{self.__name__}"
        binding.add_symbol(symbol, ctypes.addressof(self.slot))
        template = type("Template", (ConcreteTemplate,), {"key": self, "cases": [self.declared]})
        infer_global(self, types.Function(template))

        @lower_builtin(self, *self.declared.args)
        def write_call(context: Any, builder: Any, sig: Signature, arguments: Any) -> Any:
            convention = context.call_conv
            pointer = convention.get_function_type(sig.return_type, sig.args).as_pointer()
            slot = builder.module.globals.get(symbol)
            slot = slot or cgutils.add_global_variable(builder.module, pointer, symbol)
            function = builder.load(slot)
            with cgutils.if_unlikely(builder, cgutils.is_null(builder, function)):
                convention.return_user_exc(builder, RuntimeError, (f"The kernel {self.name} was not loaded.",))
            status, answer = convention.call_function(builder, function, sig.return_type, sig.args, arguments)
            with cgutils.if_unlikely(builder, status.is_error):
                convention.return_status_propagate(builder, status)
            return answer


def kernel(declared: str, inlined: bool = False, **words: types.Type) -> Callable[[Callable[..., Any]], Any]:
    """Decorator for a kernel, with the types of its answer and its arguments: "number(vector, integer)", say.

    The words are those of WORDS, and further ones that are given here.
    """
    return lambda function: Kernel(function, eval(declared, {**WORDS, **words}), inlined)  # type: ignore[arg-type]


def as_argument(function: Any, declared: Signature) -> Dispatcher:
    """A function of declared types in the form in which a kernel takes it as an argument."""
    made = Kernel(function, declared)
    made.load()
    # numba looks for the code of an argument at every call, twice, and asks LLVM where it is, which looks through all
    # that was ever compiled; there is only this code, and it stays where it is.
    code = made.dispatcher.get_compile_result(declared)
    code.library.get_pointer_to_function = memo(code.library.get_pointer_to_function)
    made.dispatcher.get_compile_result = lambda signature: code
    return made.dispatcher


def called(function: FunctionType) -> Iterator[Kernel]:
    """The kernels that a function calls, itself or through pieces of it."""
    for part in inside(function, set()):
        yield from (value for value in named(part) if isinstance(value, Kernel) and not value.inlined)


def inside(function: FunctionType, seen: set[Any]) -> Iterator[FunctionType]:
    """The function and the pieces that become part of it."""
    yield function
    for value in named(function):
        inlined = isinstance(value, Dispatcher) or (isinstance(value, Kernel) and value.inlined)
        if inlined and value not in seen:
            seen.add(value)
            yield from inside(value.py_func, seen)


def named(function: FunctionType) -> Iterator[Any]:
    """What the names in a function's code stand for: values of its module, and of modules that it names."""
    value = None
    for step in dis.get_instructions(function):
        if step.opname == "LOAD_GLOBAL":
            value = function.__globals__.get(step.argval)
        elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and isinstance(value, ModuleType):
            value = getattr(value, step.argval, None)
        else:
            continue
        yield value
