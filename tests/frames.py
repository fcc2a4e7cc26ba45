"""Pages without a browser: states of labs, the questions that a page asks about them, and what it then shows."""

from dataclasses import replace

from callbacks.render import Rendered, render
from nhviz.frame import find, shown
from nhviz.frame.state import State
from nhviz.frame.state import opening as first


def opening(lab, scene=None, variants=None, options=None, tabs=None, layout=None, **numbers):
    """The opening state of a lab with other values, which may be ones that cannot be used."""
    declared = find.lab(lab) if isinstance(lab, str) else lab
    state = first(declared, declared.scene(scene) if scene else declared.scenes[0])
    assert numbers.keys() <= dict(state.numbers).keys(), numbers
    return replace(
        state,
        numbers=tuple((dict(state.numbers) | numbers).items()),
        variants=tuple((word, tuple(variants or chosen)) for word, chosen in state.variants),
        options=tuple((dict(state.options) | (options or {})).items()),
        tabs=tuple((dict(state.tabs) | (tabs or {})).items()),
        layout=layout or state.layout,
    )


def without_variants(state):
    """A state in which nothing runs."""
    return replace(state, variants=tuple((word, ()) for word, _ in state.variants))


def asked(state, preview=False, places=None, about="", presenter=False):
    """The question of a page in a state."""
    return {
        "state": state.to_dict(), "preview": preview, "places": places, "about": about, "number": 1,
        "presenter": presenter,
    }  # fmt: skip


def painted(state, theme="light", **more) -> Rendered:
    """Everything that a page shows in a state."""
    return render(asked(state, **more), theme)


def panel(state: State) -> shown.Shown:
    """The first panel of a state."""
    return next(iter(shown.panels(state).values()))


def picture(state, view):
    """The picture of a view in a state."""
    declared = state.scene.all_views[view]
    return declared.show(shown.of_view(shown.panels(state), declared))
