"""The command line: nhviz list | describe SYSTEM | simulate SYSTEM ... | sweep SYSTEM QUANTITY ... | serve.

Also as python -m nhviz.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from nhviz import __version__, export, registry
from nhviz.parameters import Choice, Parameter, ParameterError, shown, unknown
from nhviz.problem import Problem, checked_parameters, checked_start, find_method
from nhviz.serve import serve
from nhviz.simulate import run
from nhviz.sweeps import files
from nhviz.sweeps.run import sweep
from nhviz.sweeps.usual import measures_of
from nhviz.sweeps.value import Sweep, find_measure, method_for
from nhviz.system import System


class Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        """Report like every other bad input: on one line, whatever was typed."""
        words = " ".join(message.split())
        raise ParameterError(f"{words if len(words) <= 200 else words[:197] + '...'} (try {self.prog} --help)")


def parser(program: str) -> Parser:
    """The commands and their options, of a program that is called so."""
    top = Parser(prog=program, description="Simulate nonholonomic mechanics.")
    top.add_argument("--version", action="version", version=f"nhviz {__version__}")
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)
    commands.add_parser("list", help="list the systems")
    describe = commands.add_parser("describe", help="parameters, initial values, methods and quantities of a system")
    describe.add_argument("system")
    describe.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="settings",
        help="a parameter of the body whose remarks are wanted; may be repeated",
    )
    simulate = commands.add_parser("simulate", help="run a system")
    simulate.add_argument("system")
    simulate.add_argument("--method", help="one of the system's methods")
    simulate.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="settings",
        help="a parameter, an initial value or an option of the method; may be repeated",
    )
    simulate.add_argument("--step", metavar="NUMBER")
    simulate.add_argument("--duration", metavar="NUMBER")
    simulate.add_argument("--every", metavar="NUMBER", help="keep each k-th step")
    simulate.add_argument("--budget", metavar="NUMBER", help="most internal steps of a flow that is integrated")
    simulate.add_argument("--out", metavar="FILE", help="write .csv, .json or .npz instead of a short table")
    add_sweep(commands)
    server = commands.add_parser("serve", help="start the dashboard")
    server.add_argument("--host", help="address to listen on, 127.0.0.1 unless NHVIZ_BIND says otherwise")
    server.add_argument("--port", metavar="NUMBER", help="port to listen on, 8050 unless NHVIZ_BIND says otherwise")
    return top


def add_sweep(commands: "argparse._SubParsersAction[Parser]") -> None:
    """The command sweep and its options."""
    sweeps = commands.add_parser("sweep", help="a quantity over one or two values of a system")
    sweeps.add_argument("system")
    sweeps.add_argument("quantity")
    axis = "NAME=FIRST:LAST:COUNT[:log]"
    sweeps.add_argument("--x", metavar=axis, required=True, help="what varies, and from where to where")
    sweeps.add_argument("--y", metavar=axis, help="the same upwards; without it the sweep is a curve")
    sweeps.add_argument("--method", help="one of the methods that have the quantity")
    sweeps.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="settings",
        help="a fixed parameter, initial value, option or name of the quantity; may be repeated",
    )
    sweeps.add_argument("--step", metavar="NUMBER")
    sweeps.add_argument("--duration", metavar="NUMBER")
    sweeps.add_argument("--on", metavar="WHERE", help="local, or the address of a cluster; else this process")
    sweeps.add_argument("--out", metavar="FILE", help="write .csv, .json or .npz instead of a summary")


def main(arguments: Sequence[str] | None = None, program: str = "nhviz") -> int:
    """Run one command; bad input is one line on standard error and status 2."""
    try:
        options = parser(program).parse_args(arguments)
        print(COMMANDS[options.command](options))
    except ParameterError as error:
        print(f"nhviz: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has seen enough (a pipe into head, say); keep Python from complaining at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def list_systems(options: argparse.Namespace) -> str:
    """One line per system."""
    return "\n".join(f"{system.id:14} {system.title}" for system in registry.registered().values())


def describe_system(options: argparse.Namespace) -> str:
    """A system's declarations as text."""
    system = registry.find(options.system)
    lines = [f"{system.id}: {system.title}", system.summary, ""]
    for title, group in (("parameters", system.parameters), ("initial values", system.initial)):
        lines.append(title)
        lines += [
            f"  {p.name:10}{p.default:>12g}   {p.minimum:g} .. {p.maximum:g} {p.unit}   {p.meaning}" for p in group
        ]
    lines.append("run")
    lines += [
        f"  {p.name:10}{p.default:>12g}   {p.minimum:g} .. {p.maximum:g} {p.unit}   {p.meaning}"
        for p in (system.step, system.duration)
    ]
    lines.append("methods")
    for method in system.methods:
        order = "closed form" if method.order_with() is None else f"order {method.order_with()}"
        keeps = f", keeps {', '.join(method.preserves)}" if method.preserves else ""
        default = " (default)" if method.id == system.default_method else ""
        lines.append(f"  {method.id:16}{method.title}{default}: {order}{keeps}")
        lines += [f"    {method.remark}"] if method.remark else []
        lines += [f"    {o.name} = {usual(o)}: {o.meaning}" for o in method.options]
    lines.append("quantities")
    lines += [f"  {q.id:16}{q.title}" for q in system.quantities]
    lines.append("sweeps")
    lines += [f"  {m.id:16}{m.title}: {m.meaning}" for m in measures_of(system).values()]
    params, initial, _ = sort_settings(system, [], options.settings)
    checked_start(system, values := checked_parameters(system, None, params), initial)
    lines += system.remarks(values) if system.remarks else []
    return "\n".join(lines)


def usual(option: Parameter | Choice) -> str:
    """The default of an option, as text."""
    return f"{option.default}/step" if isinstance(option, Parameter) and option.per_step else str(option.default)


def simulate_system(options: argparse.Namespace) -> str:
    """Run and write, or run and show a short table."""
    target = export.check_target(options.out) if options.out else None
    problem = make_problem(options)
    from nhviz.preparing import bar

    with bar.shown():
        orbit = run(problem)
    notes = [f"stopped: {orbit.stopped}"] if orbit.stopped else []
    notes += orbit.remarks
    if target is None:
        return "\n".join([export.short_table(orbit), *notes])
    export.write(orbit, target)
    return "\n".join([f"wrote {len(orbit)} samples to {target}", *notes])


def sweep_system(options: argparse.Namespace) -> str:
    """Sweep and write, or sweep and tell in short what was found."""
    target = export.check_target(options.out) if options.out else None
    asked = make_sweep(options)
    from nhviz.preparing import bar

    with bar.shown(), bar.counting(asked.cells, asked.measure.title) as progress:
        found = sweep(asked, on=options.on, progress=progress)
    if target is None:
        return files.summary(found)
    files.write(found, target)
    return f"wrote {asked.cells} cells to {target}"


def make_sweep(options: argparse.Namespace) -> Sweep:
    """The sweep that the words of a command line describe."""
    system = registry.find(options.system)
    measure = find_measure(system, options.quantity)
    method = method_for(system, measure, options.method)
    params, initial, extra = sort_settings(system, [*method.options, *measure.axes], options.settings)
    x, y = (None if word is None else axis_words(which, word) for which, word in (("x", options.x), ("y", options.y)))
    step, duration = (number(f"--{name}", getattr(options, name)) for name in ("step", "duration"))
    return Sweep.create(system.id, measure.id, x, y, method.id, params, initial, step, duration, extra)


def axis_words(which: str, word: str) -> tuple[Any, ...]:
    """An axis out of NAME=FIRST:LAST:COUNT, with :log after it for equal factors."""
    name, equals, rest = word.partition("=")
    parts = rest.split(":")
    if not equals or len(parts) not in (3, 4):
        raise ParameterError(f"--{which} takes NAME=FIRST:LAST:COUNT, and :log after it, not {shown(word)}.", which)
    return (name, *(number(f"--{which}", part) for part in parts[:3]), *parts[3:])


def make_problem(options: argparse.Namespace) -> Problem:
    """The problem that the words of a command line describe."""
    system = registry.find(options.system)
    method = find_method(system, options.method)
    params, initial, extra = sort_settings(system, method.options, options.settings)
    numbers = {name: number(f"--{name}", getattr(options, name)) for name in ("step", "duration", "every", "budget")}
    return Problem.create(
        system.id,
        method.id,
        params,
        initial,
        numbers["step"],
        numbers["duration"],
        1 if numbers["every"] is None else numbers["every"],
        extra,
        numbers["budget"],
    )


def sort_settings(
    system: System, options: Sequence[Parameter | Choice], settings: Sequence[str]
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Parameters, initial values and options out of NAME=VALUE words."""
    groups: list[tuple[list[str], dict[str, Any]]] = [
        ([p.name for p in system.parameters], {}),
        ([p.name for p in system.initial], {}),
        ([option.name for option in options], {}),
    ]
    numbers = [option.name for option in options if isinstance(option, Parameter)]
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise ParameterError(f"--set takes NAME=VALUE, not {shown(setting)}.", "set")
        home = next((values for names, values in groups if name in names), None)
        if home is None:
            known = [known for names, _ in groups for known in names]
            raise ParameterError(unknown(f"parameter, initial value or option of {system.id}", name, known), name)
        home[name] = text if home is groups[2][1] and name not in numbers else number(name, text)
    return groups[0][1], groups[1][1], groups[2][1]


def number(name: str, text: str | None) -> float | None:
    """A number from a word, or None for none."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{name} must be a number, not {shown(text)}.", name) from None


def start_dashboard(options: argparse.Namespace) -> NoReturn:
    """Become the server of the dashboard."""
    serve(options.host, options.port)


COMMANDS = {
    "list": list_systems,
    "describe": describe_system,
    "simulate": simulate_system,
    "sweep": sweep_system,
    "serve": start_dashboard,
}

if __name__ == "__main__":
    sys.exit(main(program="python -m nhviz"))
