"""The address by which phones reach a class, its QR code, and who asks."""

from ipaddress import ip_address
from urllib.parse import quote, urlsplit

import segno
import streamlit as st

# In the address of a phone.
CODE = "class"
# What readers of QR codes need around the code, in modules.
_QUIET_ZONE = 4


def join_address(url: str | None, code: str) -> str:
    """Return the address that phones open: that of the teacher's page, with a code.

    The browser's own address is the one by which a proxy is reached, whatever stands behind it.
    """
    return f"{url or ''}?{CODE}={quote(code)}"


def is_on_this_machine(address: str) -> bool:
    """Tell whether an address leads every device to itself, so that no phone can follow it."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def spoken_address(address: str) -> str:
    """Return an address without its scheme and query, as people type it."""
    parts = urlsplit(address)
    return f"{parts.netloc}{parts.path}"


def qr_image(address: str) -> str:
    """Return the QR code of an address as the source of an image, black on white always."""
    code = segno.make(address, error="m", micro=False)
    return code.svg_data_uri(border=_QUIET_ZONE, dark="#000", light="#fff", omitsize=True)


def client_address() -> str:
    """Return the network address of the visitor, on which bounds are set; '' for this machine."""
    return st.context.ip_address or ""
