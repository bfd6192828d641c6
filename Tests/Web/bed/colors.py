"""Colours as the browser computes them, and contrast as WCAG 2.2 defines it."""

import re

NUMBER = r"[-+]?[0-9.]+(?:e[-+]?[0-9]+)?"


def parse(text):
    """(red, green, blue in 0…255, alpha in 0…1) of a computed colour, `#rgb`, `#rrggbb` or `#rrggbbaa`."""
    text = text.strip().lower()
    if text == "transparent":
        return (0.0, 0.0, 0.0, 0.0)
    if text.startswith("#"):
        digits = text[1:]
        if len(digits) in (3, 4):
            digits = "".join(digit * 2 for digit in digits)
        parts = [int(digits[at:at + 2], 16) for at in range(0, len(digits), 2)]
        return (*map(float, parts[:3]), parts[3] / 255 if len(parts) == 4 else 1.0)
    numbers = [float(number) for number in re.findall(NUMBER, text.replace("color(srgb", ""))]
    if text.startswith("color(srgb"):
        numbers[:3] = [255 * part for part in numbers[:3]]
    elif not text.startswith("rgb"):
        raise ValueError(f"no colour that is understood: {text}")
    return (*numbers[:3], numbers[3] if len(numbers) > 3 else 1.0)


def same(one, other, tolerance=1.0, alpha=0.006):
    """Whether two colours are the same but for rounding; texts or parsed."""
    one, other = (parse(color) if isinstance(color, str) else color for color in (one, other))
    if one[3] < alpha and other[3] < alpha:
        return True
    return all(abs(a - b) <= tolerance for a, b in zip(one[:3], other[:3])) and abs(one[3] - other[3]) <= alpha


def over(front, *behind):
    """The opaque colour of layers on each other, the frontmost first; the last one is opaque."""
    *layers, bottom = [parse(color) if isinstance(color, str) else color for color in (front, *behind)]
    result = bottom[:3]
    for layer in reversed(layers):
        result = tuple(layer[3] * part + (1 - layer[3]) * under for part, under in zip(layer[:3], result))
    return (*result, 1.0)


def luminance(color):
    """Relative luminance of an opaque colour."""
    def linear(part):
        part /= 255
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
    red, green, blue = (linear(part) for part in color[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    """The ratio of two opaque colours, 1…21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def of_gradient(text):
    """The colours of a computed gradient, in order."""
    return re.findall(r"rgba?\([^)]*\)|color\(srgb[^)]*\)", text)
