// `ballastd fleet`: the office's commands. They set up a PostgreSQL server for the fleet's data and
// list its ships. No process of ballastd has to run there to receive data.

import { importFile } from "../../office/import-command.ts";
import { lake } from "../../office/lake-command.ts";
import { verify } from "../../office/proof/verify-command.ts";
import { serve } from "../../office/serve-command.ts";
import { makeCertificate, printSchema } from "../../office/server-command.ts";
import { add, listForks, listShips, revoke } from "../../office/ships-command.ts";
import { wrongAction } from "../options.ts";

export const summary = "ashore: prepare a PostgreSQL server for ships, add and list them";

export const help = `usage: ballastd fleet schema
       ballastd fleet certificate --host NAME [--listen ADDRESSES] [--database DB] [--json]
       ballastd fleet add IMO --name NAME --output FILE [--url URL] [--objects PLACE]
                          [--objects-key FILE] [--objects-pin PIN] [--database DB] [--json]
       ballastd fleet revoke IMO [--database DB] [--json]
       ballastd fleet list [--database DB] [--json]
       ballastd fleet forks [--database DB] [--json]
       ballastd fleet import FILE [--database DB] [--json]
       ballastd fleet lake DIR|s3://BUCKET/PREFIX [IMO] [--objects PLACE] [--database DB] [--json]
       ballastd fleet verify [IMO] [--objects PLACE] [--ask-again] [--database DB] [--json]
       ballastd fleet serve [--listen HOST:PORT] [--host NAME] [--silence-minutes N]
                            [--file-minutes N] [--objects PLACE] [--database DB]

Ashore, on the machine of the PostgreSQL server (15 or later) that takes the ships' data.

  schema         prints the SQL that makes the fleet's roles, tables, functions and views, or brings
                 those of an earlier version up to date; psql runs it
  certificate    makes an authority and the server's certificate, sets both in the server, and lets
                 ships in by certificate. Again: a certificate for other names, with the same key
  add            adds a ship, and writes the file that joins her: it holds her key
  revoke         ends a ship's key and her sessions at once; her data stays. add makes a new key
  list           ships, when each was heard last, and until when her raw readings are here
  forks          chains that part: a ship's database was put back, or two boxes use one key

  import         takes a file of ballastd shore bundle, as if the ship had sent it when she made it;
                 what is here already is left out and counted. It must be sealed with her key. As a
                 superuser of PostgreSQL, on the server's machine. Exit code 1 if a part was refused

  lake           writes readings as Parquet, DIR/readings/ship=IMO/day=DATE/readings.parquet, from
                 segments whose hashes it makes anew; again, only the days that have changed. What
                 parted from a ship's line is in DIR/forks/. Exit code 1 if a segment was left out.
                 A store that speaks S3 and its key: AWS_ENDPOINT_URL, AWS_SHARED_CREDENTIALS_FILE
  verify         makes every hash of the ships' chains anew, decodes every segment, and compares
                 what the ships were told is here, and the hours that they sent, with what is;
                 every verdict must be in the tree of a signed head; tells forks, and in its last
                 line what isn't proven. Exit code 1 if something is broken or missing
  serve          serves the fleet page over HTTP, read only: how each ship is, the worst first,
                 and a page for each ship; its API (/openapi.json) and /metrics for Prometheus. It
                 has no login: put a proxy or a private network before it

  --host NAME      name or IP address by which ships reach the server; again for further ones
  --host NAME      of serve: a name by which it is asked, such as a proxy's; again for further ones
  --listen ADDRESSES  sets listen_addresses, such as '*', which needs a restart of PostgreSQL
  --listen HOST:PORT  of serve: addresses by comma (127.0.0.1:8090)
  --silence-minutes N  of serve: a ship that is silent for longer is an alert (60)
  --file-minutes N     of serve: a file of readings that takes longer is cut off (60)
  --name NAME      the ship's name
  --output FILE    the file to write; mode 0600
  --url URL        by which she reaches the server, such as postgres://fleet.example.com:443/fleet;
                   again for further ones; without it the names in the server's certificate
  --objects PLACE  where ships' readings lie in a store that speaks S3, https://host/bucket or
                   s3://bucket; of add, where this ship puts hers, in a folder of her number
  --objects-key FILE  of add, the ship's key for the store, as AWS's credentials file
  --objects-pin PIN   of add, the store's public key, sha256//…, for a ship whose clock may be wrong
  --ask-again      of verify, as a superuser: has ships asked for readings that the store has lost
  --since FILE     of verify: names what was here when FILE was written and isn't any more, and
                   writes FILE anew if nothing is missing
  --key KEY        of verify: a verifier key of the ship that is trusted; again for further ones
  --record         of verify, as a superuser: marks verdicts that are proven, for the views
  --database DB    name of the database (fleet) on this machine, or postgres://user@host/name.
                   PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE count too
  --json           a JSON object, of list, forks, lake and verify a list

On the server's own machine root and postgres log in without a password.

Examples:
  sudo -u postgres createdb fleet
  ballastd fleet schema | sudo -u postgres psql -q fleet
  sudo ballastd fleet certificate --host fleet.example.com
  sudo ballastd fleet add 9074729 --name "MV Example" --output 9074729.shore`;

const ACTIONS: ReadonlyMap<string, (args: readonly string[]) => Promise<void>> = new Map(
  Object.entries({
    schema: printSchema,
    certificate: makeCertificate,
    ...{ add, revoke, list: listShips, forks: listForks },
    import: importFile,
    ...{ lake, verify, serve },
  }),
);

export async function run(args: readonly string[]): Promise<void> {
  const [action, ...rest] = args;
  const act = ACTIONS.get(action);
  if (act === undefined) throw wrongAction("fleet", action, [...ACTIONS.keys()].join(", "));
  return act(rest);
}
