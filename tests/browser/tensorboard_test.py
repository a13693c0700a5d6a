#!/usr/bin/env python3
"""Has TensorBoard's own reader read the event files of `report --tensorboard`.

  tensorboard_test.py --tool BIN

Exit code 77 (skipped) without the packages of tests/browser/requirements.txt.
"""

import argparse
import io
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ["PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"] = "python"
try:
    import numpy
    from PIL import Image
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from dumps import write_dump  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tool", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        array = numpy.arange(-10, 22, dtype=numpy.float32).reshape(1, 2, 4, 4)
        dump = write_dump(folder / "d", [("layer/conv", "Conv", "n", array)])
        subprocess.run([options.tool, "report", str(dump), "--tensorboard", str(folder / "logs"), "-q"], check=True)
        events = EventAccumulator(str(folder / "logs"))
        events.Reload()
        tags = events.Tags()
        assert set(tags["scalars"]) == {kind + "/layer/conv" for kind in
                                        ("min", "max", "mean", "std", "zeros", "nan", "inf")}, tags
        assert [each.value for each in events.Scalars("max/layer/conv")] == [21.0]
        histogram = events.Histograms("elements/layer/conv")[0].histogram_value
        assert histogram.num == 32 and sum(histogram.bucket) == 32, histogram
        assert numpy.isclose(histogram.sum_squares, (array.astype(float) ** 2).sum()), histogram
        picture = events.Images("picture/layer/conv")[0]
        image = Image.open(io.BytesIO(picture.encoded_image_string)).convert("RGB")
        assert (image.width, image.height) == (picture.width, picture.height)
        assert image.getpixel((0, 0)) == (0x44, 0x01, 0x54), image.getpixel((0, 0))
        assert image.getpixel((image.width - 1, image.height - 1)) == (0xfd, 0xe7, 0x25)
    print("1 passed, 0 failed")


if __name__ == "__main__":
    main()
