"""We-Math's knowledge hierarchy (paper §3.1, Figures 8 to 11): 5 domains, 12 topics, 67 concepts.

Upstream: knowledge_structure_nodes.json at commit a57a0e8. The names are as its data spells them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """Where one concept stands in the hierarchy.

    Attributes:
        domain: one of five, the first level below "Geometry and Figures" (root1 upstream).
        topic: one of twelve (root2 upstream), the columns of Table 2.
        section: the level between topic and concept (root3 upstream); "" where the concept lies right below its topic.
    """

    domain: str
    topic: str
    section: str


_TREE: Mapping[str, Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "Measurement": {
        "Understanding and Conversion of Units": {
            "": (
                "Conversion Rates and Calculations Between Area Units",
                "Conversion Rates and Calculations Between Volume Units (Including Liters and Milliliters)",
                "Conversion Rates and Calculations Between Length Units",
            )
        },
        "Angles and Length": {
            "": ("Understanding Angles (Using a Protractor)", "Understanding Length (Using a Ruler)")
        },
    },
    "Solid Figures": {
        "Calculation of Solid Figures": {
            "Calculation of Surface Area of Solid Figures": (
                "Surface Area of Cylinders",
                "Surface Area of Rectangular Cuboids",
                "Surface Area of Cubes",
            ),
            "Calculation of Volume of Solid Figures": (
                "Volume and Capacity of Cylinders",
                "Volume and Capacity of Cones",
                "Volume and Capacity of Rectangular Cuboids",
                "Volume and Capacity of Cubes",
            ),
        },
        "Understanding of Solid Figures": {
            "Expanded View of Solids": (
                "Expanded View of Cylinders",
                "Expanded View of Rectangular Cuboids",
                "Expanded View of Cubes",
            ),
            "Cylinders and Cones": ("Properties of Cylinders", "Properties of Cones"),
            "Rectangular Cuboids and Cubes": (
                "Properties and Understanding of Rectangular Cuboids",
                "Properties and Understanding of Cubes",
            ),
            "": ("Observing Objects",),
        },
    },
    "Plane Figures": {
        "Calculation of Plane Figures": {
            "Sum of Interior Angles of Polygons": (
                "Sum of Interior Angles of Other Polygons",
                "Sum of Interior Angles of Triangles",
            ),
            "": ("Calculation and Comparison of Angles",),
            "Calculation of Areas": (
                "Area of Parallelograms",
                "Area of Triangles",
                "Area of Sectors",
                "Area of Trapezoids",
                "Area of Circles",
                "Area of Rectangles",
                "Area of Squares",
            ),
            "Calculation of Perimeters": (
                "Perimeter of Parallelograms",
                "Perimeter of Triangles",
                "Perimeter of Trapezoids",
                "Circumference of Circles",
                "Perimeter of Rectangles",
                "Perimeter of Squares",
            ),
        },
        "Understanding of Plane Figures": {
            "Polygons": (
                "Properties and Understanding of Parallelograms",
                "Properties and Understanding of Triangles",
                "Properties and Understanding of Trapezoids",
                "Properties and Understanding of Rectangles",
                "Properties and Understanding of Squares",
            ),
            "Classification and Understanding of Angles": (
                "Understanding Triangular Rulers",
                "Understanding and Representing Angles",
            ),
            "Properties and Understanding of Line Segments": (
                "Distance Between Two Points",
                "Understanding Line Segments, Lines, and Rays",
            ),
            "Positional Relationships Between Line Segments": ("perpendicularity", "Parallel"),
            "Circles and Sectors": ("Understanding Sectors", "Understanding Circles"),
            "": ("Observing Figures",),
        },
    },
    "Transformation and Motion of Figures": {
        "Basic Transformations of Figures": {"": ("Axial Symmetry", "Translation", "Rotation")},
        "Cutting and Combining of Figures": {
            "": ("Combining and Dividing Solids",),
            "Combining Plane Figures": (
                "Division of Plane Figures",
                "Combining Plane Figures",
                "Tessellation of Figures",
                "Folding Problems of Figures",
            ),
        },
    },
    "Position and Direction": {
        "Direction": {
            "": (
                "Southeast, Southwest, Northeast, Northwest Directions",
                "Cardinal Directions (East, South, West, North)",
            )
        },
        "Route Map": {
            "": (
                "Determining the Positions of Objects Based on Direction, Angle, and Distance",
                "Describing Simple Routes Based on Direction and Distance",
            )
        },
        "Correspondence of Coordinates and Positions": {
            "": ("Representing Positions Using Ordered Pairs", "Finding Positions Based on Ordered Pairs")
        },
        "Position": {"": ("Front-Back Position", "Up-Down Position", "Left-Right Position")},
    },
}

PLACES: Mapping[str, Place] = {
    concept: Place(domain, topic, section)
    for domain, topics in _TREE.items()
    for topic, sections in topics.items()
    for section, concepts in sections.items()
    for concept in concepts
}
"""Every concept's place, keyed by its name, in upstream's order."""
