-- Views for psql, Grafana or Excel. Two more, now and hour, have a column for each field and are
-- made from the catalogue.

-- Requests that haven't been answered.
create or replace view fleet.open_request as
select ship, id, wanted, made from fleet.request
where not exists (
  select from fleet.document
  where document.ship = request.ship and kind = 'answer' and key = request.id::text
);

-- The end of each branch of each chain; is_current: the branch that the ship continued last.
create or replace view fleet.head as
select ship, chain, branch, number, hash, fleet.time_of(until_ms) as data_until, received, instance,
  received = max(received) over (partition by ship, chain) as is_current
from fleet.branch;

-- Branches from links with two successors: a ship's database was restored to an earlier state, or
-- two boxes use one key. `number` is the first link of the branch, `links` their number, `instance`
-- the box that began it.
create or replace view fleet.fork as
select ship, chain, branch, begins as number, number - begins + 1 as links, begun_by as instance,
  begun as received
from fleet.branch where branch > 0;

-- Ships without contact for an hour, in which six reports are missing.
create or replace view fleet.silent as
select ship, name, max(last_seen) as last_contact, now() - max(last_seen) as silent
from fleet.ship left join fleet.instance using (ship)
where revoked is null
group by ship, name
having coalesce(max(last_seen) < now() - interval '1 hour', true);

-- Events, including those of lost branches.
create or replace view fleet.event as
select ship, branch, number, fleet.time_of(first_ms) as at, identity ->> 1 as event_type,
  identity ->> 2 as description, fleet.json_of(convert_to(identity ->> 3, 'UTF8')) as data,
  fact[1] as source, fleet.time_of(fact[2]::double precision) as received_aboard,
  fact[3] = '1' as clock_trusted, received
from fleet.link
cross join lateral fleet.json_of(payload) as identity
cross join lateral regexp_match(encode(body, 'escape'), '^(.*)\n([0-9]{1,15})\n([01])\n$') as fact
where chain = 'event';

-- Signed heads of the ships' ledgers. The database can't verify signatures: `ballastd fleet verify`
-- does, and compares the tree with the links that are here.
create or replace view fleet.ledger_head as
select ship, split_part(checkpoint, E'\n', 1) as origin,
  substring(split_part(checkpoint, E'\n', 2) from '^[0-9]{1,15}$')::bigint as size,
  split_part(checkpoint, E'\n', 3) as root,
  fleet.time_of(fleet.number_of(body -> 'at_ms')) as signed, body ->> 'reason' as reason,
  received, instance, checkpoint
from fleet.document cross join lateral (select body ->> 'checkpoint' as checkpoint) as said
where kind = 'head';

-- Keys that sign the heads, from the statements about keys, each from its place on. `key_before` is
-- null for the first one.
create or replace view fleet.ledger_key as
select ship, substring(content from E'\nkey ([^\n]*)\n') as key,
  nullif(substring(content from E'\nbefore ([^\n]*)\n'), 'none') as key_before,
  substring(content from E'\nreason ([^\n]*)\n') as reason,
  substring(content from E'\nat ([^\n]*)\n') as at, received, instance, content
from fleet.document cross join lateral (select body ->> 'content' as content) as said
where kind = 'statement' and starts_with(key, 'key ');

-- Operations, each with its newest proven version, else the newest one received; for a ship
-- restored from a backup also those of its lost line. `proven`: 2 in the tree of its newest signed
-- head, 1 in an earlier tree, null: not proven by `ballastd fleet verify --record`.
create or replace view fleet.operation as
select distinct on (ship, id) ship, id, verdict, version, operation_type, location, started, ended,
  volume_m3, rules, remarks, because, judged, received, instance, proven
from (
  select ship, fleet.number_of(body -> 'id') as id, body ->> 'verdict' as verdict,
    fleet.number_of(body -> 'version') as version, body ->> 'operation_type' as operation_type,
    body ->> 'location' as location, body ->> 'start' as started, body ->> 'end' as ended,
    fleet.number_of(body -> 'volume_m3') as volume_m3,
    jsonb_path_query_array(body, '$.rules[*]') as rules, body -> 'remarks' as remarks,
    body ->> 'because' as because, body ->> 'made' as judged, received, instance, revision,
    proven, substring(key from '^verdict ([0-9]{1,9}) ')::integer as number
  from fleet.document where kind = 'verdict'
) as said
-- By the number in the ledger, since the time of receipt proves nothing.
order by ship, id, proven desc nulls last, case when proven is not null then number end desc,
  received desc, revision desc;
