-- Tables. Every key begins with the ship, so that an office can spread ships over several servers.
-- Links and documents are divided by a hash of the ship and not by time, because a unique key must
-- hold what divides: with a partition a month, a link that came again in another month would be
-- there twice.

-- `ship` is her IMO number, `role` the name by which her newest key logs in. A revoked ship keeps
-- her data.
create table fleet.ship (
  ship text primary key check (ship ~ '^[0-9]{7}$'),
  role name not null unique,
  name text not null,
  added timestamptz not null default now(),
  revoked timestamptz
);

-- Times `received` and `last_seen` of what was carried here as a file, but for links, are when that
-- file was made, by the ship's clock: what is old never looks new.

-- A box that has spoken for the ship. Each box makes its id once and keeps it out of its backups,
-- so two boxes with one ship's key show.
create table fleet.instance (
  ship text not null references fleet.ship,
  instance uuid not null,
  version text not null,
  first_seen timestamptz not null default clock_timestamp(),
  last_seen timestamptz not null default clock_timestamp(),
  address inet,
  primary key (ship, instance)
);

-- The links of her three chains, never changed but for a payload that comes after its link.
-- segment: body is the header, digest the payload's SHA-256. event: payload is the JSON text of its
-- identity, digest the identity. audit: body is the entry's JSON text. A fork has a branch of its
-- own from the link on where it begins; first_ms, last_ms and count are read from the body.
-- `object` names an object in the office's store that has the payload of a segment in place of this
-- row: the ship says that the store has taken it.
create table fleet.link (
  ship text not null,
  chain text not null check (chain in ('segment', 'event', 'audit')),
  number integer not null check (number > 0),
  branch integer not null,
  hash bytea not null,
  previous bytea not null,
  body bytea not null,
  digest bytea,
  payload bytea,
  object text,
  first_ms bigint not null,
  last_ms bigint not null,
  count integer not null,
  instance uuid not null,
  received timestamptz not null default clock_timestamp(),
  primary key (ship, chain, number, hash),
  foreign key (ship, instance) references fleet.instance
) partition by hash (ship);
-- Payloads are compressed already.
alter table fleet.link alter column payload set storage external;
create index link_lacking on fleet.link (ship, first_ms)
  where chain = 'segment' and payload is null and object is null;
create index link_time on fleet.link (ship, chain, first_ms);

-- The branches of the chains, moved on with each link: where each begins, and its newest link. What
-- links tell too, but 5,000 ships are read here at once. until_ms is the newest time of its data.
create table fleet.branch (
  ship text not null references fleet.ship,
  chain text not null,
  branch integer not null,
  begins integer not null,
  begun timestamptz not null default clock_timestamp(),
  begun_by uuid not null,
  number integer not null,
  hash bytea not null,
  until_ms bigint not null,
  received timestamptz not null default clock_timestamp(),
  instance uuid not null,
  primary key (ship, chain, branch)
) with (fillfactor = 50);

-- The newest state of what changes: reports, hours, alarms, forecasts. The box that says it is part
-- of the key, so that two boxes with one ship's key never write over each other.
create table fleet.document (
  ship text not null,
  kind text not null check (kind in (
    'report', 'hour', 'alarm', 'verdict', 'lamp', 'forecast', 'void', 'head', 'setting', 'answer'
  )),
  key text not null,
  instance uuid not null,
  revision bigint not null,
  body jsonb not null,
  received timestamptz not null default clock_timestamp(),
  primary key (ship, kind, key, instance),
  foreign key (ship, instance) references fleet.instance
) partition by hash (ship);

do $$
begin
  for part in 0..15 loop
    execute format('create table fleet.link_%s partition of fleet.link
      for values with (modulus 16, remainder %s)', part, part);
    execute format('create table fleet.document_%s partition of fleet.document
      for values with (modulus 16, remainder %s)', part, part);
  end loop;
end $$;

-- Asks a ship for the payloads of a range:
-- insert into fleet.request (ship, wanted) values ('9074729', '{"from": "2026-05-01T00:00:00Z",
-- "to": "2026-05-02T00:00:00Z"}'). It is open until she sends an `answer` with its id as key.
create table fleet.request (
  ship text not null references fleet.ship,
  id bigint generated always as identity,
  wanted jsonb not null check (
    (jsonb_typeof(wanted -> 'from') = 'string' and jsonb_typeof(wanted -> 'to') = 'string') is true
  ),
  made timestamptz not null default now(),
  primary key (ship, id)
);
