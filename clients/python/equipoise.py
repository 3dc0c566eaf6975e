"""A client of the Equipoise gateway: decisions and rewards over HTTP.

    client = Client("http://127.0.0.1:8080")
    decision = client.decide("offers", {"gender": "f", "income": "low"}, fallback="offer=standard")
    show(decision.arm)
    client.reward(decision, 1.0)

The client creates the decision id and the event time before the first try. So a retry asks for the same decision, and a repeated reward counts
once. ``decide`` returns within ``timeout``: with the decision, or with the caller's fallback arm and ``is_fallback``. Every reward names the arm that
was shown.

Standard library only, Python 3.9 or later. A client can be shared by threads; each thread has its own connection.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import ssl
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Mapping, Optional, Sequence, Union
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


class EquipoiseError(Exception):
    """The gateway rejected a request. ``code`` and ``remedy`` are those of the problem document.

    :ivar status: HTTP status; 0 without an answer
    :ivar code: error code, such as ``UNKNOWN_LEVEL``; see docs/reference/error-codes.md
    """

    def __init__(self, status: int, code: str, detail: str, remedy: str = "") -> None:
        super().__init__(f"{code}: {detail} {remedy}".strip())
        self.status = status
        self.code = code
        self.detail = detail
        self.remedy = remedy


class Unavailable(EquipoiseError):
    """The gateway gave no answer within the timeout. Its reason is the last error, in ``detail``."""


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
    :ivar fairness: comparisons with attribute, factual, counterfactual, estimate, lower, upper, threshold, unit and verdict; None if the request does not
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
    :param token: API token, or None
    :param timeout: seconds that a call may take with all its retries
    :param retries: further tries after a connection failure or one of the statuses 429, 500, 502, 503 and 504
    :param ssl_context: for an ``https`` address; None trusts what the system trusts
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
            answer = self._call("POST", "/v1/decisions", self._asked(request))
        except Unavailable:
            if fallback is None:
                raise
            return _fallback(request)
        return _decision(request, answer)

    def decide_batch(self, requests: Sequence[Request]) -> "list[Union[Decision, EquipoiseError]]":
        """Returns a decision, a fallback or an error for each request, in their order.

        :raises Unavailable: if no answer arrives in time and a request has no fallback
        """
        if not requests:
            return []
        filled = [_filled(request) for request in requests]
        body = {"decisions": [self._asked(request) for request in filled]}
        try:
            answers = self._call("POST", "/v1/decisions:batch", body)["decisions"]
        except Unavailable:
            if any(request.fallback is None for request in filled):
                raise
            return [_fallback(request) for request in filled]
        return [_decision_or_error(request, answer) for request, answer in zip(filled, answers)]

    def recent(self, segment: str, decision_id: str) -> Decision:
        """Returns a recent decision.

        :raises EquipoiseError: with the code NOT_FOUND if the gateway does not know it
        """
        path = f"/v1/decisions/{quote(decision_id, safe='')}?segment={quote(segment, safe='')}"
        return _decision(Request(segment, {}, decision_id=decision_id), self._call("GET", path))

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
        self._call("POST", "/v1/rewards", _given(Reward(decision, value, mediators or {}, reward_id, event_time)))

    def reward_batch(self, rewards: Sequence[Reward]) -> "list[Optional[EquipoiseError]]":
        """Sends rewards in one request. Returns None for each accepted one and the error of each other, in their order.

        :raises Unavailable: if no gateway answers in time
        """
        if not rewards:
            return []
        answer = self._call("POST", "/v1/rewards:batch", {"rewards": [_given(reward) for reward in rewards]})
        problems = [each.get("problem") for each in answer["rewards"]]
        return [None if problem is None else _problem(int(problem["status"]), problem) for problem in problems]

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
        self._call("POST", f"/v1/decisions/{quote(decision.decision_id, safe='')}/shown", body)

    def segments(self) -> "list[Mapping[str, Any]]":
        """Returns the specs in force, with their arms."""
        segments: "list[Mapping[str, Any]]" = self._call("GET", "/v1/segments")["segments"]
        return segments

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

    def _call(self, method: str, path: str, body: Any = None) -> Any:
        """Returns the decoded answer; retries until the timeout."""
        # A text with an unpaired surrogate is a UnicodeEncodeError, a ValueError: it has no UTF-8 form.
        payload = None if body is None else json.dumps(body, allow_nan=False, ensure_ascii=False).encode()
        end = time.monotonic() + self._timeout
        pause = _FIRST_PAUSE_SECONDS
        tries = 0
        while True:
            wanted = random.uniform(pause / 2, pause)
            try:
                status, retry_after, answer = self._exchange(method, path, payload, end)
                if status < 300:
                    return json.loads(answer) if answer else None
                failure = _error(status, answer)
                if status not in _RETRIED:
                    raise failure
                wanted = max(wanted, retry_after)
            except (OSError, http.client.HTTPException, ValueError) as problem:
                self.close()
                failure = EquipoiseError(0, "UNAVAILABLE", f"{type(problem).__name__}: {problem}")
            if tries >= self._retries or time.monotonic() + wanted >= end:
                message = f"no answer of {self._host} to {method} {path} after {tries + 1} tries; last: {failure}"
                raise Unavailable(failure.status, failure.code, message, failure.remedy) from failure
            time.sleep(wanted)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)
            tries += 1

    def _exchange(
        self, method: str, path: str, payload: Optional[bytes], end: float
    ) -> "tuple[int, float, bytes]":
        """Sends one request. Returns the status, the seconds of Retry-After, and the body."""
        connection = self._connection(_left(end))
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
            connection = self._connection(_left(end))
            connection.request(method, self._prefix + path, payload, headers)
            response = connection.getresponse()
        answer = response.read()
        retry_after = response.headers.get("Retry-After", "0")
        return response.status, float(retry_after) if retry_after.isdigit() else 0.0, answer

    def _connection(self, seconds: float) -> http.client.HTTPConnection:
        """Returns this thread's connection, a new one after a fork."""
        connection: Optional[http.client.HTTPConnection] = getattr(self._local, "connection", None)
        if connection is None or self._local.process != os.getpid():
            if self._is_secure:
                connection = http.client.HTTPSConnection(self._host, self._port, context=self._ssl_context)
            else:
                connection = http.client.HTTPConnection(self._host, self._port)
            self._local.connection = connection
            self._local.process = os.getpid()
        connection.timeout = seconds
        if connection.sock is not None:
            connection.sock.settimeout(seconds)
        return connection


def _left(end: float) -> float:
    seconds = end - time.monotonic()
    if seconds <= 0:
        raise TimeoutError("the timeout is over")
    return seconds


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


def _decision(request: Request, answer: Mapping[str, Any]) -> Decision:
    is_late = answer["reason"] == "DEADLINE_EXCEEDED"
    arm = answer.get("arm")
    return Decision(
        segment=request.segment,
        decision_id=answer["decisionId"],
        arm=request.fallback if is_late and request.fallback is not None else arm,
        reason=answer["reason"],
        propensities={it["arm"]: it["propensity"] for it in answer.get("candidates") or ()},
        spec_version=answer.get("specVersion"),
        fairness=tuple(answer["fairness"]) if "fairness" in answer else None,
        is_fallback=is_late,
    )


def _decision_or_error(request: Request, answer: Mapping[str, Any]) -> Union[Decision, EquipoiseError]:
    problem = answer.get("problem")
    if problem is None:
        return _decision(request, answer)
    if problem.get("status") in _RETRIED and request.fallback is not None:
        return _fallback(request)
    return _problem(int(problem.get("status", 0)), problem)


def _error(status: int, body: bytes) -> EquipoiseError:
    try:
        problem = json.loads(body)
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {"detail": f"status {status} without a problem document"}
    return _problem(status, problem)


def _problem(status: int, problem: Mapping[str, Any]) -> EquipoiseError:
    detail = problem.get("detail") or problem.get("title") or ""
    return EquipoiseError(status, problem.get("code") or f"HTTP_{status}", detail, problem.get("remedy") or "")
