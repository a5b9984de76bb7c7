"""Runs docs/verify-ledger.py on published vectors, a line of JSON each, and prints those on which
it says otherwise than they do, as a JSON list of their descriptions."""

import base64
import importlib.util
import json
import sys

spec = importlib.util.spec_from_file_location("verify_ledger", sys.argv[1])
verifier = importlib.util.module_from_spec(spec)
spec.loader.exec_module(verifier)


def bytes_of(texts):
    return [base64.b64decode(text) for text in texts]


def holds(vector):
    kind = vector["kind"]
    if kind == "inclusion":
        root, leaf = bytes_of([vector["root"], vector["leafHash"]])
        place = vector["leafIdx"], vector["treeSize"], bytes_of(vector["proof"])
        return len(leaf) == 32 and verifier.root_of_inclusion(leaf, *place) == root
    if kind == "consistency":
        roots = bytes_of([vector["root1"], vector["root2"]])
        sizes = vector["size1"], vector["size2"]
        verifier.check_growth(*sizes, *roots, bytes_of(vector["proof"]))
    elif kind == "note":
        verifier.Note(vector["note"]).signer([verifier.Key(vector["vkey"])])
    elif kind == "ed25519":
        names = ("key", "message", "signature")
        return verifier.is_signature(*(bytes.fromhex(vector[name]) for name in names))
    return True


def is_wrong(vector):
    try:
        return holds(vector) == vector.get("wantErr", False)
    except verifier.Bad:
        return not vector.get("wantErr", False)


vectors = [json.loads(line) for line in sys.stdin]
print(json.dumps([vector.get("desc", vector["kind"]) for vector in vectors if is_wrong(vector)]))
