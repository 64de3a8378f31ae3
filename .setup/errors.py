"""Foreseeable causes of failure, each told in one sentence.

The syntax is that of Python 3.6, so that an old Python gets as far as the sentence that says
which one is needed.
"""

import sys

OLDEST = (3, 11)


class SetupError(Exception):
    """A foreseeable cause, told in one sentence."""


def guarded(main):
    """Run `main` and return its exit code; foreseeable causes become one sentence."""
    try:
        if sys.version_info < OLDEST:
            raise SetupError(
                "Python {}.{} or newer is needed, but {} is Python {}.".format(
                    *OLDEST, sys.executable, sys.version.split()[0]
                )
            )
        return main()
    except KeyboardInterrupt:
        return 130
    except (SetupError, OSError) as error:
        print(f"LabelRank Lab: {error}", file=sys.stderr)
        return 1
