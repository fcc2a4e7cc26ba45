"""The mutants of `tests/mutants` can be made: those that cannot would test nothing."""

import ast
from collections import Counter

import pytest

from tests.mutants.__main__ import MUTANTS, ROOT


def test_no_two_mutants_have_one_name():
    assert [name for name, count in Counter(mutant.name for mutant in MUTANTS).items() if count > 1] == []


@pytest.mark.parametrize("file", sorted({mutant.file for mutant in MUTANTS}))
def test_the_text_of_every_mutant_occurs_once_and_makes_another_program(file):
    source = (ROOT / file).read_text()
    program = ast.dump(ast.parse(source))
    for mutant in (mutant for mutant in MUTANTS if mutant.file == file):
        assert source.count(mutant.old) == 1, mutant.name
        assert ast.dump(ast.parse(source.replace(mutant.old, mutant.new))) != program, mutant.name
