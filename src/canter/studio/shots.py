"""Pictures of the studio for its documentation, made by a browser without a window."""

from __future__ import annotations

FLAGS = (
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-gpu-rasterization",  # Debian turns it on; without a graphics card it is three times slower
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
"""How chromium is started where there is no graphics card."""
