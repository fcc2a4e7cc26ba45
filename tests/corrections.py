"""What the tests of corrections share."""


def settled(found, printed, corrected):
    """The printed form leaves more than so much somewhere, the corrected one less than so much everywhere."""
    fails, holds = found.most
    assert fails > printed, f"{found.what} of the printed form is {fails}."
    assert holds < corrected, f"{found.what} of the corrected form is {holds}."
    assert len(found.x) == len(found.printed) == len(found.corrected)
