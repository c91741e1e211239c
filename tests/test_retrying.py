import pytest

from mmmath_tasks.retrying import backoff, is_transient, retry_after


def test_retry_after_reads_seconds_and_dates():
    assert retry_after("7") == 7
    assert retry_after("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert 3.0e9 > retry_after("Wed, 21 Oct 2093 07:28:00 GMT") > 1e9
    assert retry_after(None) is retry_after("soon") is retry_after("nan") is retry_after("inf") is None


def test_backoff_doubles_with_jitter_up_to_half_a_minute():
    low = [backoff(i, dice=lambda: 0.0) for i in range(9)]
    high = [backoff(i, dice=lambda: 1.0) for i in range(9)]
    assert low[:4] == [0.25, 0.5, 1.0, 2.0]
    assert high[:4] == [0.5, 1.0, 2.0, 4.0]
    assert high[-1] == backoff(10_000, dice=lambda: 1.0) == 30.0


def test_backoff_keeps_the_wait_that_was_asked_for_and_waits_where_that_is_none():
    assert [backoff(3, 7.0, dice=lambda value=value: value) for value in (0.0, 1.0)] == pytest.approx([7.0, 7.7])
    assert backoff(0, 0.0, dice=lambda: 0.0) == 0.25  # a date in the past by our clock


def test_what_is_tried_again():
    assert {status for status in range(100, 600) if is_transient(status)} == {408, 409, 425, 429, *range(500, 600)}
