"""The generated Python client reads what the service answers, new values of enumerations included."""

import pathlib
import sys

from leasehold_client.models.lease import Lease
from leasehold_client.models.lease_page import LeasePage
from leasehold_client.models.problem import Problem

fixtures = pathlib.Path(sys.argv[1])


def read(model, name):
    return model.from_json((fixtures / name).read_text())


lease = read(Lease, "lease.json")
assert lease.state == "HIBERNATING", lease.state
assert lease.allocations[0].gpus[1].units[0].end == 625
assert read(Problem, "refusal.json").code == "refused-shortage"
page = read(LeasePage, "page.json")
assert page.items[0].state == "WAITING"
assert page.next_page_token == "bmV4dA"
