"""Writes the colour maps: 256 lines of RRGGBB each.

viridis, cividis and magma are the published tables (CC0) as shipped by matplotlib (made with 3.11);
blue_white_red is our own: mirror-symmetric lightness in CIELAB around a near-white centre.
"""
import pathlib
import numpy as np
import matplotlib

HERE = pathlib.Path(__file__).parent


def write(name, rgb):
    rows = np.clip(np.rint(np.asarray(rgb) * 255), 0, 255).astype(int)
    (HERE / f"{name}.txt").write_text("".join("%02x%02x%02x\n" % tuple(row) for row in rows))


def to_lab(rgb):
    rgb = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = rgb @ np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                          [0.0193339, 0.1191920, 0.9503041]]).T / np.array([0.95047, 1, 1.08883])
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.stack([116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], 1)


def from_lab(lab):
    fy = (lab[:, 0] + 16) / 116
    f = np.stack([fy + lab[:, 1] / 500, fy, fy - lab[:, 2] / 200], 1)
    xyz = np.where(f > 0.206893, f ** 3, (f - 16 / 116) / 7.787) * np.array([0.95047, 1, 1.08883])
    rgb = xyz @ np.linalg.inv(np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                                        [0.0193339, 0.1191920, 0.9503041]])).T
    rgb = np.clip(rgb, 0, 1)
    return np.where(rgb <= 0.0031308, rgb * 12.92, 1.055 * rgb ** (1 / 2.4) - 0.055)


def arm(colours, steps=128):
    """From the centre outwards, lightness falling evenly from 97 to 28."""
    rgb = np.array([[int(c[i:i + 2], 16) / 255 for i in (0, 2, 4)] for c in colours])
    lab = to_lab(rgb)
    light = np.linspace(97, 28, steps)
    order = np.argsort(lab[:, 0])
    a = np.interp(light, lab[order, 0], lab[order, 1])
    b = np.interp(light, lab[order, 0], lab[order, 2])
    return from_lab(np.stack([light, a, b], 1))


for name in ("viridis", "cividis", "magma"):
    write(name, matplotlib.colormaps[name](np.arange(256))[:, :3])
BLUE = ["f6f6f6", "a9cbe6", "5b9bd0", "2467ad", "123e78"]
RED = ["f6f6f6", "f3b8a2", "e07a62", "b8323a", "6f0f26"]
blue, red = arm(BLUE), arm(RED)
write("blue_white_red", np.concatenate([blue[::-1], red]))
# The two arms by themselves, from light to dark: queries and keys.
write("blues", arm(BLUE, 256))
write("reds", arm(RED, 256))
