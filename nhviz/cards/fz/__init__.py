"""Fedorov and Zenkov, Discrete nonholonomic LL systems on Lie groups: its figures and claims, top first."""

from nhviz.cards.fz import sleigh, top

CARDS = (*top.CARDS, *sleigh.CARDS)
