"""Tests of Struggle of Empires. What a check of the referee finds is told as a test of its own would tell it."""
import pytest

pytest.register_assert_rewrite("tests.games.struggle_of_empires.referee")
