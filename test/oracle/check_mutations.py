"""Runs docs/verify-ledger.py on many cases at once: reads a list of them as JSON from stdin, and
prints for each what is wrong, null if nothing is, as a JSON list."""

import base64
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("verify_ledger", sys.argv[1])
verifier = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verifier)


def wrong(case):
    proof, lines = (base64.b64decode(case[name]) for name in ("proof", "lines"))
    heads = [base64.b64decode(head) for head in case["heads"]]
    try:
        verifier.verify(proof, lines, heads, case["keys"], case["claims"], say=lambda line: None)
    except verifier.Bad as bad:
        return str(bad)
    return None


print(json.dumps([wrong(case) for case in json.load(sys.stdin)]))
