"""A client of the Equipoise gateway: decisions and rewards over HTTP.

    client = Client("http://127.0.0.1:8080")
    decision = client.decide("offers", {"gender": "f", "income": "low"}, fallback="offer=standard")
    show(decision.arm)
    client.reward(decision, 1.0)

The client creates the decision id and the event time before the first try. So a retry asks for the same decision, and a repeated reward counts
once. ``decide`` returns within ``timeout``: with the decision, or with the caller's fallback arm and ``is_fallback``. Every reward names the arm that
was shown. An answer that the gateway does not document, and one beyond 128 MiB, counts as a connection failure.

Standard library only, Python 3.9 or later. A client can be shared by threads; each thread has its own connection.
"""

from __future__ import annotations

import functools
import http.client
import io
import json
import math
import os
import random
import socket
import ssl
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Optional, Sequence, TypeVar, Union
from urllib.parse import quote, urlsplit

__all__ = ["Candidate", "Client", "Decision", "EquipoiseError", "Request", "Reward", "Unavailable"]
__version__ = "0.1.0"

Value = Union[str, float, int, bool, None]  # None: undisclosed
Attributes = Mapping[str, Value]

_RETRIED = frozenset({429, 500, 502, 503, 504})
_FIRST_PAUSE_SECONDS = 0.05
_LONGEST_PAUSE_SECONDS = 2.0
_ANSWER_SHARE = 0.9  # of the timeout; the rest is for the way of the gateway's answer
_LONGEST_DEADLINE_MILLIS = 30_000  # gateway.max-deadline
_FIRST_PROBLEM = 400
_LARGEST_ANSWER = 128 << 20  # above those of a gateway with its default options: 100 decisions among 10,000 arms

_T = TypeVar("_T")


class EquipoiseError(Exception):
    """The gateway rejected a request. ``code`` and ``remedy`` are those of the problem document.

    :ivar status: HTTP status; 0 without a documented answer
    :ivar code: error code, such as ``UNKNOWN_LEVEL``; see docs/reference/error-codes.md
    """

    def __init__(self, status: int, code: str, detail: str, remedy: str = "") -> None:
        stop = "" if not detail or not remedy else " " if detail.endswith((".", "!", "?")) else ". "
        super().__init__(f"{code}: {detail}{stop}{remedy}")
        self.status = status
        self.code = code
        self.detail = detail
        self.remedy = remedy


class Unavailable(EquipoiseError):
    """The gateway gave no answer, or none that it documents, within the timeout. Its reason is the last error, in ``detail``."""


@dataclass(frozen=True)
class Candidate:
    """An arm that a decision may choose, with the attributes that the policy compares."""

    arm: str
    attributes: Attributes = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    """One context of :meth:`Client.decide_batch`.

    :ivar candidates: None for all arms of the spec
    :ivar fallback: arm to show if no decision arrives in time; None raises or returns :class:`Unavailable`
    :ivar event_time: milliseconds since 1970; None for the client's clock
    :ivar fairness: whether to wait for the comparisons of the decision's audit
    """

    segment: str
    attributes: Attributes
    candidates: Optional[Sequence[Candidate]] = None
    fallback: Optional[str] = None
    decision_id: Optional[str] = None
    event_time: Optional[int] = None
    fairness: bool = False


@dataclass(frozen=True)
class Decision:
    """The arm to show. Segment, id and arm are all that a reward needs, also in another process.

    :ivar arm: the arm; None if the segment has no spec and the caller named no fallback
    :ivar reason: ``EXPLOIT``, ``EXPLORE``, ...; ``DEADLINE_EXCEEDED`` or ``UNAVAILABLE`` if no decision arrived in time
    :ivar propensities: probability of each candidate, by arm
    :ivar fairness: comparisons with attribute, kind, factual, counterfactual, estimate, lower, upper, threshold, unit and verdict; None if the request does not
        ask for them or they did not arrive in time
    :ivar is_fallback: whether no decision arrived in time, so that ``arm`` is a fallback arm
    """

    segment: str
    decision_id: str
    arm: Optional[str]
    reason: str = ""
    propensities: Mapping[str, float] = field(default_factory=dict)
    spec_version: Optional[int] = None
    fairness: Optional[Sequence[Mapping[str, Any]]] = None
    is_fallback: bool = False


@dataclass(frozen=True)
class Reward:
    """One reward of :meth:`Client.reward_batch`.

    :ivar value: in the units of the spec's ``reward.range``
    :ivar mediators: variables observed between decision and reward
    :ivar reward_id: identity among several rewards of a decision; None if the spec takes one reward
    :ivar event_time: milliseconds since 1970; None for the client's clock
    """

    decision: Decision
    value: float
    mediators: Attributes = field(default_factory=dict)
    reward_id: Optional[str] = None
    event_time: Optional[int] = None


class Client:
    """Asks a gateway for decisions and sends it rewards.

    :param url: of the gateway, such as ``http://127.0.0.1:8080``; a path is a prefix of all paths
    :param token: API token, of visible ASCII characters without blanks, or None
    :param timeout: seconds that a call may take with all its retries
    :param retries: further tries after a connection failure or one of the statuses 429, 500, 502, 503 and 504
    :param ssl_context: for an ``https`` address; None trusts what the system trusts
    :raises ValueError: if a parameter has another value; the message has no part of the token
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8080",
        *,
        token: Optional[str] = None,
        timeout: float = 2.0,
        retries: int = 3,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url {url!r} must be http://HOST[:PORT] or https://HOST[:PORT]")
        if not timeout > 0 or retries < 0:
            raise ValueError(f"timeout {timeout} must be above 0 and retries {retries} at least 0")
        if token is not None:
            _check_token(token)
        self._url = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"
        self._is_secure = parts.scheme == "https"
        self._host = parts.hostname
        self._port = parts.port
        self._prefix = parts.path.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._retries = retries
        self._ssl_context = ssl_context
        self._local = threading.local()

    def decide(
        self,
        segment: str,
        attributes: Attributes,
        *,
        candidates: Optional[Sequence[Candidate]] = None,
        fallback: Optional[str] = None,
        decision_id: Optional[str] = None,
        event_time: Optional[int] = None,
        fairness: bool = False,
    ) -> Decision:
        """Returns the decision, or the fallback arm if no decision arrives within the timeout.

        :param fallback: arm to show then; None for the arm that the spec names
        :param fairness: whether to wait for the comparisons of the decision's audit; the gateway needs ``gateway.fairness: true``
        :raises Unavailable: if no answer arrives in time and ``fallback`` is None
        :raises EquipoiseError: if the gateway rejects the request; a fallback does not hide this
        """
        request = _filled(Request(segment, attributes, candidates, fallback, decision_id, event_time, fairness))
        try:
            return self._call(lambda answer: _decision(request, answer), "POST", "/v1/decisions", self._asked(request))
        except Unavailable:
            if fallback is None:
                raise
            return _fallback(request)

    def decide_batch(self, requests: Sequence[Request]) -> "list[Union[Decision, EquipoiseError]]":
        """Returns a decision, a fallback or an error for each request, in their order.

        :raises Unavailable: if no answer arrives in time and a request has no fallback
        """
        if not requests:
            return []
        filled = [_filled(request) for request in requests]
        body = {"decisions": [self._asked(request) for request in filled]}
        try:
            return self._call(lambda answer: _results(filled, answer), "POST", "/v1/decisions:batch", body)
        except Unavailable:
            if any(request.fallback is None for request in filled):
                raise
            return [_fallback(request) for request in filled]

    def recent(self, segment: str, decision_id: str) -> Decision:
        """Returns a recent decision.

        :raises EquipoiseError: with the code NOT_FOUND if the gateway does not know it
        """
        path = f"/v1/decisions/{_quoted(decision_id)}?segment={_quoted(segment)}"
        return self._call(lambda answer: _decision(Request(segment, {}, decision_id=decision_id), answer), "GET", path)

    def reward(
        self,
        decision: Decision,
        value: float,
        *,
        mediators: Optional[Attributes] = None,
        reward_id: Optional[str] = None,
        event_time: Optional[int] = None,
    ) -> None:
        """Sends the reward of a decision, with the arm that was shown. A repeated call is a repeated reward.

        :raises Unavailable: if no gateway accepts it in time; pass ``event_time`` to send exactly the same reward later
        :raises EquipoiseError: if the gateway rejects it
        """
        given = _given(Reward(decision, value, mediators or {}, reward_id, event_time))
        self._call(lambda answer: _decision_id(answer, decision.decision_id), "POST", "/v1/rewards", given, status=202)

    def reward_batch(self, rewards: Sequence[Reward]) -> "list[Optional[EquipoiseError]]":
        """Sends rewards in one request. Returns None for each accepted one and the error of each other, in their order.

        :raises Unavailable: if no gateway answers in time
        """
        if not rewards:
            return []
        body = {"rewards": [_given(reward) for reward in rewards]}
        return self._call(
            lambda answer: [_problem_in(each) for each in _records(answer, "rewards", len(rewards))], "POST", "/v1/rewards:batch", body, status=202
        )

    def shown(self, decision: Decision, *, event_time: Optional[int] = None) -> None:
        """Confirms that the arm of a decision was shown, so that no reward counts as the spec's default reward.

        Only needed with ``gateway.confirm-answers: false``, or if another arm was shown than that of the answer. A repeated call counts once.

        :raises Unavailable: if no gateway accepts it in time
        :raises EquipoiseError: if the gateway rejects it
        """
        body: "dict[str, Any]" = {"segment": decision.segment}
        if decision.arm is not None:
            body["shownArm"] = decision.arm
        if event_time is not None:
            body["eventTime"] = event_time
        path = f"/v1/decisions/{_quoted(decision.decision_id)}/shown"
        self._call(lambda answer: _documented(isinstance(answer, dict), "it is no object"), "POST", path, body, status=202)

    def segments(self) -> "list[Mapping[str, Any]]":
        """Returns the specs in force, with their arms."""
        return self._call(lambda answer: _records(answer, "segments"), "GET", "/v1/segments")

    def close(self) -> None:
        """Closes the connection of this thread."""
        connection = getattr(self._local, "connection", None)
        self._local.connection = None
        if connection is not None:
            connection.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _asked(self, request: Request) -> "dict[str, Any]":
        asked: "dict[str, Any]" = {
            "segment": request.segment,
            "decisionId": request.decision_id,
            "eventTime": request.event_time,
            "attributes": dict(request.attributes),
            "deadlineMs": min(max(1, int(self._timeout * 1000 * _ANSWER_SHARE)), _LONGEST_DEADLINE_MILLIS),
        }
        if request.fairness:
            asked["fairness"] = True
        if request.candidates is not None:
            asked["candidates"] = [{"name": it.arm, "attributes": dict(it.attributes)} for it in request.candidates]
        return asked

    def _call(self, read: Callable[[Any], _T], method: str, path: str, body: Any = None, *, status: int = 200) -> _T:
        """Returns the answer as ``read`` understands it; retries until the timeout. Another answer than the documented one is none.

        :param read: raises ValueError if the decoded answer is not the documented one
        :param status: the documented one
        """
        payload = None if body is None else _payload(body)
        end = time.monotonic() + self._timeout
        pause = _FIRST_PAUSE_SECONDS
        tries = 0
        while True:
            wanted = random.uniform(pause / 2, pause)
            try:
                found, retry_after, answer = self._exchange(method, path, payload, end)
                if found < _FIRST_PROBLEM:
                    _documented(found == status, f"its status is {found}, not {status}")
                    return read(_json(answer))
                failure = _error(found, answer)
                if found not in _RETRIED:
                    raise failure
                wanted = max(wanted, retry_after)
            except (OSError, http.client.HTTPException, ValueError) as problem:
                self.close()
                failure = EquipoiseError(0, "UNAVAILABLE", _words(problem))
                failure.__cause__ = problem
            if tries >= self._retries or time.monotonic() + wanted >= end:
                count = "1 try" if tries == 0 else f"{tries + 1} tries"
                detail = f"no answer of {self._url} to {method} {path} after {count}; last: {failure.detail}"
                raise Unavailable(failure.status, failure.code, detail, failure.remedy) from failure
            time.sleep(wanted)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            tries += 1

    def _exchange(
        self, method: str, path: str, payload: Optional[bytes], end: float
    ) -> "tuple[int, float, bytes]":
        """Sends one request. Returns the status, the seconds of Retry-After, and the body."""
        connection = self._connection(end)
        headers = {"Accept": "application/json, application/problem+json"}
        if payload is not None:
            headers["Content-Type"] = "application/json"
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        is_idle = connection.sock is not None
        try:
            connection.request(method, self._prefix + path, payload, headers)
            response = connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            if not is_idle:
                raise
            self.close()  # the server closed the idle connection; a new one repeats the same request
            connection = self._connection(end)
            connection.request(method, self._prefix + path, payload, headers)
            response = connection.getresponse()
        answer = bytearray()
        while chunk := response.read(1 << 16):
            answer += chunk
            if len(answer) > _LARGEST_ANSWER:
                raise http.client.HTTPException(f"the answer is longer than {_LARGEST_ANSWER >> 20} MiB")
        if response.length:
            raise http.client.IncompleteRead(b"", response.length)
        retry_after = response.headers.get("Retry-After", "0")
        return response.status, float(retry_after) if retry_after.isdigit() else 0.0, bytes(answer)

    def _connection(self, end: float) -> http.client.HTTPConnection:
        """Returns this thread's connection, a new one after a fork. Its answers end at a time."""
        connection: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        if connection is None or self._local.process != os.getpid():
            if self._is_secure:
                connection = http.client.HTTPSConnection(self._host, self._port, context=self._ssl_context)
            else:
                connection = http.client.HTTPConnection(self._host, self._port)
            self._local.connection = connection
            self._local.process = os.getpid()
        seconds = _left(end)
        connection.response_class = functools.partial(_Response, end)  # type: ignore
        connection.timeout = seconds
        if connection.sock is not None:
            connection.sock.settimeout(seconds)
        return connection


class _Response(http.client.HTTPResponse):
    """Ends at a time, whatever the server sends until then."""

    def __init__(self, end: float, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Reads(end, sock, self.fp.detach()))


class _Reads(io.RawIOBase):
    """Reads a socket until a time. The timeout of a socket alone begins again with each byte."""

    def __init__(self, end: float, sock: socket.socket, raw: io.RawIOBase) -> None:
        self._end = end
        self._sock = sock
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Optional[int]:
        self._sock.settimeout(_left(self._end))
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


def _left(end: float) -> float:
    seconds = end - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("the timeout is over")
    return seconds


def _check_token(token: str) -> None:
    """The messages have no character of the token, which is a secret."""
    if not isinstance(token, str):
        raise ValueError("the token is no text; decode what you read from a file")
    if not token:
        raise ValueError("the token is empty; leave it out if the gateway has no tokens")
    for place, character in enumerate(token, 1):
        if not "!" <= character <= "~":
            raise ValueError(
                f"the token has at place {place} a blank, a line end or another character that no token has; strip what you read from a file"
            )


def _words(problem: Exception) -> str:
    """Names a failure in the words of all clients, without the names of classes."""
    if isinstance(problem, (TimeoutError, socket.timeout)) and problem.errno is None:
        return "the timeout is over"
    if isinstance(problem, socket.gaierror):
        return "the host name has no address"
    if isinstance(problem, ssl.SSLError):
        reason = problem.reason.lower().replace("_", " ") if problem.reason else str(problem)
        return f"no TLS connection: {getattr(problem, 'verify_message', '') or reason}"
    if isinstance(problem, (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, http.client.IncompleteRead)):
        return "the connection was closed before the whole answer"
    if isinstance(problem, ConnectionRefusedError):
        return "no connection"
    if isinstance(problem, OSError):
        return f"no connection: {problem.strerror or problem}"
    if isinstance(problem, http.client.BadStatusLine):
        return "the answer is no HTTP"
    return str(problem)


def _payload(body: Any) -> bytes:
    """Returns the JSON of a body.

    :raises ValueError: if a number is not finite or a text has no UTF-8 form
    """
    try:
        text = json.dumps(body, allow_nan=False, ensure_ascii=False)
    except ValueError:
        _check_finite("", body)
        raise
    return _utf8(text)


def _check_finite(name: str, value: Any) -> None:
    if isinstance(value, dict):
        for key, each in value.items():
            _check_finite(key, each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            _check_finite(name, each)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} is {json.dumps(value)}; send finite numbers only") from None


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise ValueError("a text has an unpaired surrogate, and so no UTF-8 form; send whole characters only") from None


def _quoted(text: str) -> str:
    return quote(_utf8(text), safe="")


def _now() -> int:
    return int(time.time() * 1000)


def _filled(request: Request) -> Request:
    """Returns the request with an id and a time, which every try repeats."""
    return Request(
        request.segment,
        request.attributes,
        request.candidates,
        request.fallback,
        uuid.uuid4().hex if request.decision_id is None else request.decision_id,
        _now() if request.event_time is None else request.event_time,
        request.fairness,
    )


def _given(reward: Reward) -> "dict[str, Any]":
    given: "dict[str, Any]" = {
        "segment": reward.decision.segment,
        "decisionId": reward.decision.decision_id,
        "value": reward.value,
        "eventTime": _now() if reward.event_time is None else reward.event_time,
    }
    if reward.decision.arm is not None:
        given["shownArm"] = reward.decision.arm
    if reward.mediators:
        given["mediators"] = dict(reward.mediators)
    if reward.reward_id is not None:
        given["rewardId"] = reward.reward_id
    return given


def _fallback(request: Request) -> Decision:
    return Decision(request.segment, str(request.decision_id), request.fallback, "UNAVAILABLE", is_fallback=True)


def _documented(is_documented: bool, fault: str) -> None:
    if not is_documented:
        raise ValueError(f"the answer is not the documented one: {fault}")


def _json(text: bytes) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise ValueError(f"the answer is not the documented one: it is no JSON, {problem}") from None


def _records(answer: Any, name: str, count: Optional[int] = None) -> "list[dict[str, Any]]":
    records = answer.get(name) if isinstance(answer, dict) else None
    is_list = isinstance(records, list) and all(isinstance(each, dict) for each in records)
    _documented(is_list and count in (None, len(records)), f"{name} is not a list of {'' if count is None else f'{count} '}objects")
    return records  # type: ignore[return-value]


def _decision_id(answer: Any, asked: Optional[str]) -> str:
    found = answer.get("decisionId") if isinstance(answer, dict) else None
    _documented(isinstance(found, str) and found == asked, f"decisionId is {found!r}, not {asked!r}")
    return found  # type: ignore[return-value]


def _decision(request: Request, answer: Any) -> Decision:
    decision_id = _decision_id(answer, request.decision_id)
    arm, reason = answer.get("arm", 0), answer.get("reason")
    _documented(arm is None or isinstance(arm, str), "arm is neither a text nor null")
    _documented(isinstance(reason, str), "reason is no text")
    spec_version = answer.get("specVersion")
    _documented(spec_version is None or type(spec_version) is int, "specVersion is neither a whole number nor null")
    candidates = _records(answer, "candidates") if "candidates" in answer else []
    for it in candidates:
        _documented(isinstance(it.get("arm"), str) and _is_number(it.get("propensity")), "a candidate has no arm or no propensity")
    is_late = reason == "DEADLINE_EXCEEDED"
    return Decision(
        segment=request.segment,
        decision_id=decision_id,
        arm=request.fallback if is_late and request.fallback is not None else arm,
        reason=reason,
        propensities={it["arm"]: it["propensity"] for it in candidates},
        spec_version=spec_version,
        fairness=tuple(_records(answer, "fairness")) if "fairness" in answer else None,
        is_fallback=is_late,
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _results(requests: Sequence[Request], answer: Any) -> "list[Union[Decision, EquipoiseError]]":
    return [_result(request, each) for request, each in zip(requests, _records(answer, "decisions", len(requests)))]


def _result(request: Request, answer: "dict[str, Any]") -> Union[Decision, EquipoiseError]:
    problem = _problem_in(answer)
    if problem is None:
        return _decision(request, answer)
    return _fallback(request) if problem.status in _RETRIED and request.fallback is not None else problem


def _problem_in(answer: "dict[str, Any]") -> Optional[EquipoiseError]:
    if "problem" not in answer:
        return None
    problem = answer["problem"]
    _documented(isinstance(problem, dict) and type(problem.get("status")) is int, "a problem has no status")
    return _problem(problem["status"], problem)


def _error(status: int, body: bytes) -> EquipoiseError:
    try:
        problem = _json(body)
    except ValueError:
        problem = None
    return _problem(status, problem if isinstance(problem, dict) else {})


def _problem(status: int, problem: Mapping[str, Any]) -> EquipoiseError:
    texts = {name: text for name, text in problem.items() if isinstance(text, str)}
    code, detail, title, remedy = (texts.get(name, "") for name in ("code", "detail", "title", "remedy"))
    return EquipoiseError(status, code or f"HTTP_{status}", detail or title or f"status {status} without a problem document", remedy)
