-- Views to be read in psql, Grafana or Excel. Two more, now and hour, have a column for each field
-- and are made of the catalogue.

-- Requests that no answer has closed.
create or replace view fleet.open_request as
select ship, id, wanted, made from fleet.request
where not exists (
  select from fleet.document
  where document.ship = request.ship and kind = 'answer' and key = request.id::text
);

-- The end of each branch of each chain; is_current: the branch that the ship went on with last.
create or replace view fleet.head as
select ship, chain, branch, number, hash, fleet.time_of(until_ms) as data_until, received, instance,
  received = max(received) over (partition by ship, chain) as is_current
from fleet.branch;

-- Links with two successors: a ship's database was put back to an earlier state, or two boxes use
-- one key. `number` is the first of the branch, `links` how many it has, `instance` the box that
-- began it.
create or replace view fleet.fork as
select ship, chain, branch, begins as number, number - begins + 1 as links, begun_by as instance,
  begun as received
from fleet.branch where branch > 0;

-- Ships that haven't spoken for an hour; six reports are lacking then.
create or replace view fleet.silent as
select ship, name, max(last_seen) as last_contact, now() - max(last_seen) as silent
from fleet.ship left join fleet.instance using (ship)
where revoked is null
group by ship, name
having coalesce(max(last_seen) < now() - interval '1 hour', true);

-- Events, those of lost branches too.
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

-- Who signed them: the statements about keys, each from where it stands on. `key_before` is null of
-- the first one.
create or replace view fleet.ledger_key as
select ship, substring(content from E'\nkey ([^\n]*)\n') as key,
  nullif(substring(content from E'\nbefore ([^\n]*)\n'), 'none') as key_before,
  substring(content from E'\nreason ([^\n]*)\n') as reason,
  substring(content from E'\nat ([^\n]*)\n') as at, received, instance, content
from fleet.document cross join lateral (select body ->> 'content' as content) as said
where kind = 'statement' and starts_with(key, 'key ');

-- Operations, each by the newest version of its judgement that is proven, else by the newest one
-- that came; of a ship that was put back from a backup those of her lost line too. `proven`: 2 in
-- the tree of her newest signed head, 1 in one that she left, null: `ballastd fleet verify
-- --record` hasn't proven it.
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
-- The time of receipt proves nothing, the number in the ledger does.
order by ship, id, proven desc nulls last, case when proven is not null then number end desc,
  received desc, revision desc;
