"""How Sphinx builds the documentation: `make docs`."""

project = "evalschema"
extensions = ["myst_parser"]
html_theme = "furo"
exclude_patterns = ["_build", "demo"]
myst_heading_anchors = 3
