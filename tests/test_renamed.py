"""Old names of modules, arguments, methods and fields work, with a warning."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import pytest

from ccsim.arguments.renamed import Renamed, renamed_arguments, renamed_methods


def warned(old, new):
    return pytest.warns(DeprecationWarning, match=f"^{old} is deprecated; use {new} instead$")


def test_arguments_have_old_names_as_keywords():
    @renamed_arguments(size="length")
    def double(length, *, of=2):
        return of * length

    assert double(3) == double(length=3) == 6
    with warned("double: size", "length") as record:
        assert double(size=3, of=4) == 12
    assert record[0].filename == __file__
    with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
        double(length=3, size=3)


def test_a_field_has_an_old_name():
    @dataclass(frozen=True, slots=True)
    class Circle:
        radius: int
        size = Renamed("radius")

    with warned("Circle.size", "Circle.radius") as record:
        assert Circle(3).size == 3
    assert record[0].filename == __file__
    assert "size" not in Circle.__dataclass_fields__


class Shape(ABC):
    """An abstract class with renamed methods."""

    def __init_subclass__(cls, **given):
        super().__init_subclass__(**given)
        renamed_methods(cls, {"size": "area", "edges": "sides"})

    size = Renamed("area")

    @abstractmethod
    def area(self):
        """Return the area."""


def square():
    with warned("defining Square.size", "Square.area") as record:

        class Square(Shape):
            def size(self):
                return 4

    assert record[0].filename == __file__
    return Square


def test_a_subclass_may_define_the_old_name():
    made = square()()
    assert made.area() == 4
    with warned("Square.size", "Square.area"):
        assert made.size() == 4


def test_old_names_of_subclasses_go_to_their_own_methods_and_to_those_above():
    above = square()
    with warned("defining Cube.size", "Cube.area"):

        class Cube(above):
            def size(self):
                return 6 * super().size()

    with warned("Square.size", "Square.area"):
        assert Cube().area() == 24
    with warned("Square.size", "Square.area"), warned("Cube.size", "Cube.area"):
        assert Cube().size() == 24


def test_the_new_name_needs_no_warning_and_the_old_one_is_its_alias():
    @dataclass(frozen=True, slots=True)
    class Point(Shape):
        def area(self):
            return 0

        def sides(self):
            return 0

    assert Point().area() == 0
    with warned("Point.size", "Point.area"), warned("Point.edges", "Point.sides"):
        assert Point().size() == Point().edges() == 0


def test_where_both_names_are_defined_the_new_one_counts():
    class Line(Shape):
        def area(self):
            return 0

        def size(self):
            return 1

    with warned("Line.size", "Line.area"):
        assert Line().size() == 0


def test_setting_an_old_name_sets_the_new_one():
    made = square()()
    with warned("Square.size", "Square.area"):
        made.size = lambda: 5
    assert made.area() == 5
