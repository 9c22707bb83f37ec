"""Qubits on the Bloch sphere, and a search by rotating them towards the best.

A qubit is cos(theta/2)|0> + e^(i phi) sin(theta/2)|1>. What it proposes is a proportion: the share of |0>,
cos^2(theta/2); that of |1> is the rest. The expectations of the Pauli operators are its coordinates on the sphere,

    x = cos(phi) sin(theta),   y = sin(phi) sin(theta),   z = cos(theta).

In each generation all proportions are tried, the best is kept as it is, and every other qubit turns towards it by a
small angle about the axis that stands on both, never past it:

    R_n(delta) = cos(delta/2) I - i sin(delta/2) (n . sigma),   n = p x p_best / |p x p_best|

or, seldom, is drawn anew. Since the best is kept, what is found never becomes worse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = ["PAULI", "Evolution", "bloch_points", "evolve", "qubits", "rotated", "shares", "turned_towards"]

Floats = NDArray[np.float64]
Qubits = NDArray[np.complex128]  # a row for each: the amplitudes of |0> and of |1>
Fitness = Callable[[Floats], Floats]  # how good proportions are, all at once

PAULI: NDArray[np.complex128] = np.array([[[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]]])
_NO_AXIS = 1e-9  # shorter than this, a product of two points gives no axis: they are one, or opposite


def qubits(theta: Floats, phi: Floats) -> Qubits:
    """Qubits by their two angles.

    >>> qubits(np.array([np.pi / 2]), np.array([0.0])).round(3).tolist()
    [[(0.707+0j), (0.707+0j)]]
    """
    return np.stack([np.cos(theta / 2) + 0j, np.exp(1j * phi) * np.sin(theta / 2)], axis=1)


def shares(states: Qubits) -> Floats:
    """The share of |0> in each qubit: |amplitude|^2.

    >>> shares(qubits(np.array([0.0, np.pi / 3, np.pi]), np.zeros(3))).round(3).tolist()
    [1.0, 0.75, 0.0]
    """
    found: Floats = np.square(np.abs(states[:, 0]))
    return found


def bloch_points(states: Qubits) -> Floats:
    """The coordinates of each qubit on the sphere: the expectations of the three Pauli operators.

    >>> bloch_points(qubits(np.array([np.pi / 2]), np.array([np.pi / 2]))).round(3).tolist()
    [[0.0, 1.0, 0.0]]
    """
    found: Floats = np.einsum("ni,kij,nj->nk", states.conj(), PAULI, states).real
    return found


def rotated(states: Qubits, axes: Floats, angles: Floats) -> Qubits:
    """Each qubit turned by its angle about its axis, which is of unit length.

    >>> turned = rotated(qubits(np.zeros(1), np.zeros(1)), np.array([[0.0, 1.0, 0.0]]), np.array([np.pi / 2]))
    >>> bloch_points(turned).round(3).tolist()
    [[1.0, 0.0, 0.0]]
    """
    about = np.einsum("nk,kij->nij", axes, PAULI)
    half = angles[:, None, None] / 2
    turn = np.cos(half) * np.eye(2) - 1j * np.sin(half) * about
    found: Qubits = np.einsum("nij,nj->ni", turn, states)
    return found


def turned_towards(states: Qubits, best: int, delta: float) -> Qubits:
    """Every qubit turned towards one of them by `delta`, or by what is between them if that is less."""
    points = bloch_points(states)
    cross = np.cross(points, points[best])
    length = np.sqrt(np.square(cross).sum(axis=1))
    between = np.arctan2(length, points @ points[best])
    fixed = length < _NO_AXIS
    axes = np.where(fixed[:, None], [0.0, 0.0, 1.0], cross / np.where(fixed, 1.0, length)[:, None])
    return rotated(states, axes, np.where(fixed, 0.0, np.minimum(delta, between)))


class Evolution(NamedTuple):
    """What a search came to: the qubits, which is the best, how good it is, and how good the best was on the way."""

    states: Qubits
    best: int
    fitness: float
    course: list[float]


def evolve(
    states: Qubits,
    fitness: Fitness,
    chance: np.random.Generator,
    *,
    best: int = 0,
    delta: float = 0.02,
    mutation: float = 0.05,
    generations: int = 200,
    tolerance: float = 1e-6,
    patience: int = 100,
) -> Evolution:
    """Search for the proportion of the highest fitness.

    `best` is the one that is kept where others are no better. It ends after so many generations, or when the best has
    risen by less than `tolerance` over `patience` of them: a single one without a rise is no sign, for the others are
    still on their way.

    >>> start = qubits(np.arccos(np.linspace(-0.8, 0.8, 9)), np.zeros(9))
    >>> found = evolve(start, lambda share: -np.abs(share - 0.33), np.random.default_rng(1))
    >>> abs(float(shares(found.states)[found.best]) - 0.33) < 0.02, found.course == sorted(found.course)
    (True, True)
    """
    course: list[float] = []
    for generation in range(generations):
        values = fitness(shares(states))
        if values.max() > values[best]:
            best = int(values.argmax())
        course.append(float(values[best]))
        if generation >= patience and course[-1] - course[-1 - patience] < tolerance:
            break
        states = turned_towards(states, best, delta)
        redrawn = chance.random(len(states)) < mutation
        redrawn[best] = False
        if redrawn.any():
            count = int(redrawn.sum())
            states[redrawn] = qubits(np.pi * chance.random(count), 2 * np.pi * chance.random(count))
    return Evolution(states, best, course[-1], course)
