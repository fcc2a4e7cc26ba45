"""The closed form of the Chaplygin sleigh: heading by a Gudermannian, contact path by Gauss quadrature."""

import math

import numpy as np

from nhviz.kernels.compile import kernel, piece

GAUSS_POINTS, GAUSS_WEIGHTS = np.polynomial.legendre.leggauss(10)
FEW_POINTS, FEW_WEIGHTS = np.polynomial.legendre.leggauss(4)


@piece()
def heading(gain, rate, phase, t):
    """theta(t) - theta(0) = gain (gd(rate t + phase) - gd(phase)), without cancellation."""
    half = 0.5 * rate * t
    middle = phase + half
    # sinh(half) / cosh(middle), scaled so that neither overflows.
    decay = math.exp(abs(half) - abs(middle))
    ratio = decay * -math.expm1(-2.0 * abs(half)) / (1.0 + math.exp(-2.0 * abs(middle)))
    return 2.0 * gain * math.atan(math.copysign(ratio, half))


@kernel("vector(number, number, number, vector)")
def headings(gain, rate, phase, times):
    """The heading at many times."""
    result = np.empty(times.size)
    for i in range(times.size):
        result[i] = heading(gain, rate, phase, times[i])
    return result


@piece(forceinline=True)
def speed_and_turn(tau):
    """tanh(tau) and the Gudermannian gd(tau), each to absolute round-off, from one exponential."""
    decay = math.exp(-abs(tau))
    square = decay * decay
    speed, turn = (1.0 - square) / (1.0 + square), 0.5 * math.pi - 2.0 * math.atan(decay)
    return math.copysign(speed, tau), math.copysign(turn, tau)


@piece()
def path_piece(speed, theta, gain, rate, phase, t0, t1):
    """Integral of speed tanh(rate t + phase) (cos, sin)(heading) over [t0, t1], one Gauss rule."""
    half, middle = 0.5 * (t1 - t0), 0.5 * (t0 + t1)
    dx, dy = 0.0, 0.0
    # The error of n points falls like (rate (t1 - t0) / 2 pi)^2n: on a short panel four reach round-off.
    short = abs(rate * (t1 - t0)) * max(1.0, abs(gain)) < 0.05
    points, weights = (FEW_POINTS, FEW_WEIGHTS) if short else (GAUSS_POINTS, GAUSS_WEIGHTS)
    _, before = speed_and_turn(phase)
    for i in range(points.size):
        t = middle + half * points[i]
        v, turn = speed_and_turn(rate * t + phase)
        # A large gain would magnify the round-off of the difference; heading avoids it, at twice the cost.
        angle = theta + (gain * (turn - before) if abs(gain) < 10.0 else heading(gain, rate, phase, t))
        v *= speed * weights[i]
        dx += v * math.cos(angle)
        dy += v * math.sin(angle)
    return half * dx, half * dy


@kernel("integer(number, number, number, number, number, vector, integer, matrix)")
def exact_path(theta, speed, gain, rate, phase, times, budget, path):
    """The part of the contact path due to p_1 / m: path[(x, y), sample] = integral from times[0] = 0.

    Where |rate t + phase| > 40 the motion is straight to round-off and one panel is exact.
    Returns the number of samples reached within the budget of panels.
    """
    path[0, 0], path[1, 0] = 0.0, 0.0
    x, y = 0.0, 0.0
    # Panels short against the width of sech and against one radian of heading.
    width = 1.2 / (abs(rate) * max(1.0, abs(gain)))
    spent = 0
    for sample in range(1, times.size):
        t0, t1 = times[sample - 1], times[sample]
        inside0, inside1 = t0, t1
        if rate != 0.0:
            edge0, edge1 = (-40.0 - phase) / rate, (40.0 - phase) / rate
            low, high = min(edge0, edge1), max(edge0, edge1)
            inside0, inside1 = min(max(t0, low), high), min(max(t1, low), high)
        count = math.ceil(abs(inside1 - inside0) / width)
        spent += count + 1
        if spent > budget:
            return sample
        for start, end, panels in ((t0, inside0, 1), (inside0, inside1, count), (inside1, t1, 1)):
            if start == end:
                continue
            h = (end - start) / panels
            for panel in range(panels):
                dx, dy = path_piece(speed, theta, gain, rate, phase, start + panel * h, start + (panel + 1) * h)
                x += dx
                y += dy
        path[0, sample], path[1, sample] = x, y
    return times.size
