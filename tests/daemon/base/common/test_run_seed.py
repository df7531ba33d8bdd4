"""The random numbers of a run come from its seed alone."""

import gc
from random import Random

from hilbridge.base.common.run_seed import RunSeed


def test_a_generator_is_that_of_its_form_and_the_seed() -> None:
    assert RunSeed(5).generator("access {}", offset=2).random() == Random("access 7").random()


def test_another_seed_makes_what_a_new_one_would_have_made() -> None:
    """Also of generators that are made later."""
    seed = RunSeed(1)
    first = seed.generator("first {}")
    seed.change(9)
    assert first.random() == Random("first 9").random()
    assert seed.generator("{} 3").random() == Random("9 3").random()


def test_generators_that_nobody_has_are_forgotten() -> None:
    """A bench that runs for months gets faults all the time."""
    seed = RunSeed(1)
    kept = seed.generator("kept {}")
    for number in range(100):
        seed.generator(f"{{}} {number}")
    gc.collect()
    assert [*seed._made] == [kept]
