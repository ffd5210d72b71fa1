"""Planted queries: which estimators of aligned plasticity are biased by few queries and texts (method.md, Aligned plasticity).

Queries in 16 dimensions: a mean, an effect of the text (sd 0.5), and what differs within a text (sd 0.7); the length of the
mean makes the true plasticity 0.8932, averaged over 40 random differences of keys. Run: python planted_aligned.py
"""
import numpy as np
from scipy import optimize, special

from reference_aligned import gaussian, values_of

TRUTH, DRAWS, D = 0.8932, 300, 16
PRINTED = {(3, 10): (0.809, 0.836, 0.815, 0.895), (5, 10): (0.841, 0.858, 0.845, 0.894),
           (14, 4): (0.865, 0.881, 0.870, 0.891), (100, 1): (0.885, 0.894, 0.888, 0.894)}


def main():
    rng = np.random.default_rng(1)
    delta = rng.normal(size=(40, D))
    toward = delta @ rng.normal(size=D) / np.linalg.norm(delta, axis=1) / np.hypot(0.5, 0.7)

    def plasticity(length):
        return np.mean(4 * special.ndtr(length * toward) * special.ndtr(-length * toward))

    length = optimize.brentq(lambda x: plasticity(x) - TRUTH, 0, 10)
    mean = np.linalg.lstsq(delta, length * toward * np.linalg.norm(delta, axis=1) * np.hypot(0.5, 0.7), rcond=None)[0]
    print("texts x queries    4p(1-p)  times n/(n-1)  gaussian  disagreement   (printed)")
    for (texts, each), printed in PRINTED.items():
        found = []
        for _ in range(DRAWS):
            text = np.repeat(np.arange(texts), each)
            x = mean + 0.5 * rng.normal(size=(texts, D))[text] + 0.7 * rng.normal(size=(len(text), D))
            p = np.mean(x @ delta.T > 0, 0)
            plain, n = np.mean(4 * p * (1 - p)), len(text)
            found.append((plain, plain * n / (n - 1), np.mean(gaussian(x, delta)),
                          np.mean(values_of(x, text, delta, {"aligned_estimator": "disagreement"}))))
        values, error = np.mean(found, 0), np.std(found, 0) / np.sqrt(DRAWS)
        print(f"{texts:>5} x {each:<9}" + "".join(f"{v:>11.3f}" for v in values) + f"   {printed}  +- {error[3]:.3f}")
        assert abs(values[3] - TRUTH) < 4 * error[3]


if __name__ == "__main__":
    main()
