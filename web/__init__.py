"""The box as a web page: `python -m web.build` makes the site, and `web.box` runs in the page."""
