"""The ament_python package `roboinstruct`; built by colcon, or by pip into a plain environment."""

from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = "roboinstruct"
SHARE = f"share/{PACKAGE}"


def shared(folder: str, pattern: str) -> list[tuple[str, list[str]]]:
    """Files of a folder, each installed into the same folder below share/."""
    found: dict[str, list[str]] = {}
    for path in sorted(Path(folder).glob(pattern)):
        if path.is_file():
            found.setdefault(f"{SHARE}/{path.parent.as_posix()}", []).append(path.as_posix())
    return list(found.items())


setup(
    name=PACKAGE,
    version="0.1.0",
    description="Plain words to verified robot programs, on the robot.",
    license="Apache-2.0",
    maintainer="roboinstruct maintainers",
    maintainer_email="maintainers@roboinstruct.example",
    packages=find_packages(include=["roboinstruct_ros", "roboinstruct_ros.*"]),
    package_data={
        "roboinstruct_ros.domain": ["messages/*.json"],
        "roboinstruct_ros.web": ["static/*", "static/**/*"],
        "roboinstruct_ros.learn.pairs": ["words/*.yaml", "written/*.yaml"],
        "roboinstruct_ros.learn.report": ["*.html"],
        "roboinstruct_ros.learn.export": ["*.md"],
        "roboinstruct_ros.evaluate.reports": ["*.html", "*.css"],
    },
    data_files=[
        ("share/ament_index/resource_index/packages", [f"resource/{PACKAGE}"]),
        (SHARE, ["package.xml"]),
        *shared("launch", "*.py"),
        *shared("config", "**/*.yaml"),
        *shared("config", "*.xml"),
        *shared("config", "**/*.service"),
        *shared("models", "*"),
    ],
    python_requires=">=3.10",
    # rclpy and the interface packages come from the ROS installation or from requirements/
    install_requires=["pydantic>=2", "pyyaml", "typer", "rich"],
    zip_safe=False,
    entry_points={
        # named as its module, so that a conftest may name it too
        "pytest11": ["roboinstruct_ros.trace.pytest_plugin = roboinstruct_ros.trace.pytest_plugin"],
        "console_scripts": [
            "roboinstruct = roboinstruct_ros.entry:main",
            "roboinstruct_generator = roboinstruct_ros.nodes.generator.node:main",
            "roboinstruct_executor = roboinstruct_ros.nodes.executor.node:main",
            "roboinstruct_kiosk = roboinstruct_ros.nodes.kiosk.node:main",
            "roboinstruct_recorder = roboinstruct_ros.nodes.recorder:main",
            "roboinstruct_nav2_skills = roboinstruct_ros.skill_servers.nav2.node:main",
            "roboinstruct_motion_stop = roboinstruct_ros.skill_servers.motion_stop:main",
            "roboinstruct_perception = roboinstruct_ros.skill_servers.perception.node:main",
            "roboinstruct_speech = roboinstruct_ros.skill_servers.speech.node:main",
            "roboinstruct_moveit_skills = roboinstruct_ros.skill_servers.moveit.node:main",
            "roboinstruct_declared_robot = roboinstruct_ros.skill_servers.declared.node:main",
            "roboinstruct_sim_robot = roboinstruct_ros.skill_servers.sim.node:main",
        ],
    },
)
