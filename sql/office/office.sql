-- Statements of the office's commands.

-- name: office.server
-- Paths of the server's files, and its addresses.
select current_setting('config_file') as config_file, current_setting('hba_file') as hba_file,
  current_setting('ssl') as ssl, current_setting('ssl_ca_file') as ssl_ca_file,
  current_setting('port') as port,
  current_setting('listen_addresses') as listen_addresses, current_database() as database;

-- name: office.schema
-- The ballastd that made the schema; null if there is none.
select obj_description(to_regnamespace('fleet'), 'pg_namespace') as made_by;

-- name: office.set
-- Sets a setting of the server. Both words are replaced, quoted, since neither can be a parameter
-- here.
alter system set SETTING = VALUE;

-- name: office.begin
begin;

-- name: office.begin_snapshot
begin isolation level repeatable read, read only;

-- name: office.commit
commit;

-- name: office.rollback
rollback;

-- name: office.reload
select pg_reload_conf();

-- name: office.wrong_rules
select format('line %s: %s', line_number, error) as problem
from pg_hba_file_rules where error is not null;

-- name: office.add
select fleet.add_ship($1, $2) as role;

-- name: office.bar
select fleet.bar_ship($1) as role;

-- name: office.end_sessions
-- Ends a ship's sessions, and waits up to 10 s for the end of each.
select pg_terminate_backend(pid, 10000)
from pg_stat_activity join fleet.ship on usename = role where ship = $1;

-- name: office.revoke
update fleet.ship set revoked = now() where ship = $1;

-- name: office.ships
select ship, name, added, revoked, last_contact, version, raw_until,
  forks::integer
from fleet.now order by ship;

-- name: office.forks
select ship, chain, branch, number, links::integer, instance, received from fleet.fork
order by received desc, ship, chain, branch;

-- name: office.fleet
-- All ships, or one of them.
select ship from fleet.ship where $1::text is null or ship = $1 order by ship;

-- name: office.lock_lake
-- Locks a ship's files in the lake against other runs; the lock ends with the connection.
select pg_advisory_lock(hashtext('ballastd fleet lake'), $1::text::integer);

-- name: office.unlock_lake
select pg_advisory_unlock(hashtext('ballastd fleet lake'), $1::text::integer);

-- name: office.segments
-- A ship's segments. Times are doubles, since the client reads a bigint as text.
select number, branch, encode(hash, 'hex') as hash, encode(previous, 'hex') as previous,
  first_ms::double precision as first_ms, last_ms::double precision as last_ms, count,
  payload is not null or object is not null as is_here
from fleet.link where ship = $1 and chain = 'segment' order by number, branch;

-- name: office.segment_head
select number, encode(hash, 'hex') as hash
from fleet.head where ship = $1 and chain = 'segment' and is_current;

-- name: office.segment
select previous, hash, body as header, digest as payload_hash, payload, object
from fleet.link
where ship = $1 and chain = 'segment' and number = $2 and hash = decode($3, 'hex');

-- name: office.chain
-- A page of a chain's links after a number and a hash, in hex. It ends at 8 MB, because a link may
-- have 64 MB.
with sized as (
  select number, hash, sum(octet_length(body) + coalesce(octet_length(payload), 0))
    over (order by number, hash rows between unbounded preceding and 1 preceding) as before
  from (
    select number, hash, body, payload from fleet.link
    where ship = $1 and chain = $2 and (number, hash) > ($3, decode($4, 'hex'))
    order by number, hash limit 256
  ) as following
)
select number, branch, previous, hash, body, digest, payload, object,
  first_ms::double precision as first_ms, last_ms::double precision as last_ms, count
from sized join fleet.link using (number, hash)
where ship = $1 and chain = $2 and coalesce(before, 0) < 8 * 1024 * 1024
order by number, hash;

-- name: office.ask_again
-- Marks the payload of a segment whose object is lost as missing, and requests its readings from
-- the ship. Only for a superuser or fleet_owner.
with lost as (
  update fleet.link set object = null
  where ship = $1 and chain = 'segment' and number = $2 and hash = decode($3, 'hex')
  returning ship, fleet.time_of(first_ms) as first, fleet.time_of(last_ms) as last
)
insert into fleet.request (ship, wanted)
select ship, jsonb_build_object(
  'from', to_char(first at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'to', to_char(last at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
from lost where first is not null and last is not null;

-- name: office.branches
-- The branches of a ship's chains: the first and the last link of each, and its newest time.
select chain, branch, begins, number, encode(hash, 'hex') as hash, is_current,
  until_ms::double precision as until_ms
from fleet.head join fleet.branch using (ship, chain, branch, number, hash)
where ship = $1 order by chain, branch;

-- name: office.reports
-- A ship's boxes, each with its report, null without one, and whether it has sent data that follows
-- a report.
select box.instance, report.body,
  exists (
    select from fleet.document
    where document.ship = box.ship and document.instance = box.instance
      and kind in ('head', 'hour', 'forecast')
  ) or exists (
    select from fleet.branch
    where branch.ship = box.ship and chain = 'segment'
      and box.instance in (branch.instance, branch.begun_by)
  ) as has_sent
from fleet.instance as box
left join fleet.document as report
  on report.ship = box.ship and report.instance = box.instance and report.kind = 'report'
    and report.key = 'now'
where box.ship = $1 order by box.instance;

-- name: office.heads
-- Signed heads in order of arrival.
select key, revision::double precision as number, instance, body from fleet.document
where ship = $1 and kind = 'head' order by received, revision;

-- name: office.statements
select key, kind, body, proven from fleet.document
where ship = $1 and kind in ('statement', 'verdict') order by received, revision;

-- name: office.mark_proven
-- Marks verdicts as proven, by their keys. Only for a superuser or fleet_owner.
update fleet.document set proven = marked.proven
from jsonb_each_text($2) as told (key, proven)
cross join lateral (select told.proven::smallint as proven) as marked
where ship = $1 and kind = 'verdict' and document.key = told.key
  and document.proven is distinct from marked.proven;

-- name: office.hours
-- The newest document of each hour that the ship sent, as fleet.hour has it.
select distinct on (key) key, body from fleet.document
where ship = $1 and kind = 'hour' order by key, revision desc, received desc, instance desc;

-- name: office.now
-- Ships that aren't revoked, or one of them. The client reads the report's members: as columns,
-- those of 5,000 ships would take half of the time.
select ship, name, added, last_contact, report_received, raw_until, version, verified_to,
  forks::integer as forks, boxes::integer as boxes, report, last_verdict, now() as asked
from fleet.now where revoked is null and ($1::text is null or ship = $1);

-- name: office.events
-- The newest events, shortened, since their texts may have 64 MB.
select at, left(event_type, 200) as event_type, left(description, 4000) as description, branch,
  received
from fleet.event where ship = $1 order by number desc, branch desc limit 100;

-- name: office.operations
-- The newest operations, shortened, since their texts may be long.
select id, version, verdict, left(operation_type, 100) as operation_type,
  left(location, 200) as location, left(started, 40) as started, left(ended, 40) as ended,
  volume_m3, rules, remarks, left(because, 400) as because, proven is not null as is_proven
from fleet.operation where ship = $1 order by started desc, id desc limit 50;

-- name: office.ship_of
-- The ship whose key logs in as a role.
select ship, name from fleet.ship where role = $1 and revoked is null;

-- name: office.known_links
select chain, number, encode(hash, 'hex') as hash,
  chain = 'audit' or payload is not null or object is not null as is_whole
from fleet.link where ship = $1;

-- name: office.known_documents
select kind, key, revision::double precision as revision
from fleet.document where ship = $1 and instance = $2;

-- name: office.known_audit
-- The newest audit entry that a box had when it made its newest report here.
select fleet.number_of(body -> 'heads' -> 'audit' -> 0) as audit from fleet.document
where ship = $1 and kind = 'report' and key = 'now' and instance = $2;

-- name: office.known_hours
select coalesce(max(revision), 0)::double precision as hours
from fleet.document where ship = $1 and kind = 'hour';

-- name: office.forks_of
select chain, branch from fleet.fork where ship = $1 order by chain, branch;

-- name: office.become_ship
-- Gives the session a ship's role and rights, and the time at which it sends. Only for a superuser.
select set_config('fleet.carried', $2, false), set_config('session_authorization', $1, false);

-- name: office.become_self
reset session authorization;

-- name: office.documents
-- The newest document of each key, those of open alerts before all others. It ends at 4 MB: a ship
-- with a stolen key could send 50 MB.
select body from (
  select body, place, sum(octet_length(body::text)) over (order by place) as bytes from (
    select body,
      row_number() over (order by body ->> 'alert_state' = 'closed', received desc, key) as place
    from (
      select distinct on (key) key, body, received from fleet.document
      where ship = $1 and kind = $2 order by key, received desc
    ) as newest
  ) as placed
) as sized
where bytes <= 4 * 1024 * 1024 order by place limit $3;

-- name: office.ends
-- The branches of a ship's chains, each with its newest link.
select chain, branch, begins, number, encode(hash, 'hex') as hash, is_current,
  data_until as until, received
from fleet.head join fleet.branch using (ship, chain, branch, number, hash, received)
where ship = $1 order by chain, branch;

-- name: office.hour_values
-- The values at some places of the hours between two keys.
select distinct on (key) fleet.number_of(body -> 'start_ms') as start_ms,
  fleet.number_of(body -> 'count') as count,
  (select array_agg(fleet.number_of(body -> 'values' -> place) order by position)
    from unnest($4::integer[]) with ordinality as wanted (place, position)) as values
from fleet.document
where ship = $1 and kind = 'hour' and length(key) = 13 and key between $2 and $3
  and (body -> 'start_ms')::text = key
order by key, revision desc, received desc, instance desc;
