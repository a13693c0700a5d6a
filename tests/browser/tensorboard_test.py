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


def check_sets(tool, folder):
    """A dump of several data sets: a step for each, 2 before 10; of two dumps a run for each."""
    array = numpy.ones((2, 3))
    for name, factor in (("set_10", 3), ("set_2", 2), ("set_1", 1)):
        write_dump(folder / "sets" / name, [("y", "Relu", "n", array * factor)])
    for dumps, runs in (([], [""]), ([folder / "sets" / "set_2"], ["a", "b"])):
        logs = folder / f"logs{len(dumps)}"
        subprocess.run([tool, "report", str(folder / "sets"), *map(str, dumps), "--tensorboard", str(logs), "-q"],
                       check=True)
        for run, expected in zip(runs, ([(0, 1.0), (1, 2.0), (2, 3.0)], [(0, 2.0)])):
            assert len(list((logs / run).glob("events.*"))) == 1
            events = EventAccumulator(str(logs / run), size_guidance={"histograms": 0})  # all of them
            events.Reload()
            assert [(each.step, each.value) for each in events.Scalars("max/y")] == expected
            assert [each.step for each in events.Histograms("elements/y")] == [step for step, _ in expected]
            assert [each.step for each in events.Images("picture/y")] == [step for step, _ in expected]


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
        check_sets(options.tool, folder)
    print("2 passed, 0 failed")


if __name__ == "__main__":
    main()
