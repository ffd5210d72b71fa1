"""A Slurm of one node, on this computer, with its files in one folder."""

import os
import pathlib
import shutil
import socket
import subprocess
import time

PROGRAMS = ("slurmctld", "slurmd", "sbatch", "scancel", "scontrol", "sinfo", "squeue")
# The node claims more than this computer has, so that the lines of packaging/cluster are run as they are.
SETTINGS = """
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort={controller}
SlurmdPort={node}
AuthType=auth/none
CredType=cred/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
GresTypes=gpu
NodeName=localhost NodeAddr=127.0.0.1 CPUs=64 RealMemory=400000 Gres=gpu:4
PartitionName=all Nodes=localhost Default=YES
"""


def find_program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def missing_programs():
    return [name for name in PROGRAMS if not find_program(name)]


def _free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


class Slurm:
    """Runs while the ``with`` block does. RuntimeError with the end of the logs if it does not start."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self._daemons = []

    def __enter__(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        controller, node = _free_ports(2)
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        settings = self.folder / "slurm.conf"
        settings.write_text(SETTINGS.format(controller=controller, node=node, user=user, folder=self.folder))
        (self.folder / "gres.conf").write_text(f"NodeName=localhost Name=gpu File={self.folder}/card[0-3]\n")
        for card in range(4):
            (self.folder / f"card{card}").touch()
        self._environment = {k: v for k, v in os.environ.items() if not k.startswith(("SLURM_", "SBATCH_"))}
        self._environment["SLURM_CONF"] = str(settings)
        for command in (["slurmctld", "-D", "-c"], ["slurmd", "-D", "-N", "localhost"]):
            log = (self.folder / f"{command[0]}.out").open("w")
            command[0] = find_program(command[0])
            self._daemons.append(subprocess.Popen(command, env=self._environment, stdout=log, stderr=log))
        try:
            self.wait_for("an idle node", lambda: "idle" in self.ask("sinfo", "-h", "-o", "%t"), 20)
        except RuntimeError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self._daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def ask(self, *command, **more):
        """Standard output of a command of Slurm; empty if it fails."""
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=30, **more).stdout

    def submit(self, script, *arguments, options=(), **variables):
        """Number of the new job."""
        command = ["sbatch", "--parsable", *options, str(script), *map(str, arguments)]
        done = subprocess.run(
            command, env=self._environment | variables, cwd=self.folder, capture_output=True, text=True, timeout=30
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def states(self, job):
        """State of each task, by its number: "RUNNING", "FAILED", ... The key is None for a job that is no array."""
        states = {}
        for line in self.ask("squeue", "-h", "-r", "-t", "all", "-j", job, "-o", "%K %T").splitlines():
            task, state = line.split()
            states[int(task) if task.isdigit() else None] = state
        return states

    def wait_for(self, what, there, seconds):
        end = time.monotonic() + seconds
        while not there():
            if time.monotonic() > end or any(each.poll() is not None for each in self._daemons):
                logs = "".join(f"\n{each.name}: {each.read_text()[-1500:]}" for each in self.folder.glob("*.log"))
                raise RuntimeError(f"no {what} within {seconds} s; the queue is {self.ask('squeue', '-a', '-t', 'all')}{logs}")
            time.sleep(0.05)
