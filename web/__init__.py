"""The box as a web page; `web.build` makes the site, and `web.box` runs in the page."""
