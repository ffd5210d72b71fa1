"""Recipes and workflows name what exists; the calls of one operating system stay in one file."""

import pathlib
import re

import pytest

yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
ROOT = pathlib.Path(__file__).parents[2]
CONTAINERS = [ROOT / "packaging" / "recipes" / name for name in ("Dockerfile", "apptainer.def")]
CONDA = ROOT / "packaging" / "recipes" / "conda" / "recipe.yaml"
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
RECIPES = [*CONTAINERS, CONDA, *WORKFLOWS]
OF_LINUX = re.compile(
    r"<(?:sys/(?:prctl|sendfile|sysmacros|syscall|epoll|inotify|eventfd|memfd)|linux/\w+|malloc)\.h>|/proc/(?!self/cgroup\b)"
    r"|\b(?:renameat2|pipe2|accept4|prctl|memfd_create|posix_fadvise|O_TMPFILE|MAP_POPULATE|SOCK_CLOEXEC|MSG_NOSIGNAL)\b"
    r"|std::jthread|__linux__"
)


def torch_version():
    return re.search(r"^torch_version=(\S+)", (ROOT / "packaging" / "common.sh").read_text(), re.M)[1]


def debian_packages():
    lines = (ROOT / "packaging" / "packages.txt").read_text().splitlines()
    return {name for line in lines if "|" in line and line[0] != "#" for name in re.split(r"[ /]+", line.split("|")[1]) if name}


def packages_of_the_wheel():
    text = (ROOT / "resources" / "help" / "installing.md").read_text()
    return set(re.search(r"\(Debian: ([^)]+)\)", text)[1].split())


@pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.name)
def test_names_exist(file):
    text = file.read_text()
    paths = re.findall(r"(?<![\w/.])(?:\./)?((?:packaging|app|resources|\.ci)/[\w./-]*\w)", text)
    assert paths and not [path for path in paths if not (ROOT / path).exists()]
    for installed in re.findall(r"apt-get install((?: -\S+)*)((?: [\w.+-]+)+)", text):
        assert set(installed[1].split()) <= debian_packages() | packages_of_the_wheel() | {"git"}
        assert file not in CONTAINERS or packages_of_the_wheel() <= set(installed[1].split())
    versions = re.findall(r"\b(?:lib)?torch *==([\d.]+)", text)
    assert set(versions) <= {torch_version()} and (versions or file in WORKFLOWS)
    settings = "".join(each.read_text() for each in (ROOT / "packaging" / "cmake").glob("*.cmake"))
    for option in re.findall(r"-D(PLASTISCOPE_\w+)=", text):
        part = option.removeprefix("PLASTISCOPE_WITH_")
        assert f"option({option} " in settings or re.search(rf"foreach\(part .*\b{part}\b", settings)


@pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.name)
def test_no_private_registry(file):
    """Images of Docker Hub, actions of GitHub, packages of the default indexes and conda-forge."""
    text = file.read_text()
    for image in re.findall(r"^(?:FROM|From:| +container:) *(\S+)", text, re.M):
        assert re.fullmatch(r"(\w+/)?\w+:[\w.-]+", image)
    assert not re.search(r"https?://|index-url|trusted-host|localhost", text)
    assert set(re.findall(r" -c (\S+)", text)) <= {"conda-forge", "conda-forge}"}


@pytest.mark.parametrize("file", [CONDA, *WORKFLOWS], ids=lambda file: file.name)
def test_is_yaml(file):
    content = yaml.safe_load(file.read_text())
    if file == CONDA:
        released = yaml.safe_load((ROOT / "packaging" / "CITATION.cff").read_text())["version"]
        assert content["context"]["version"] == released and content["package"]["version"] == "${{ version }}"
        return
    steps = [step for job in content["jobs"].values() for step in job["steps"]]
    assert all(("run" in step) != ("uses" in step) for step in steps)
    for script in re.findall(r"bash (\S+)", file.read_text()):
        assert (ROOT / script).is_file()


def test_calls_of_linux_are_in_one_file():
    found = {
        f"{file.relative_to(ROOT)}: {match[0]}"
        for folder in ("core", "app", "widgets")
        for file in (ROOT / folder).rglob("*")
        if file.suffix in (".h", ".cpp") and file.name != "platform.cpp"
        for match in OF_LINUX.finditer(file.read_text())
    }
    assert not found
