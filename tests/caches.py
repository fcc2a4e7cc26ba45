"""Runs with a shared cache of their own, and what stands in the place of computing."""

import time
from dataclasses import replace

import numpy as np
from flask import Flask

import nhviz
from server import cache, patience, service, shared
from server.settings import Settings

PROBLEM = nhviz.Problem.create("suslov", "moser_veselov", duration=0.6)


def runs(folder, redis_url="", simulate=nhviz.simulate, seconds=10.0, places=2, most=256_000_000):
    """Runs with a shared cache of their own, as another process would have them; `simulate` makes them."""
    settings = replace(Settings.read({}), cache_dir=folder, redis_url=redis_url, cache_bytes=most)
    found = shared.SharedCache(shared.connected(Flask("test"), settings))
    return cache.Runs(patient(simulate, seconds, places), found, folder, 0.0)


def patient(simulate, seconds=10.0, places=2):
    """A patience that makes runs in its own way."""
    found = patience.Patience(seconds, places)
    found.simulate = simulate
    return found


def attached(**settings):
    """The service of a new application with these settings."""
    return service.attach(Flask("test"), replace(Settings.read({}), **settings))


def same(first, second):
    """Whether two runs are the same to the last bit."""
    return (
        first.problem == second.problem
        and first.stopped == second.stopped
        and same_bits(first.t, second.t)
        and first.components.keys() == second.components.keys()
        and all(same_bits(first[name], second[name]) for name in first.components)
    )


def same_bits(first, second):
    """Also the sign of a zero."""
    return first.dtype == second.dtype and first.shape == second.shape and first.tobytes() == second.tobytes()


def asked(folder, **more):
    """How often a new process has to compute the run of the problem, which must be right."""
    counted = Counted()
    assert same(runs(folder, simulate=counted, **more).run(PROBLEM), nhviz.simulate(PROBLEM))
    return counted.calls


class Counted:
    """simulate that counts, and takes its time."""

    def __init__(self, seconds=0.0):
        self.calls, self.seconds = 0, seconds

    def __call__(self, problem):
        self.calls += 1
        time.sleep(self.seconds)
        return nhviz.simulate(problem)


class Bomb:
    """Unpickled, it marks a place: whoever does so runs the code of somebody else."""

    def __init__(self, mark):
        self.mark = mark

    def __reduce__(self):
        return exec, (f"open({str(self.mark)!r}, 'w').close()",)


def no_pickles(monkeypatch):
    """Make unpickling an error that is no Exception, so that nobody takes it for a miss."""

    def refuse(*arguments, **more):
        raise KeyboardInterrupt("something was unpickled")

    for name in ("load", "loads", "Unpickler", "_loads", "_load", "_Unpickler"):
        monkeypatch.setattr(f"pickle.{name}", refuse)


def problems(count):
    """So many problems with runs of about 8 kB."""
    return [replace(PROBLEM, step=PROBLEM.step * (1.0 + 1e-12 * i)) for i in range(count)]


def noise(shape):
    """Numbers without any order."""
    return np.random.default_rng(0).normal(size=shape)
