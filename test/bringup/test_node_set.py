"""One description of the node set, of which nodes there are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from roboinstruct_ros import names as ros_names
from roboinstruct_ros.bringup.node_set import ROBOT_SERVERS, Options, describe, notice
from roboinstruct_ros.bringup.supervisor import ros_arguments

SETUP = Path(__file__).resolve().parents[2] / "setup.py"


def names(options: Options) -> list[str]:
    return [spec.name for spec in describe(options)]


def test_everything_is_started_in_simulation() -> None:
    assert names(Options()) == ["sim_robot", "executor", "generator", "recorder", "kiosk"]


def test_conditions() -> None:
    assert "sim_robot" not in names(Options(sim=False))
    assert "kiosk" not in names(Options(headless=True))
    assert "recorder" not in names(Options(record=False))


def test_a_simulators_time_reaches_every_node() -> None:
    for options in (Options(use_sim_time=True), Options(use_sim_time=True, sim=False, speech=True)):
        assert all(spec.parameters["use_sim_time"] is True for spec in describe(options))
        given = [ros_arguments(spec, options) for spec in describe(options)]
        assert all("use_sim_time:=true" in words for words in given)
    assert not any("use_sim_time" in spec.parameters for spec in describe(Options()))


def test_a_robot_is_driven_by_nav2_unless_it_brings_its_own() -> None:
    assert names(Options(sim=False))[0] == "nav2_skills"
    assert "nav2_skills" not in names(Options())
    assert "nav2_skills" not in names(Options(sim=False, nav2=False))


def test_eyes_and_arm_are_started_on_request_and_watched() -> None:
    options = Options(sim=False, perception=True, moveit=True)
    assert names(options)[:3] == ["nav2_skills", "perception", "moveit_skills"]
    executor = next(spec for spec in describe(options) if spec.name == "executor")
    wanted = ["nav2_skills", "perception", "moveit_skills"]
    assert executor.parameters["skill_server_nodes"] == wanted
    assert "skills/pick" not in notice(options) and "skills/say" in notice(options)
    assert names(Options(perception=True, moveit=True)) == names(Options())


def test_the_voice_is_started_on_request_and_watched() -> None:
    options = Options(sim=False, speech=True)
    assert names(options)[:2] == ["nav2_skills", "speech"]
    executor = next(spec for spec in describe(options) if spec.name == "executor")
    assert executor.parameters["skill_server_nodes"] == ["nav2_skills", "speech"]
    assert "skills/say" not in notice(options)
    assert names(Options(speech=True)) == names(Options())


def test_who_serves_skills_is_watched_by_executor_and_kiosk() -> None:
    def watched(options: Options) -> tuple[object, object]:
        specs = {spec.name: spec for spec in describe(options)}
        servers = specs["executor"].parameters.get("skill_server_nodes")
        return servers, specs["kiosk"].parameters["robot_nodes"]

    assert watched(Options()) == (["sim_robot"], "sim_robot")
    robot = Options(sim=False, robot_nodes="arm, camera")
    assert watched(robot) == (["nav2_skills", "arm", "camera"], "nav2_skills,arm,camera")
    assert watched(Options(sim=False, nav2=False)) == (None, "")


def test_a_robots_parameters_come_before_those_of_the_stack() -> None:
    options = Options(sim=False, robot_params="~/nav2_skills.yaml", world="office")
    robot = next(spec for spec in describe(options) if spec.name == "nav2_skills")
    arguments = ros_arguments(robot, options)
    assert arguments.index("--params-file") < arguments.index('map:="office"')
    assert str(Path("~/nav2_skills.yaml").expanduser()) in arguments


def test_generator_executor_and_robot_have_the_same_map() -> None:
    specs = {spec.name: spec for spec in describe(Options(world="office"))}
    assert specs["sim_robot"].parameters["world"] == "office"
    assert specs["executor"].parameters["map"] == "office"
    assert specs["generator"].parameters["map"] == "office"


def test_the_command_line_of_a_node() -> None:
    options = Options(namespace="robot1", log_level="warn", speed_factor=3)
    robot = next(spec for spec in describe(options) if spec.name == "sim_robot")
    arguments = ros_arguments(robot, options)
    assert {"__ns:=/robot1", "/tf:=tf", "/tf_static:=tf_static"} <= set(arguments)
    assert "speed_factor:=3.0" in arguments
    assert 'world:="home"' in arguments
    assert arguments[-2:] == ["--log-level", "warn"]


def test_how_the_model_is_loaded_goes_to_the_generator() -> None:
    chosen = {"n_ctx": 2048, "n_gpu_layers": 20, "kv_cache": "q8_0", "flash_attn": "on"}
    options = Options(model="mine", **chosen)  # type: ignore[arg-type]
    generator = next(spec for spec in describe(options) if spec.name == "generator")
    assert chosen.items() <= generator.parameters.items()
    assert {"n_gpu_layers:=20", 'kv_cache:="q8_0"'} <= set(ros_arguments(generator, options))
    plain = next(spec for spec in describe(Options()) if spec.name == "generator")
    assert plain.parameters["n_gpu_layers"] == -2 and plain.parameters["flash_attn"] == "auto"


def test_every_node_is_a_module_and_a_console_script() -> None:
    setup = SETUP.read_text()
    for spec in (*describe(Options()), *describe(Options(sim=False))):
        assert f'"{spec.executable} = {spec.module}:main"' in setup


def test_without_simulation_a_person_learns_which_servers_the_robot_brings() -> None:
    assert notice(Options()) == ""
    line = notice(Options(sim=False))
    assert "\n" not in line
    skills = [value for key, value in vars(ros_names).items() if value_is_skill(key, value)]
    assert len(skills) == 8
    assert all(skill in line for skill in skills)
    assert all(server in line for server in ROBOT_SERVERS)


def value_is_skill(key: str, value: object) -> bool:
    return str(value).startswith("skills/") and key.endswith(("_ACTION", "_SERVICE"))


ARM = Options(domain="arm")


def test_another_robot_is_simulated_by_its_domain_and_has_no_map() -> None:
    specs = {spec.name: spec for spec in describe(ARM)}
    assert specs["sim_robot"].module.endswith("declared.node")
    assert [specs[name].parameters["map"] for name in ("executor", "generator", "kiosk")] == [
        ""
    ] * 3
    assert all(spec.parameters["domain"] == "arm" for spec in specs.values())
    assert f'"{specs["sim_robot"].executable} = {specs["sim_robot"].module}:main"' in (
        SETUP.read_text()
    )
    assert "world" not in specs["sim_robot"].parameters
    (robot, *_) = describe(replace(ARM, world="table.yaml"))
    assert robot.parameters["world"] == "table.yaml"


def test_a_real_robot_of_another_kind_brings_its_own_servers() -> None:
    real = replace(ARM, sim=False)
    assert "nav2_skills" not in names(real), "it is nowhere that it could drive from"
    assert "skills/is_on_table, skills/rotate, skills/pick, skills/place" in notice(real)
