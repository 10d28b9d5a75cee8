"""Finding a way between walls: mazes, paths, a ray sensor, and drivers that collect goals with any controller."""

from canter.navigation.maze import Maze, random_maze
from canter.navigation.maze_text import MazeError, read_maze
from canter.navigation.navigators import Navigator, PathNavigator, RayNavigator
from canter.navigation.paths import find_path, visiting_order
from canter.navigation.rays import RaySensor, Sighting, ranges, visible
from canter.navigation.ride import NavigationResult, navigate
from canter.navigation.space import Space, wall_space

__all__ = [
    "Maze",
    "MazeError",
    "NavigationResult",
    "Navigator",
    "PathNavigator",
    "RayNavigator",
    "RaySensor",
    "Sighting",
    "Space",
    "find_path",
    "navigate",
    "random_maze",
    "ranges",
    "read_maze",
    "visible",
    "visiting_order",
    "wall_space",
]
