"""Screenshots: reading, comparing, keeping them small."""

import io

from PIL import Image, ImageChops

#: The largest difference of a channel that is none: rounding of blends.
TOLERANCE = 8


def opened(data):
    """A picture of PNG bytes or of a file."""
    return Image.open(io.BytesIO(data) if isinstance(data, bytes) else data).convert("RGB")


def mirrored(picture):
    """Left is right."""
    return picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)


def difference(one, other):
    """The share of pixels that differ, 0…1; 1 if the sizes do."""
    if one.size != other.size:
        return 1.0
    largest = None
    for band in ImageChops.difference(one, other).split():
        largest = band if largest is None else ImageChops.lighter(largest, band)
    return sum(largest.histogram()[TOLERANCE + 1:]) / (one.width * one.height)


def small(picture):
    """WebP without loss: what the README shows."""
    output = io.BytesIO()
    picture.save(output, "WEBP", lossless=True, quality=100, method=6)
    return output.getvalue()
