"""Many quick cases in one test: each test of its own costs milliseconds before it begins."""

from functools import wraps
from inspect import isclass, signature


def looped(names, cases_of):
    """Let a test, or all of a class, go through cases that depend on its other arguments.

    `names` are those of the arguments that a case gives, `cases_of` takes the others that it names
    and returns tuples. An error says of which case it is.
    """

    def decorate(test):
        if isclass(test):
            for name, function in list(vars(test).items()):
                if name.startswith("test_"):
                    setattr(test, name, decorate(function))
            return test
        own = signature(test).parameters

        @wraps(test)
        def every(*args, **given):
            cases = list(cases_of(*(given[name] for name in signature(cases_of).parameters)))
            assert cases
            for case in cases:
                told = dict(zip(names, case, strict=True))
                try:
                    test(*args, **given, **told)
                except BaseException as error:
                    error.add_note(f"In the case {told}")
                    raise

        left = [each for name, each in own.items() if name not in names]
        every.__signature__ = signature(test).replace(parameters=left)
        return every

    return decorate


def seeds(n_seeds):
    """Let a test, or all of a class, go through the seeds from 0."""
    return looped(["seed"], lambda: [(seed,) for seed in range(n_seeds)])
