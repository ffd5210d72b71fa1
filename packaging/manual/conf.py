# Settings of Sphinx for the manual. pages.py writes the sources; packaging/manual.sh runs both.
import os

project = "Plastiscope"
release = version = os.environ["PLASTISCOPE_VERSION"]
copyright = "the maintainers of Plastiscope"
extensions = ["myst_parser"]
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
    "dark_css_variables": {"color-brand-primary": "#8ab8f0", "color-brand-content": "#8ab8f0"},
}
