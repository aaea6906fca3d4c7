"""The box as a web page: `python -m web.build` makes the site, `web.box` runs in it."""
