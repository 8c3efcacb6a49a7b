"""All searches do the pinned work, also beside another process. Says nothing of speed."""

import signature


def test_work_is_the_pinned() -> None:
    both = [signature.launch() for _ in range(2)]  # side by side, on one core or two
    first, second = (signature.read(process) for process in both)
    assert first == second
    assert first == signature.pinned(), "other work; if meant: ./dev bench pin, and say why in the commit"
