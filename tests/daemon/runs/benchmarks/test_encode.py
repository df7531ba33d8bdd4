"""What is compared is the same work."""

from hilbridge.runs.benchmarks.encode import encoders


def test_all_ways_of_encoding_make_the_same_bytes() -> None:
    """For every frame of the database with 8 bytes: two that the vehicle sends, and the driver's."""
    frames = {way: [encode(argument) for encode, argument in calls] for way, calls in encoders().items()}
    assert [len(frame) for frame in frames["cantools"]] == [8, 8, 8]
    assert frames["bus"] == frames["cantools"]
    assert frames["mapping"] == frames["cantools"]
