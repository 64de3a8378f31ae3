"""The choices of `read_dataset` that findings name, in the words of configs and commands."""

import re

_CHOICE = re.compile(r"\b(target_form|unranked|missing)='(\w+)'")
_ROLES = (
    "roles={'column': 'label', ...}; roles=proposal.roles takes the proposal of inspect_files as "
    "it is."
)
_ROLES_IN_CONFIG = '"roles": {"column": "label", ...}.'
# What a program can call besides.
_CALL = " reading_preview shows both."
_IN_CONFIG = 'These choices stand in the config, in "choices" beside "files".'


def in_config_words(message: str) -> str:
    """Write choices as a config does, and say where they stand there.

    >>> print(in_config_words("Line 3 is empty. Choose missing='fill'."))
    Line 3 is empty. Choose "missing": "fill".
    These choices stand in the config, in "choices" beside "files".
    """
    text = message.replace(_ROLES, _ROLES_IN_CONFIG).replace(_CALL, "")
    text = _CHOICE.sub(r'"\1": "\2"', text)
    return text if text == message else f"{text}\n{_IN_CONFIG}"


def in_option_words(message: str) -> str:
    """Write choices as options of the command that downloads a data set.

    >>> in_option_words("Line 3 is empty. Choose missing='fill'.")
    'Line 3 is empty. Choose --missing fill.'
    """
    if _ROLES in message:
        # The command has no option for them.
        roles = f"{_ROLES_IN_CONFIG[:-1]} of a config that reads the downloaded file."
        message = message.replace(_ROLES, roles)
    message = message.replace(_CALL, "")
    return _CHOICE.sub(lambda match: f"--{match[1].replace('_', '-')} {match[2]}", message)
