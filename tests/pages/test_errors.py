"""Whatever is posted, an answer has the headers that protect its reader."""

from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.testclient import TestClient

from carc.web.app import make_app

HEADERS = ("content-security-policy", "x-content-type-options", "referrer-policy")
DEEP = "[" * 5_000


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    app = make_app(tmp_path, hosts=["testserver"])
    return TestClient(app, raise_server_exceptions=False)


@pytest.mark.parametrize("path", ["/open", "/tables", "/play", "/bots", "/"])
@pytest.mark.parametrize("body", [DEEP, f"position={DEEP}", f"rules={DEEP}&bots={DEEP}"])
def test_nested_data_gets_a_page_with_headers(client: TestClient, path: str, body: str) -> None:
    with client:
        answer = client.post(
            path, content=body, headers={"content-type": "application/x-www-form-urlencoded"}
        )
    assert answer.status_code in range(400, 500)
    assert all(name in answer.headers for name in HEADERS)


def test_an_error_of_the_application_has_them_too(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(request: Request) -> Response:
        raise ZeroDivisionError

    client.app.router.add_route("/broken", broken)  # type: ignore[attr-defined]
    with client:
        answer = client.get("/broken")
    assert (answer.status_code, answer.text) == (500, "Internal server error.")
    assert all(name in answer.headers for name in HEADERS)
