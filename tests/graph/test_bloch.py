"""Qubits on the sphere: what a rotation keeps, where it leads, and that the search finds what it should."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some
from numpy.typing import NDArray

from honeyguide.graph.bloch import PAULI, bloch_points, evolve, qubits, rotated, shares, turned_towards

Floats = NDArray[np.float64]

thetas = some.floats(0.0, np.pi)
phis = some.floats(0.0, 2 * np.pi)


def grid(count: int = 9, seed: int = 0) -> NDArray[np.complex128]:
    """Proportions 0.1 to 0.9 with chance phases, as a search begins."""
    phi = 2 * np.pi * np.random.default_rng(seed).random(count)
    return qubits(np.arccos(2 * np.linspace(0.1, 0.9, count) - 1), phi)


def angle(one: Floats, other: Floats) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(one, other)), one @ other))


@given(thetas, phis)
def test_pauli_expectations_are_the_coordinates(theta: float, phi: float) -> None:
    point = bloch_points(qubits(np.array([theta]), np.array([phi])))[0]
    expected = [np.cos(phi) * np.sin(theta), np.sin(phi) * np.sin(theta), np.cos(theta)]
    assert point == pytest.approx(expected, abs=1e-12)
    assert np.linalg.norm(point) == pytest.approx(1.0)


@given(thetas, phis)
def test_the_shares_are_the_squares_of_the_amplitudes(theta: float, phi: float) -> None:
    share = shares(qubits(np.array([theta]), np.array([phi])))[0]
    assert share == pytest.approx(np.cos(theta / 2) ** 2)
    assert 0.0 <= share <= 1.0 + 1e-12


def test_pauli_operators_square_to_one_and_do_not_commute() -> None:
    x, y, z = PAULI
    for one in PAULI:
        assert one @ one == pytest.approx(np.eye(2))
    assert x @ y - y @ x == pytest.approx(2j * z)


@given(thetas, phis, some.floats(-10.0, 10.0), thetas, phis)
def test_a_rotation_keeps_the_norm_and_turns_by_its_angle(
    theta: float, phi: float, turn: float, axis_theta: float, axis_phi: float
) -> None:
    state = qubits(np.array([theta]), np.array([phi]))
    axis = bloch_points(qubits(np.array([axis_theta]), np.array([axis_phi])))
    after = rotated(state, axis, np.array([turn]))
    assert np.linalg.norm(after) == pytest.approx(1.0)
    before, now = bloch_points(state)[0], bloch_points(after)[0]
    # Rodrigues' formula for the same turn in space.
    along = axis[0] * (axis[0] @ before)
    expected = along + np.cos(turn) * (before - along) + np.sin(turn) * np.cross(axis[0], before)
    assert now == pytest.approx(expected, abs=1e-9)


@given(thetas, phis, thetas, phis, some.floats(0.001, 0.05))
def test_a_qubit_moves_towards_the_best_by_delta_and_never_past_it(
    theta: float, phi: float, best_theta: float, best_phi: float, delta: float
) -> None:
    states = qubits(np.array([theta, best_theta]), np.array([phi, best_phi]))
    before = bloch_points(states)
    gap = angle(before[0], before[1])
    after = turned_towards(states, 1, delta)
    points = bloch_points(after)
    assert np.abs(after[1]) == pytest.approx(np.abs(states[1]))
    assert points[1] == pytest.approx(before[1], abs=1e-9)
    if 1e-6 < gap < np.pi - 1e-6:
        assert angle(points[0], points[1]) == pytest.approx(max(0.0, gap - delta), abs=1e-6)
        assert angle(before[0], points[0]) == pytest.approx(min(gap, delta), abs=1e-6)
    else:  # no axis stands on both: it stays
        assert angle(before[0], points[0]) < 1e-5


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(
    ("fitness", "optimum"),
    [
        (lambda share: -((share - 0.37) ** 2), 0.37),
        (lambda share: -np.abs(share - 0.82), 0.82),
        (lambda share: np.sin(np.pi * share), 0.5),
        (lambda share: share, 1.0),
        (lambda share: -share, 0.0),
        # A wide hill, and a narrow one that is higher.
        (lambda share: np.exp(-((share - 0.2) ** 2) / 0.02) + 2 * np.exp(-((share - 0.75) ** 2) / 0.005), 0.75),
    ],
    ids=["parabola", "roof", "sine", "rising", "falling", "two hills"],
)
def test_it_finds_a_known_optimum_within_the_generations_of_the_paper(
    fitness: Callable[[Floats], Floats], optimum: float, seed: int
) -> None:
    found = evolve(grid(seed=seed), fitness, np.random.default_rng(seed), best=4)
    assert len(found.course) <= 200
    assert shares(found.states)[found.best] == pytest.approx(optimum, abs=0.02)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_never_falls(seed: int) -> None:
    chance = np.random.default_rng(seed)
    heights = chance.random(50)

    def rough(share: Floats) -> Floats:
        return np.interp(share, np.linspace(0, 1, 50), heights)

    found = evolve(grid(), rough, chance, mutation=0.3)
    assert found.course == sorted(found.course)
    assert found.fitness == found.course[-1] == pytest.approx(rough(shares(found.states))[found.best])


def test_where_all_are_equal_the_one_that_was_best_stays() -> None:
    found = evolve(grid(), lambda share: np.zeros(len(share)), np.random.default_rng(0), best=6)
    assert found.best == 6
    assert shares(found.states)[6] == pytest.approx(0.7)
    assert len(found.course) < 200  # nothing rises, so it ends early


def test_without_chance_all_gather_at_the_best() -> None:
    found = evolve(grid(), lambda share: -np.abs(share - 0.5), np.random.default_rng(0), best=4, mutation=0.0)
    assert shares(found.states)[found.best] == pytest.approx(0.5)
    spread = bloch_points(found.states) @ bloch_points(found.states)[4]
    before = bloch_points(grid()) @ bloch_points(grid())[4]
    assert (spread >= before - 1e-9).all()
