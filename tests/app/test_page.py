"""The page in a browser: two files are dropped, and the report that the command line writes is shown."""

import re
import subprocess
import sys
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from tests.app.conftest import A, B, serving

pytestmark = pytest.mark.compiled  # the commands run in processes of their own

TABLE = "name,group,family\nAPE,x,1\ncat,x,1\nelk,y,2\nowl,y,2\n"


@contextmanager
def opened(browser, server, **options):
    """A page of a server; nothing may be complained about, and nothing asked of another server."""
    complaints = []
    page = browser.new_page(**options)
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on(
        "request",
        lambda one: None if one.url.startswith((server.start, "data:", "blob:")) else complaints.append(one.url),
    )
    page.goto(server.address)
    page.wait_for_selector("html[data-ready]")
    yield page
    page.close()
    assert complaints == []


def drop(page, slot, name, text):
    """Drop a file on a place."""
    data = page.evaluate_handle(
        "([name, text]) => { const data = new DataTransfer(); data.items.add(new File([text], name)); return data; }",
        [name, text],
    )
    place = page.locator(".slots > .slot").nth(slot)
    place.dispatch_event("dragover", {"dataTransfer": data})
    place.dispatch_event("drop", {"dataTransfer": data})
    expect(page.locator(".slots > .slot").nth(slot).locator(".called")).to_have_text(
        re.compile(re.escape(name.split(".")[0]))
    )


def begin(page):
    """Press the button, and wait for the result."""
    expect(page.locator("button.main")).to_be_enabled()
    page.locator("button.main").click()
    expect(page.locator(".saves")).to_be_visible()


def saved(page, title, tmp_path):
    """Save a file of a result."""
    with page.expect_download() as waiting:
        page.get_by_role("link", name=title).click()
    path = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


@pytest.mark.page
def test_two_dropped_files_give_the_report_that_the_command_line_writes(browser, server, tmp_path):
    with opened(browser, server) as page:
        expect(page.locator("button.main")).to_be_disabled()
        drop(page, 0, "first.nwk", A)
        drop(page, 1, "second.nwk", B)
        expect(page.locator(".match")).to_contain_text("All 4 items match by name.")
        begin(page)
        frame = page.frame_locator("iframe.report")
        expect(frame.locator(".verdict")).to_contain_text("second.nwk")
        expect(frame.locator("#clusters tbody tr").first).to_be_visible()  # its scripts run
        report = saved(page, "Save the page", tmp_path)
        command = page.locator(".code pre").first.inner_text()
    assert command.startswith("dendrometry compare first.nwk second.nwk --report report.html")
    (tmp_path / "first.nwk").write_text(A)
    (tmp_path / "second.nwk").write_text(B)
    given = ["compare", "first.nwk", "second.nwk", "--report", "own.html"]
    subprocess.run([sys.executable, "-m", "dendrometry", *given], cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "own.html").read_bytes() == report.read_bytes()


def test_the_lines_of_python_write_the_same_report(browser, server, tmp_path, monkeypatch):
    with opened(browser, server) as page:
        drop(page, 0, "third.csv", TABLE.replace("APE", "ape"))
        drop(page, 1, "fourth.nwk", B)
        begin(page)
        report = saved(page, "Save the page", tmp_path)
        code = page.locator(".code pre").nth(1).inner_text()
    (tmp_path / "third.csv").write_text(TABLE.replace("APE", "ape"))
    (tmp_path / "fourth.nwk").write_text(B)
    monkeypatch.chdir(tmp_path)
    shown = report.read_bytes()
    report.unlink()
    exec(code, {})
    assert report.read_bytes() == shown


def test_what_does_not_match_is_repaired_by_a_click(browser, server):
    with opened(browser, server) as page:
        drop(page, 0, "case.csv", TABLE)
        drop(page, 1, "five.nwk", B.replace("owl", "elf"))
        expect(page.locator(".match.differs")).to_contain_text("2 items match by name")
        expect(page.locator("button.main")).to_be_disabled()
        page.get_by_role("button", name=re.compile("Ignore case")).click()
        expect(page.locator(".match.differs")).to_contain_text("3 items match by name")
        page.get_by_role("button", name="Compare the 3 common items only").click()
        expect(page.locator(".match:not(.differs)")).to_contain_text("The others are left out.")
        begin(page)
        assert "--match-names loose" in page.locator(".code pre").first.inner_text()


def test_columns_are_chosen_and_trees_swapped(browser, server):
    table = "group,animal\nx,ape\nx,cat\ny,elk\ny,owl\n"
    with opened(browser, server) as page:
        drop(page, 0, "columns.csv", table)
        drop(page, 1, "six.nwk", A)
        page.get_by_role("button", name=re.compile("from the column 'animal': 4 match")).click()
        expect(page.locator(".match")).to_contain_text("All 4 items match by name.")
        page.get_by_role("button", name="Swap the two").click()
        expect(page.locator(".called").first).to_have_text("six.nwk")
        expect(page.locator(".match")).to_contain_text("All 4 items match by name.")
        begin(page)
        assert "dendrometry compare six.nwk columns.csv --items animal" in page.locator(".code pre").first.inner_text()


def test_pasted_trees_are_compared(browser, server):
    with opened(browser, server) as page:
        for text in (A, B):
            page.get_by_role("button", name="Paste text").first.click()
            page.locator("textarea:visible").fill(text)
            page.get_by_role("button", name="Use this text").locator("visible=true").click()
            expect(page.locator("textarea:visible")).to_have_count(0)  # it was taken: the next button is the other one
        expect(page.locator(".match")).to_contain_text("All 4 items match by name.")
        begin(page)


def test_what_is_typed_stays_when_the_other_file_has_been_looked_at(browser, server):
    with opened(browser, server) as page:
        held = []
        with page.expect_request("**/inspect"):
            page.route("**/inspect", lambda one: held.append(one))
            drop(page, 0, "slow.nwk", A)
        page.get_by_role("button", name="Paste text").click()
        page.keyboard.type(B[:9])
        for one in held:
            one.continue_()
        expect(page.locator(".slot .mark:not(.wait)")).to_be_visible()  # the answer is drawn
        page.keyboard.type(B[9:])
        expect(page.locator("textarea:visible")).to_have_value(B)


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("broken.nwk", "((a,b);", "Not readable like this"),
        ("empty.nwk", "", "an empty file"),
        ("picture.png", "\x89PNG\r\n", "Not readable like this"),
        ("numbers.csv", "item,x,y\na,1.5,2.5\nb,2.5,3.5\n", "build a tree from it"),
    ],
)
def test_a_wrong_file_is_refused_in_words(browser, server, name, text, says):
    with opened(browser, server) as page:
        drop(page, 0, name, text)
        expect(page.locator(".slot").first).to_contain_text(says)
        expect(page.locator("button.main")).to_be_disabled()


def test_a_reload_in_the_middle_loses_nothing(browser, server):
    with opened(browser, server) as page:
        drop(page, 0, "kept.nwk", A)
        page.reload()
        expect(page.locator(".called")).to_have_text(re.compile("kept"))
        drop(page, 1, "more.nwk", B)
        begin(page)
        page.reload()
        expect(page.frame_locator("iframe.report").locator(".verdict")).to_be_visible()


def test_a_job_is_cancelled_after_a_reload_and_the_next_one_runs(browser, server):
    with opened(browser, server) as page:
        page.get_by_role("link", name="Points").click()
        page.get_by_role("button", name="101 animals and their 16 traits").click()
        page.get_by_text("Which clusters are stable?").click()
        page.get_by_text("More choices").click()
        page.get_by_label("How often the data are drawn").select_option("1,000")
        expect(page.locator("button.main")).to_be_enabled()
        page.locator("button.main").click()
        for _ in range(2):
            expect(page.locator(".working")).to_contain_text(re.compile("of 1,000|of 40,000|[0-9] s"))
            page.reload()  # in the middle of it
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator("#view")).to_contain_text("It was cancelled.")
        page.get_by_role("link", name="What changed").click()
        page.get_by_role("button", name="A shop's categories in spring and autumn").click()
        begin(page)


def test_the_page_says_when_the_server_has_ended(browser):
    with serving() as first:
        page = browser.new_page()
        page.goto(first.address)
        page.wait_for_selector("html[data-ready]")
        port = first.start.rpartition(":")[2]
        first.process.kill()
        first.process.communicate()
        expect(page.locator("#lost")).to_be_visible()
    with serving("--port", port) as second:
        assert second.address != first.address
        expect(page.locator("#lost")).to_be_visible()
        assert first.ask("state")[0] == 403  # the old address opens nothing
        page.goto(second.address)
        page.wait_for_selector("html[data-ready]")
        expect(page.locator("#lost")).to_be_hidden()
        page.close()


def test_two_people_work_at_once(browser):
    with serving("--host", "0.0.0.0", DENDROMETRY_PASSWORD="correct horse") as server:
        pages = [browser.new_page() for _ in range(2)]
        names = ("mine.nwk", "yours.nwk")
        for page, name in zip(pages, names, strict=True):
            page.goto(server.start.replace("0.0.0.0", "127.0.0.1"))
            page.get_by_label("Password").fill("correct horse")
            page.get_by_role("button", name="Open").click()
            page.wait_for_selector("html[data-ready]")
            drop(page, 0, name, A)
            drop(page, 1, "other.nwk", B)
        assert pages[0].url != pages[1].url
        expect(pages[0].locator(".local")).to_contain_text("sent to the server of your group")
        for page in pages:
            expect(page.locator("button.main")).to_be_enabled()
            page.locator("button.main").click()
        for page, name in zip(pages, names, strict=True):
            expect(page.frame_locator("iframe.report").locator(".pair")).to_contain_text(name)
            page.get_by_role("link", name="Results").click()
            expect(page.locator(".jobs li")).to_have_count(1)  # one's own
            page.close()


@pytest.mark.slow
def test_two_trees_of_200_000_leaves_are_dropped_and_compared(browser, server):
    """The time is printed by benchmarks/app.py."""
    n = 200_000
    with opened(browser, server) as page:
        for slot, step in enumerate((1, 77_777)):
            rows = [f"i{i * step % n}" for i in range(n)]
            while len(rows) > 1:
                rows = [
                    f"({','.join(rows[i : i + 3])})" if i + 1 < len(rows) else rows[i] for i in range(0, len(rows), 3)
                ]
            drop(page, slot, f"many {step}.nwk", f"{rows[0]};")
        expect(page.locator(".match")).to_contain_text("All 200,000 items match by name.")
        begin(page)
        expect(page.frame_locator("iframe.report").locator(".verdict")).to_be_visible()


def test_predictions_are_swapped_and_what_is_no_term_is_left_out(browser, server):
    with opened(browser, server) as page:
        page.get_by_role("link", name="Predictions").click()
        drop(page, 2, "guesses.csv", "item,term\na,cat\nb,dragon\nc,bird\n")
        expect(page.locator(".slot").nth(2)).to_contain_text("3 items, 3 labels")
        drop(page, 0, "beasts.csv", "child,parent\ncat,mammal\nowl,bird\nbat,mammal\nbat,flyer\n")
        expect(page.locator(".slot").nth(0)).to_contain_text("6 concepts, 3 roots, 1 with several parents")
        drop(page, 1, "facts.csv", "item,term,score\na,cat,1\n")
        expect(page.locator(".slot").nth(1)).to_contain_text("true labels must have no scores")
        page.get_by_role("button", name="Remove facts.csv").click()
        drop(page, 1, "truth.csv", "item,term\na,cat\nb,owl\n")
        expect(page.locator(".match.differs")).to_contain_text("2 items with a true and a predicted term.")
        expect(page.locator(".match")).to_contain_text("Labels that are no terms of the taxonomy: dragon")
        expect(page.locator(".match")).to_contain_text("Predicted items without a true term: c")
        page.get_by_role("button", name="Leave out and count").click()
        expect(page.locator(".match:not(.differs)")).to_contain_text("left out and counted")
        page.get_by_role("button", name="Swap the two").click()
        expect(page.locator(".called").nth(1)).to_have_text("guesses.csv")
        expect(page.locator(".match")).to_contain_text("Items without a prediction, which count as such: c")
        begin(page)
        assert (
            "guesses.csv truth.csv --taxonomy beasts.csv --unknown leave_out"
            in page.locator(".code pre").first.inner_text()
        )


def test_concepts_of_two_taxonomies_are_matched_by_their_names(browser, server):
    header = "child,parent,name\n"
    with opened(browser, server) as page:
        page.get_by_role("link", name="What changed").click()
        page.get_by_text("Concepts", exact=True).click()
        drop(page, 0, "old words.csv", header + "1,,animal\n2,1,cat\n3,1,owl\n")
        drop(page, 1, "new words.csv", header + "1,,animal\n4,1,CAT\n5,1,owl\n")
        expect(page.locator(".match")).to_contain_text("1 concept matches by name; 2 are only in the old version")
        page.get_by_role("button", name="Match by names: 1 more concept matches").click()
        page.get_by_role("button", name=re.compile("Ignore case")).click()
        expect(page.locator(".match")).to_contain_text("All 3 concepts match by name.")
        begin(page)
        assert "--by names --match-names loose" in page.locator(".code pre").first.inner_text()
