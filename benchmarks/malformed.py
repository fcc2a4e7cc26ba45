"""Malformed callback bodies, links and command lines, by the thousand: none may fail, hang or show a traceback.

Case number i of a seed is always the same: `python -m benchmarks.malformed --seed 1 --only 4711` repeats one.
"""

import argparse
import contextlib
import copy
import io
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import quote

import nhviz
from benchmarks.dashboard import named, opening, render_body
from benchmarks.table import Row
from callbacks.state import lab_page
from layouts import ids
from nhviz.__main__ import main as command_line

COUNT, SEED, SECONDS = 10_000, 1, 20.0
UPDATE = "/_dash-update-component"
RENDER, LAUNCH, CSV, PAGE = "render", f"{ids.LAUNCH}.data", f"{ids.DOWNLOAD}.data", f"{ids.PAGE}.children"
GOOD_STATUSES = {200, 204, 308, 400, 404, 405, 413}
LONGEST_REFUSAL = 200
DIED = "the process died"

TEXTS = (
    "", " ", "x", "nan", "inf", "-1", "1e999", "3.5", "1_0", "x" * 5000, "💥", "\u202eabc", "\u0663", "\x00", "a\nb",
    "%", "null", "<script>alert(1)</script>", "javascript:alert(1)", "'; DROP TABLE runs; --", "../../etc/passwd",
    "{{7*7}}", "__proto__", "constructor", "suslov", "sleigh", "sphere_n", "cayley", "exact", "feedback", "midpoint",
    "rk4", "python", "portrait0", "portrait3", "detail", "locus", "disk", "drift", "dark", "1", "both", "whole", "n",
)  # fmt: skip
NUMBERS = (
    0, -1, 1, 2, 3, 4, 7, 3.5, 1e-9, 1e-320, -1e-3, 1e3, 1e6, 1e12, 1e15, -1e15, 1e300, -1e308, 2**31, 2**63, 2**64,
    10**30, 10**400, float("nan"), float("inf"), -float("inf"),
)  # fmt: skip


def nested(levels: int) -> Any:
    """A list in a list in a list."""
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


ODDITIES = (
    None, True, False, [], {}, [[]], [None], {"a": {"b": []}}, "\ud800", nested(20), nested(40), nested(200),
    [0] * 10_000, ["exact"] * 10_000, {str(i): i for i in range(2000)}, {"id": "state", "property": "data"},
    [1.0, "2", None],
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """Something malformed: of which kind, how it was made, and what to send."""

    kind: str
    about: str
    path: str = UPDATE
    content: bytes = b""
    content_type: str = "application/json"
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What came of a case: a status, the seconds it took, and what is wrong with it, if anything."""

    kind: str
    status: int
    seconds: float
    wrong: str = ""


def make(seed: int, number: int) -> Case:
    """Case number so and so of a seed."""
    chance = random.Random(f"{seed}/{number}")
    return chance.choices(list(MAKERS), weights=list(MAKERS.values()))[0](chance)


def junk(chance: random.Random) -> Any:
    """Any value that has no business anywhere."""
    return copy.deepcopy(chance.choice(chance.choice((TEXTS, NUMBERS, ODDITIES))))


@cache
def callback_names() -> dict[str, str]:
    """The callbacks of the server by short names."""
    from app import create_app

    names = [name for name, callback in create_app().callback_map.items() if "callback" in callback]
    return {name: name for name in names} | {RENDER: next(n for n in names if f"{ids.FRAMES}.data" in n)}


def body(chance: random.Random, callback: str) -> dict[str, Any]:
    """What the page sends to a callback."""
    lab = lab_page(chance.choice(nhviz.systems()))
    state = opening(lab)
    if callback == RENDER:
        found = render_body(lab, state, callback_names()[RENDER])
        found["inputs"][1]["value"] = chance.choice(list(lab.tabs))
        return found
    if callback == PAGE:
        inputs = [named(ids.URL, "pathname") | {"value": f"/{lab.system}"}]
        states = [named(ids.URL, "search") | {"value": "?step=0.01"}]
    elif callback == CSV:
        inputs, states = [named(ids.CSV, "n_clicks") | {"value": 1}], [named(ids.STATE, "data") | {"value": state}]
    else:
        click = {"points": [{"x": 0.3, "y": 0.2, "z": 0.1}], "xvals": [0.3], "yvals": [0.2]}
        graphs = [named(ids.graph(view), "clickData") | {"value": click} for view in (*lab.views, ids.DETAIL)]
        tab = named(ids.TAB, "value") | {"value": chance.choice(list(lab.tabs))}
        return packed(callback, [graphs], [named(ids.STATE, "data") | {"value": state}, tab])
    return packed(callback, inputs, states)


def packed(callback: str, inputs: list[Any], states: list[Any]) -> dict[str, Any]:
    """The body of a callback with one output; its first input has changed."""
    name, _, prop = callback.rpartition(".")
    first = inputs[0][0] if isinstance(inputs[0], list) else inputs[0]
    changed = [f"{written(first['id'])}.{first['property']}"]
    outputs = named(name, prop)
    return {"output": callback, "outputs": outputs, "inputs": inputs, "state": states, "changedPropIds": changed}


def any_callback(chance: random.Random) -> str:
    """One of the server's callbacks; most bodies are for the one that renders."""
    return chance.choices((RENDER, LAUNCH, CSV, PAGE), weights=(5, 3, 1, 1))[0]


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in nested data, as keys from the outside in."""
    for key in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield (*at, key)
        yield from places(value[key], (*at, key))


def disturb(chance: random.Random, data: Any) -> str:
    """Change one thing somewhere in nested data, and say what."""
    found = list(places(data))
    if not found:
        return "nothing left"
    # Outer places are few and inner ones many: choose how deep first.
    depth = chance.choice(sorted({len(place) for place in found}))
    *outer, key = chance.choice([place for place in found if len(place) == depth])
    home = data
    for step in outer:
        home = home[step]
    how = chance.choice(("replace", "replace", "replace", "remove", "wrap", "double", "rename"))
    if how == "remove":
        del home[key]
    elif how == "wrap":
        home[key] = [home[key]]
    elif how == "double" and isinstance(home, list):
        home.extend([home[key]] * chance.choice((1, 300)))
    elif how == "rename" and isinstance(home, dict):
        home[chance.choice(TEXTS)] = home.pop(key)
    else:
        home[key] = junk(chance)
    return f"{how} {'/'.join(map(str, (*outer, key)))}"[:120]


def broken_body(chance: random.Random) -> Case:
    """A body with one to three things changed anywhere."""
    callback = any_callback(chance)
    data = body(chance, callback)
    about = [disturb(chance, data) for _ in range(chance.choice((1, 1, 2, 3)))]
    return Case("body", f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}", content=encoded(data))


def encoded(data: Any) -> bytes:
    """JSON as Python writes it, NaN and all."""
    return json.dumps(data).encode()


def state_of(data: dict[str, Any]) -> dict[str, Any]:
    """The state in a body."""
    return next(i["value"] for i in (*data["inputs"], *data["state"]) if isinstance(i, dict) and i["id"] == ids.STATE)


def broken_state(chance: random.Random) -> Case:
    """A whole body around a state with changes: most are values that the page refuses beside their controls."""
    callback = chance.choices((RENDER, LAUNCH, CSV), weights=(5, 2, 1))[0]
    data = body(chance, callback)
    state = state_of(data)
    about = []
    for _ in range(chance.choice((1, 1, 2, 4, 12))):
        how = chance.choice((spoil_value, spoil_value, spoil_value, spoil_methods, spoil_choice, disturb))
        about.append(how(chance, state))
    return Case("state", f"{callback.rpartition('.')[0] or callback}: {'; '.join(about)}", content=encoded(data))


def extreme_state(chance: random.Random) -> Case:
    """A good body with any values of the allowed ranges, their ends above all, any methods, and a click anywhere."""
    callback = chance.choices((RENDER, LAUNCH, CSV), weights=(6, 3, 1))[0]
    data = body(chance, callback)
    state = state_of(data)
    known = list(nhviz.describe(state["system"])["methods"])
    state["methods"] = chance.sample(known, chance.randint(1, len(known)))
    for name, (low, high) in limits(state).items():
        if chance.random() < 0.3:
            state["values"][name] = chance.choice((low, high, 0.0, chance.uniform(low, high), chance.gauss(0.0, 1.0)))
    if callback == LAUNCH:
        data["changedPropIds"] = [f"{written(item['id'])}.clickData" for item in chance.sample(data["inputs"][0], 1)]
        for item in data["inputs"][0]:
            place = [chance.choice((0.0, chance.gauss(0.0, 1.0), 1e3, 1e300, -1e308, 5e-324)) for _ in "xyz"]
            seen = {"xvals": place[:1], "yvals": place[1:2]} if chance.random() < 0.5 else {}
            item["value"] = {"points": [dict(zip("xyz", place, strict=True))]} | seen
    return Case("extreme", f"{state['system']}, {callback.rpartition('.')[0] or callback}", content=encoded(data))


def written(identity: Any) -> str:
    """An identity as the browser writes it."""
    return identity if isinstance(identity, str) else json.dumps(identity, separators=(",", ":"))


def spoil_value(chance: random.Random, state: dict[str, Any]) -> str:
    """Another number, in or out of its range, or no number."""
    values = state.get("values")
    if not isinstance(values, dict) or not values:
        return "no values"
    name = chance.choice([*values, "step", "duration"])
    low, high = limits(state).get(name, (0.0, 1.0))
    values[name] = chance.choice(
        (chance.choice(NUMBERS), low, high, 0.5 * (low + high), chance.uniform(low, high), junk(chance))
    )
    return f"{name} = {values[name]!r}"[:60]


def limits(state: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """The range of every declared value."""
    if state.get("system") not in nhviz.systems():
        return {}
    facts = nhviz.describe(state["system"])
    declared = facts["parameters"] | facts["initial"] | {"step": facts["step"], "duration": facts["duration"]}
    return {name: (entry["min"], entry["max"]) for name, entry in declared.items()}


def spoil_methods(chance: random.Random, state: dict[str, Any]) -> str:
    """Methods of any system, twice, many times, or none."""
    known = [method for system in nhviz.systems() for method in nhviz.describe(system)["methods"]]
    count = chance.choice((0, 1, 2, 5, 90, 10_000))
    state["methods"] = [chance.choice((chance.choice(known), chance.choice(TEXTS))) for _ in range(count)]
    return f"{count} methods"


def spoil_choice(chance: random.Random, state: dict[str, Any]) -> str:
    """A choice that is not on offer."""
    names = list(state["choices"]) if isinstance(state.get("choices"), dict) else []
    if not names:
        return "no choices"
    name = chance.choice(names)
    state["choices"][name] = chance.choice((chance.choice(TEXTS), junk(chance)))
    return f"{name} chosen"


def broken_bytes(chance: random.Random) -> Case:
    """A body that is not JSON, is cut off, is nested deeply, is huge, or claims to be something else."""
    content = encoded(body(chance, any_callback(chance)))
    kinds = {
        "empty": b"",
        "cut": content[: chance.randrange(len(content))],
        "text": chance.choice(TEXTS).encode("utf-8", "surrogatepass"),
        "junk": encoded(junk(chance)),
        "noise": chance.randbytes(200),
        "deep": b"[" * 100_000,
        "deep objects": b'{"a":' * 5000 + b"1" + b"}" * 5000,
        "deep inside": content.replace(b"true", b"[" * 900 + b"]" * 900).replace(b"null", b"[" * 900 + b"]" * 900),
        "digits": b"1" * 100_000,
        "huge": b'{"output":"' + b"x" * 2_000_000 + b'"}',
        "flipped": flipped(chance, content),
    }
    about = chance.choice(list(kinds))
    usual = chance.random() < 0.7
    types = (
        "text/plain",
        "",
        "multipart/form-data",
        "application/x-www-form-urlencoded",
        "application/json; charset=x",
    )
    return Case(
        "bytes", about, content=kinds[about], content_type="application/json" if usual else chance.choice(types)
    )


def flipped(chance: random.Random, content: bytes) -> bytes:
    """Bytes with a few of them changed."""
    changed = bytearray(content)
    for _ in range(chance.choice((1, 3, 10))):
        changed[chance.randrange(len(changed))] = chance.randrange(256)
    return bytes(changed)


def broken_query(chance: random.Random) -> str:
    """A query with words that mean something, nothing, too much."""
    system = chance.choice(nhviz.systems())
    names = [*opening(lab_page(system))["values"], "methods", "locus", "section", "branch", "base", *TEXTS]
    words = []
    for _ in range(chance.choice((1, 2, 3, 8, 400))):
        value = str(chance.choice((chance.choice(NUMBERS), chance.choice(TEXTS), ".".join(["exact", "cayley"] * 50))))
        value = chance.choice((value, quote(value, errors="replace"), "%", "%zz", "%ff%fe", value + "%0d%0a"))
        words.append(f"{chance.choice(names)}{chance.choice(('=', '=', '=', '', '=='))}{value}")
    return "?" + chance.choice(("&", "&", ";", "&&")).join(words)


def broken_link(chance: random.Random) -> Case:
    """A link, as the browser hands it on once the page is there."""
    data = body(chance, PAGE)
    if chance.random() < 0.3:
        data["inputs"][0]["value"] = chance.choice((f"/{chance.choice(TEXTS)}", chance.choice(TEXTS), "//suslov//"))
    data["state"][0]["value"] = broken_query(chance)
    return Case("link", data["state"][0]["value"][:120], content=encoded(data))


def broken_address(chance: random.Random) -> Case:
    """An address, as it first reaches the server."""
    starts = (
        "",
        "/suslov",
        "/assets",
        "/_dash-component-suites",
        "/_dash-component-suites/dash",
        "/_dash-layout",
        UPDATE,
    )
    endings = ("/", "/" + quote(chance.choice(TEXTS), errors="replace"), "/..%2f..%2fapp.py", "/%00", "/x/y.js")
    start, ending = chance.choice(starts), chance.choice(endings)
    query = quote(broken_query(chance), safe="?&=%;")
    return Case("address", (start + ending + query)[:120], path=start + ending + query)


def broken_words(chance: random.Random) -> Case:
    """A command line."""
    system = chance.choice((*nhviz.systems(), *nhviz.systems(), chance.choice(TEXTS)))
    words = [chance.choice(("simulate", "simulate", "simulate", "describe", "list", chance.choice(TEXTS))), system]
    for _ in range(chance.choice((0, 1, 2, 4))):
        words += chance.choice(FLAGS)(chance, system)
    if chance.random() < 0.1:
        chance.shuffle(words)
    return Case("command", " ".join(words)[:120], words=tuple(words))


def setting(chance: random.Random, system: str) -> list[str]:
    """--set with a name and a value that may both be wrong."""
    known = opening(lab_page(system))["values"] if system in nhviz.systems() else {"I11": 1}
    name = chance.choice((*known, chance.choice(TEXTS)))
    word = f"{name}={chance.choice((chance.choice(NUMBERS), chance.choice(TEXTS)))}"
    return ["--set", chance.choice((word, word, word, name))]


def number(chance: random.Random, system: str) -> list[str]:
    """A step or so that no run can have; long runs that can be had are not malformed."""
    flag = chance.choice(("--step", "--duration", "--every"))
    return [flag, chance.choice((*TEXTS, "0", "-1", "1e-320", "1e300", "nan", "inf", "-inf", "1e12", "0x10", "1,5"))]


def target(chance: random.Random, system: str) -> list[str]:
    """A file that cannot be written."""
    names = (
        "nowhere/x.csv", "/proc/x.csv", "/dev/null/x.json", "a\0b.csv", "\0/x.npz", "x" * 300 + ".csv",
        "y" * 5000 + "/x.csv", "\ud800/x.csv", ".csv", "/", "..", "x.xls", "folder.csv", "<script>.exe", "x.csv/",
        "/sys/x.csv", "-",
    )  # fmt: skip
    return ["--out", chance.choice(names)]


FLAGS: tuple[Callable[[random.Random, str], list[str]], ...] = (
    setting,
    setting,
    number,
    target,
    lambda chance, system: ["--method", chance.choice(TEXTS)],
    lambda chance, system: [chance.choice(("--fast", "-x", "--set", "--", "--help", "--out", "--st", "@file", "-1"))],
    lambda chance, system: [chance.choice(TEXTS)],
)
MAKERS: dict[Callable[[random.Random], Case], int] = {
    broken_body: 25,
    broken_state: 25,
    extreme_state: 10,
    broken_bytes: 8,
    broken_link: 12,
    broken_address: 5,
    broken_words: 15,
}


def attempt(client: Any, case: Case) -> Outcome:
    """Send a case, and judge what came back."""
    start = time.perf_counter()
    status, wrong = say(case.words) if case.words else send(client, case)
    return Outcome(case.kind, status, time.perf_counter() - start, wrong)


def send(client: Any, case: Case) -> tuple[int, str]:
    """Status of a request, and what is wrong with the answer."""
    if case.kind == "address":
        answer = client.get(case.path)
    else:
        answer = client.post(case.path, data=case.content, content_type=case.content_type)
    text = answer.get_data(as_text=True)
    return answer.status_code, wrong_answer(answer.status_code, answer.mimetype, text)


def wrong_answer(status: int, mimetype: str, text: str) -> str:
    """What is wrong with an answer: its status, a traceback, a refusal that is not one plain sentence."""
    if status not in GOOD_STATUSES:
        return f"status {status}"
    if "Traceback" in text:
        return "a traceback"
    if status == 400 and (mimetype != "text/plain" or len(text) > LONGEST_REFUSAL or text.count("\n") != 1):
        return "not one plain sentence"
    return "markup of the sender" if mimetype == "text/html" and "alert(1)" in text else ""


def say(words: tuple[str, ...]) -> tuple[int, str]:
    """Exit status of a command line, and what is wrong with it."""
    out, err, before = io.StringIO(), io.StringIO(), os.getcwd()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        os.chdir(folder)
        os.mkdir("folder.csv")
        try:
            status: Any = command_line(list(words))
        except SystemExit as left:
            status = left.code or 0
        except BaseException as error:
            return 1, f"{type(error).__name__}: {error}"[:200]
        finally:
            os.chdir(before)
    complaint = err.getvalue()
    if status == 2 and (complaint.count("\n") != 1 or out.getvalue() or len(complaint) > 600):
        return status, f"not one line: {complaint[:100]!r}"
    return status, "" if status in (0, 2) and (
        status == 2 or not complaint
    ) else f"status {status}: {complaint[:100]!r}"


def client_of_app() -> Any:
    """A client of the dashboard in this process."""
    from app import create_app

    return create_app().server.test_client()


def serve(pipe: Connection, seed: int) -> None:
    """A process that tries the cases it is told to."""
    client = client_of_app()
    callback_names()
    pipe.send("ready")
    while (index := pipe.recv()) is not None:
        pipe.send(attempt(client, make(seed, index)))


class Worker:
    """A process that can be given up: nothing in Python can interrupt a compiled loop."""

    def __init__(self, seed: int) -> None:
        self.pipe, theirs = multiprocessing.Pipe()
        context = multiprocessing.get_context("spawn")
        self.process = context.Process(target=serve, args=(theirs, seed), daemon=True)
        self.process.start()
        self.pipe.recv()

    def outcome(self, seed: int, index: int, seconds: float) -> Outcome | None:
        """The outcome of a case, or None if there was none in time."""
        self.pipe.send(index)
        try:
            return self.pipe.recv() if self.pipe.poll(seconds) else None
        except EOFError:
            return Outcome(make(seed, index).kind, 0, 0.0, DIED)

    def end(self) -> None:
        """Stop the process, whatever it does."""
        self.process.kill()
        self.process.join()


def outcomes(seed: int, indices: range | list[int], seconds: float) -> Iterator[tuple[int, Outcome]]:
    """All outcomes; a case that takes too long costs a process."""
    worker = Worker(seed)
    for index in indices:
        found = worker.outcome(seed, index, seconds)
        if found is None or found.wrong == DIED:
            worker.end()
            worker = Worker(seed)
        found = found or Outcome(make(seed, index).kind, 0, seconds, "no answer in time")
        yield index, replace(found, wrong=found.wrong or ("too slow" if found.seconds > seconds else ""))
    worker.end()


def report(seed: int, found: dict[int, Outcome]) -> None:
    """Counts by kind and status, the slowest, and every failure with how to repeat it."""
    counts = Counter((outcome.kind, outcome.status) for outcome in found.values())
    for (kind, status), count in sorted(counts.items()):
        print(f"{kind:8} {status:4} {count:6}", file=sys.stderr)
    for index, outcome in sorted(found.items(), key=lambda item: -item[1].seconds)[:5]:
        print(f"slow: {outcome.seconds:.2f} s, case {index}, {make(seed, index).about}", file=sys.stderr)
    for index, outcome in found.items():
        if outcome.wrong:
            case = make(seed, index)
            print(f"FAILED --seed {seed} --only {index}: {case.kind}: {outcome.wrong}: {case.about}", file=sys.stderr)


def rows(repeats: int, seed: int = SEED, count: int = COUNT) -> Iterator[Row]:
    """One row for each kind: how many failed."""
    found = dict(outcomes(seed, range(count), SECONDS))
    report(seed, found)
    for kind in sorted({outcome.kind for outcome in found.values()}):
        of_kind = [outcome for outcome in found.values() if outcome.kind == kind]
        statuses = Counter(outcome.status for outcome in of_kind)
        details = {f"status {status}": n for status, n in sorted(statuses.items())}
        details |= {"slowest s": max(outcome.seconds for outcome in of_kind), "of": len(of_kind)}
        failures = sum(bool(outcome.wrong) for outcome in of_kind)
        yield Row(f"malformed: {kind}, failures", float(failures), "", target=0.0, details=details)


def main() -> None:
    """Run them all, or one of them with its error in full."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.malformed", description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--count", type=int, default=COUNT)
    parser.add_argument("--only", type=int, help="the number of one case")
    options = parser.parse_args()
    if options.only is None:
        for row in rows(1, options.seed, options.count):
            print(" | ".join(row.cells()))
        return
    case = make(options.seed, options.only)
    print(case.kind, case.about)
    print(attempt(client_of_app(), case))


if __name__ == "__main__":
    main()
