"""Contact sheets, GIFs and charts with Pillow and NumPy alone: no GPU, no browser, no display."""

from canter.pictures.sheet import contact_sheet

__all__ = ["contact_sheet"]
