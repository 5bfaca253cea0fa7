"""What the API's document says in words and a schema does not."""

import copy

import jsonschema_rs
import schemathesis
from schemathesis.specs.openapi.checks import negative_data_rejection

ABSENT = (None, [], {})


def without_absent(value):
    """The same without what means absent in a request: null, [] and {}."""
    if isinstance(value, dict):
        kept = {key: without_absent(each) for key, each in value.items()}
        return {key: each for key, each in kept.items() if each not in ABSENT}
    if isinstance(value, list):
        return [without_absent(each) for each in value]
    return value


def is_valid_without_absent(case):
    """Whether the body breaks its schema only by naming what is absent."""
    body = without_absent(copy.deepcopy(case.body))
    if body == case.body:
        return False
    document = case.operation.schema.raw_schema
    content = case.operation.definition.raw.get("requestBody", {}).get("content", {})
    schema = content.get(case.media_type, {}).get("schema")
    if schema is None:
        return False
    whole = {**schema, "components": document["components"]}
    return jsonschema_rs.validator_for(whole).is_valid(body)


@schemathesis.check
def faults_are_refused(ctx, response, case):
    """negative_data_rejection, but that null, [] and {} mean absent, and 412 refuses too."""
    if response.status_code == 412:
        return None
    if isinstance(case.body, (dict, list)) and is_valid_without_absent(case):
        return None
    return negative_data_rejection(ctx, response, case)
