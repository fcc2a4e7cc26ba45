"""Draw docs/picture.png, the picture of the README, with plotly in a headless chromium.

.venv/bin/python -m docs.make_picture
"""

from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright
from plotly.offline import get_plotlyjs
from plotly.subplots import make_subplots

import nhviz
from nhviz.analysis.connections import connection
from nhviz.analysis.cusps import cusps

FLOW, MAP, OTHER = "#0072B2", "#D55E00", "#009E73"


def sleigh_path(figure) -> None:
    """The contact path with its cusp: flow as a line, map as dots, and the sleigh at a few instants."""
    flow = nhviz.simulate("sleigh", "exact", step=0.02, duration=8.0)
    steps = nhviz.simulate("sleigh", "fedorov_zenkov", step=0.25, duration=8.0)
    figure.add_scatter(x=flow["x"], y=flow["y"], mode="lines", line_color=FLOW, name="flow", row=1, col=1)
    figure.add_scatter(
        x=steps["x"], y=steps["y"], mode="markers", marker={"color": MAP, "size": 6}, name="discrete map", row=1, col=1
    )
    motion = flow.system.draw(flow)
    for instant in (0, 100, 155, 230, 320):
        for shape in motion.parts[0].shapes[:2]:
            x, y = (shape.points * 0.5 @ motion.parts[0].rotations[instant].T + motion.parts[0].translations[instant]).T
            figure.add_scatter(
                x=x, y=y, mode="lines", line={"color": "#666666", "width": 1}, showlegend=False, row=1, col=1
            )
    (cusp,) = cusps(flow)
    figure.add_scatter(
        x=[cusp.x],
        y=[cusp.y],
        mode="markers",
        marker={"symbol": "x", "size": 11, "color": "#000000"},
        name="cusp",
        row=1,
        col=1,
    )
    figure.update_yaxes(scaleanchor="x", row=1, col=1)


def suslov_plane(figure) -> None:
    """Arcs of the Suslov momentum plane, connections of the Moser-Veselov map, stable and unstable rotations."""
    for energy in (200.0, 700.0, 1500.0):
        for side in (1, -1):
            whole = connection("suslov", "exact", energy=energy, side=side, step=0.01)
            dots = connection("suslov", "moser_veselov", energy=energy, side=side, step=0.02)
            figure.add_scatter(
                x=whole["M1"], y=whole["M2"], mode="lines", line_color=FLOW, showlegend=False, row=1, col=2
            )
            figure.add_scatter(
                x=dots["M1"],
                y=dots["M2"],
                mode="markers",
                marker={"color": MAP, "size": 5},
                showlegend=False,
                row=1,
                col=2,
            )
            for end, colour in ((0, "#ffffff"), (-1, OTHER)):
                figure.add_scatter(
                    x=whole["M1"][[end]],
                    y=whole["M2"][[end]],
                    mode="markers",
                    showlegend=False,
                    row=1,
                    col=2,
                    marker={"size": 11, "color": colour, "line": {"color": OTHER, "width": 2}},
                )


def steiner(figure) -> None:
    """The surface on which the discrete momenta live."""
    x, y, z = np.moveaxis(nhviz.locus("suslov", "moser_veselov", step=0.02), -1, 0)
    figure.add_surface(x=x, y=y, z=z, showscale=False, opacity=0.85, colorscale="Viridis", row=1, col=3)


def main() -> None:
    """Three panels side by side."""
    figure = make_subplots(
        rows=1,
        cols=3,
        specs=[[{}, {}, {"type": "scene"}]],
        horizontal_spacing=0.06,
        column_widths=[0.36, 0.32, 0.32],
        subplot_titles=(
            "Chaplygin sleigh: it turns round by itself",
            "Suslov top: momentum plane",
            "Its discrete momentum locus",
        ),
    )
    sleigh_path(figure)
    suslov_plane(figure)
    steiner(figure)
    figure.update_xaxes(title="M1", row=1, col=2)
    figure.update_yaxes(title="M2", row=1, col=2)
    figure.update_layout(
        width=1400,
        height=460,
        template="plotly_white",
        margin={"l": 50, "r": 10, "t": 50, "b": 40},
        legend={"x": 0.01, "y": 0.02},
        scene={"xaxis_title": "M1", "yaxis_title": "M2", "zaxis_title": "M3"},
    )
    page_text = f"<script>{get_plotlyjs()}</script>{figure.to_html(full_html=False, include_plotlyjs=False)}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1420, "height": 480})
        page.set_content(page_text)
        page.wait_for_timeout(3000)
        page.screenshot(path=str(Path(__file__).parent / "picture.png"))
        browser.close()


if __name__ == "__main__":
    main()
