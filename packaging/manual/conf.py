# Settings of Sphinx for the manual. pages.py writes the sources; packaging/manual.sh runs both.
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "app/python/src"))

project = "Plastiscope"
release = version = os.environ["PLASTISCOPE_VERSION"]
copyright = "the maintainers of Plastiscope"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
autodoc_mock_imports = ["h5py", "numpy"]  # the package is only read
autodoc_typehints = "none"  # Parameters state the types
autodoc_member_order = "bysource"
nitpick_ignore_regex = [("py:.*", ".*")]  # types of Python, NumPy and other packages
myst_enable_extensions = ["deflist", "html_image"]
myst_heading_anchors = 4
smartquotes = False  # -- begins an option
highlight_language = "none"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["manual.css"]
html_title = f"Plastiscope {release}"
html_last_updated_fmt = None  # the same bytes each time
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1f5fa8", "color-brand-content": "#1f5fa8"},
    # All of the dark look: the theme in Debian 12 comes without it.
    "dark_css_variables": {
        "color-brand-primary": "#8ab8f0",
        "color-brand-content": "#8ab8f0",
        "color-background-primary": "#131416",
        "color-background-secondary": "#1a1c1e",
        "color-background-hover": "#1e2124",
        "color-background-hover--transparent": "#1e212400",
        "color-background-border": "#303335",
        "color-background-item": "#444444",
        "color-foreground-primary": "#d8dadc",
        "color-foreground-secondary": "#9ca0a5",
        "color-foreground-muted": "#81868d",
        "color-foreground-border": "#666666",
        "color-highlighted-background": "#083563",
        "color-highlight-on-target": "#333300",
        "color-admonition-background": "#18181a",
        "color-card-background": "#18181a",
    },
}


def hide_options(app, function, bound):
    """Signatures in the manual end with **options: another page lists those of each command."""
    if "options" in getattr(getattr(function, "__signature__", None), "parameters", ()):
        del function.__signature__


def setup(app):
    app.connect("autodoc-before-process-signature", hide_options)
