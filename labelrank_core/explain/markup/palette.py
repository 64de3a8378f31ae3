"""Colours of labels, the ink to write on them, and the accent, which no label has."""

ACCENT = "#5B5BD6"

# Okabe and Ito's colours, distinguishable with colour blindness; then darker and lighter ones.
_BASE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999")
_SHADES = ((1.0, 0), (0.6, 0), (0.55, 110))
# Labels beyond these begin with the first colour again.
N_COLORS = len(_BASE) * len(_SHADES)


def label_color(index: int) -> str:
    """Return the colour of a label, the same everywhere, as hexadecimal text."""
    factor, lift = _SHADES[(index // len(_BASE)) % len(_SHADES)]
    channels = (int(_BASE[index % len(_BASE)][i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{min(255, int(c * factor) + lift):02x}" for c in channels)


def color_class(index: int) -> str:
    """Return the class that gives an element a label's colour in the style sheet of markup."""
    return f"l{index % N_COLORS}"


def ink(color: str) -> str:
    """Return black or white, whichever has the higher contrast on a colour (WCAG 2.2)."""
    channels = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    luminance = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return "#000000" if (luminance + 0.05) / 0.05 > 1.05 / (luminance + 0.05) else "#ffffff"
