"""Fedorov and Zenkov, Discrete nonholonomic LL systems on Lie groups: its figures and claims, in its order."""

from nhviz.cards.fz import sleigh, top

CARDS = (*top.CONTINUOUS, *sleigh.CONTINUOUS, *top.DISCRETE, *sleigh.DISCRETE)
