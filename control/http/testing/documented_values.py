"""Checks of Schemathesis: what the API document says is valid is accepted, and nothing fails.

Whether a request is accepted can depend on more than its form: on what exists, on what a deployment has, on others.
`DEPENDS` lists these refusals, each with its reason. Any other refusal is a fault of the document.
"""

import json
import re

import schemathesis

#: What a refusal says, and on what it depends.
DEPENDS = (
    (r"Unauthorized|Forbidden", "what this key, or this organization, may do"),
    (r"There is no scope|This API key does not have", "which scopes there are: GET /v1/api-keys tells"),
    (r" not found|does not exist|unknown id|Nothing was uploaded under this key", "what exists"),
    (r"recognizer: must be one of", "what this deployment has: GET /v1/organization/transcription tells"),
    (r"is not the address of a meeting", "whose meetings can be joined: GET /v1/meetings/providers tells"),
    (r"could not be fetched|could not be found|host name was not found", "another server"),
    (r"must point to a host on the public internet", "which hosts are private, and what the operator allows"),
    (r"makes images of|cannot be rendered with", "the models of the avatar: GET /v1/avatars tells"),
    (r"presetStyle and customStylePrompt exclude each other", "another field; the console reads this schema as plain fields"),
    (r"version and versions exclude each other", "another field, which may be null as well"),
    (r"realtime and livekitUrl exclude each other", "another field, which may be null as well"),
    (r"the shares must be 100 together", "other items; JSON Schema cannot add numbers"),
    (r"must ask for something: a summary, criteria or fields", "other fields, each of which may be left out"),
    (r"(names|the versions) must be different", "other items; JSON Schema compares items as a whole"),
    (r"livekitUrl needs livekitToken|livekitToken needs livekitUrl", "another field, which may be null as well"),
    (r"environment\.livekit(Url|Token): ", "which rooms there are, and their tokens: the LiveKit server tells"),
    (r"chunkOverlap: must be smaller than chunkSize", "another field; JSON Schema cannot compare numbers"),
    (r"POST /v1/engine/session personaConfig: Required", "whether a key or a session token asks"),
    (r"PUT /v1/tools/.* config[.\w]*: is required", "what is stored of the tool"),
    (r"Tool runs only in sessions", "the type of the saved tool"),
)

#: Failures of others, which the document names.
OTHERS = (
    (502, r"Voice failed", "the stand-in for a voice service says nothing here"),
    (503, r"Meeting invites are not enabled", "there is no Chromium for meetings here"),
)


def is_listed(text, reasons):
    return any(re.search(pattern, text) for pattern, _reason in reasons)


def is_other(response):
    return any(response.status_code == status and re.search(said, response.text) for status, said, _reason in OTHERS)


@schemathesis.check
def accepts_what_is_documented(_ctx, response, case):
    """A refusal of several fields is expected when that of each of them is."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code not in (400, 413, 415, 422):
        return
    body = json.loads(response.text)
    problems = body.get("details") or [{"path": "", "message": f"{body['error']} {body['message']}"}]
    faults = [one for one in problems if not is_listed(f"{case.operation.label} {one['path']}: {one['message']}", DEPENDS)]
    if faults:
        raise AssertionError(f"Documented as valid, and refused: {faults}")


@schemathesis.check
def does_not_fail(_ctx, response, _case):
    if response.status_code >= 500 and not is_other(response):
        raise AssertionError(f"{response.status_code} {response.text}")
