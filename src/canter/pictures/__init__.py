"""Contact sheets and GIFs with Pillow and NumPy alone, charts with matplotlib: no GPU, no browser, no display."""

from canter.pictures.charts import Axis, Series, bar_chart, line_chart
from canter.pictures.gif import animate
from canter.pictures.sheet import contact_sheet
from canter.pictures.strobe import strobe

__all__ = ["Axis", "Series", "animate", "bar_chart", "contact_sheet", "line_chart", "strobe"]
