-- Begins a session: the box sends its number and those of its data, and gets those here. `own` has
-- for each chain [number, hash in hex] of links aboard, at most 64: the newest, the one before,
-- then 2, 4, 8 ... before it, and the first. The answer names for each chain
--   common   the highest of these numbers whose link is here; 0 for none
--   head     the highest number here; above common when another branch is here
--   lacking  of segments up to common: first and last number of runs without payload, newest first
-- `own` also has [number, key] of documents of the ledger, as many at most: `head` and `statement`,
-- to which verdicts belong. `documents` names the highest of these numbers that is here, `newest`
-- the highest number here of each series, `holes` the missing numbers below it, as [series, first,
-- last], at most 64. The answer names the oldest 256 open requests, the newest 16 other boxes with
-- this ship's key seen within a day, the highest revision of this box's documents by kind, and that
-- of all the ship's boxes, above which a new one begins.

-- The line of segments that ends with a link: its branch and those before, each up to a number.
create or replace function fleet.line(own text, tip_number integer, tip_branch integer)
returns table (branch integer, upto integer)
language sql stable set search_path = pg_catalog, pg_temp as $$
  with recursive lineage (branch, upto) as (
    select tip_branch, tip_number
    union all
    select parent.branch, parent.number
    from lineage
    join fleet.branch as begun
      on begun.ship = own and begun.chain = 'segment' and begun.branch = lineage.branch
    join fleet.link as first
      on first.ship = own and first.chain = 'segment' and first.number = begun.begins
        and first.branch = begun.branch
    join fleet.link as parent
      on parent.ship = own and parent.chain = 'segment' and parent.number = first.number - 1
        and parent.hash = first.previous
  )
  select branch, upto from lineage
$$;

-- Runs of numbers without payload on the line of segments that ends with a link.
create or replace function fleet.lacking(own text, tip_number integer, tip_branch integer)
returns jsonb
language sql stable set search_path = pg_catalog, pg_temp as $$
  with runs as (
    select min(number) as low, max(number) as high
    from (
      select number, number - row_number() over (order by number) as run
      from fleet.link join fleet.line(own, tip_number, tip_branch) using (branch)
      where ship = own and chain = 'segment' and payload is null and object is null
        and number <= upto
    ) as numbered
    group by run
    order by low desc limit 64
  )
  select coalesce(jsonb_agg(jsonb_build_array(low, high) order by low desc), '[]') from runs
$$;

create or replace function fleet.chain_here(own text, of_chain text, aboard jsonb) returns jsonb
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  common record;
  head integer;
begin
  if jsonb_typeof(aboard) <> 'array' or jsonb_array_length(aboard) > 64 then
    perform fleet.refuse('22023', format('own.%s: expected at most 64 of [number, hash]',
      of_chain));
  end if;
  select link.number, link.branch into common
  from jsonb_array_elements(aboard) as locator
  join fleet.link on link.ship = own and link.chain = of_chain
    and link.number = (locator ->> 0)::integer and link.hash = decode(locator ->> 1, 'hex')
  order by link.number desc limit 1;
  select max(number) into head from fleet.branch where ship = own and chain = of_chain;
  return jsonb_build_object('common', coalesce(common.number, 0), 'head', coalesce(head, 0))
    || case when of_chain = 'segment'
      then jsonb_build_object('lacking', fleet.lacking(own, common.number, common.branch))
      else '{}' end;
end $$;

create or replace function fleet.documents_here(own text, kinds text[], aboard jsonb)
returns bigint
language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  common bigint;
begin
  if jsonb_typeof(aboard) <> 'array' or jsonb_array_length(aboard) > 64 then
    perform fleet.refuse('22023', format('own.%s: expected at most 64 of [number, key]', kinds[1]));
  end if;
  select max((locator ->> 0)::bigint) into common
  from jsonb_array_elements(aboard) as locator
  where exists (
    select from fleet.document
    where ship = own and kind = any(kinds) and key = locator ->> 1
  );
  return coalesce(common, 0);
end $$;

-- The newest number, and the missing numbers below it, of a ship's signed heads and of each kind of
-- its statements.
drop function if exists fleet.document_holes(text);
create or replace function fleet.document_series(own text) returns jsonb
language sql stable set search_path = pg_catalog, pg_temp as $$
  with numbered (series, number) as (
    select 'signed head', revision from fleet.document where ship = own and kind = 'head'
    union
    select split_part(key, ' ', 1), split_part(key, ' ', 2)::bigint
    from fleet.document
    where ship = own and kind in ('statement', 'verdict') and key ~ '^[a-z]{1,20} [1-9][0-9]{0,8} '
  ),
  placed as (
    select series, number,
      lag(number, 1, 0::bigint) over (partition by series order by number) as before
    from numbered
  )
  select jsonb_build_object(
    'newest', (
      select coalesce(jsonb_object_agg(series, newest), '{}')
      from (select series, max(number) as newest from placed
        where series in ('signed head', 'key', 'head', 'verdict', 'given') group by series
      ) as ends),
    'holes', (
      select coalesce(jsonb_agg(jsonb_build_array(series, before + 1, number - 1)), '[]')
      from (select * from placed where number > before + 1
        order by series, number limit 64) as holes))
$$;

create or replace function fleet.hello(instance uuid, version text, own jsonb) returns jsonb
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  me text;
begin
  if instance is null or version is null or octet_length(version) not between 1 and 64 then
    perform fleet.refuse('22023', 'instance and version: expected a UUID and 1 to 64 bytes');
  elsif jsonb_typeof(own) is distinct from 'object' then
    perform fleet.refuse('22023', 'own: expected an object');
  end if;
  me := fleet.own_ship(null);
  -- Limited, because each query of the fleet reads all boxes. A ship has a handful in its life; a
  -- thief could add millions.
  if not exists (select from fleet.instance where ship = me and instance = hello.instance)
    and 1000 <= (select count(*) from fleet.instance where ship = me) then
    perform fleet.refuse('54000', 'instance: 1000 boxes are here, expected one of them');
  end if;
  insert into fleet.instance as box (ship, instance, version, address, first_seen, last_seen)
  values (me, instance, version, inet_client_addr(), fleet.spoken(), fleet.spoken())
  on conflict (ship, instance) do update
    set version = excluded.version, last_seen = excluded.last_seen, address = excluded.address
    where box.last_seen <= excluded.last_seen;
  return jsonb_build_object(
    'now_ms', floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
    'chains', (
      select jsonb_object_agg(chain, fleet.chain_here(me, chain, coalesce(own -> chain, '[]')))
      from unnest(array['segment', 'event', 'audit']) as chain),
    'documents', jsonb_build_object(
      'head', fleet.documents_here(me, array['head'], coalesce(own -> 'head', '[]')),
      'statement', fleet.documents_here(me, array['statement', 'verdict'],
        coalesce(own -> 'statement', '[]'))),
    'requests', (
      select coalesce(jsonb_agg(jsonb_build_object('id', id, 'wanted', wanted) order by id), '[]')
      from (select id, wanted from fleet.open_request where ship = me
        order by id limit 256) as oldest),
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object('instance', instance, 'version', version,
        'address', host(address),
        'last_seen_ms', floor(extract(epoch from last_seen) * 1000)::bigint)), '[]')
      from (select * from fleet.instance where ship = me and instance <> hello.instance
        and last_seen > clock_timestamp() - interval '1 day'
        order by last_seen desc limit 16) as newest),
    'revisions', (
      select coalesce(jsonb_object_agg(kind, newest), '{}')
      from (select kind, max(revision) as newest from fleet.document
        where ship = me and instance = hello.instance group by kind) as kinds),
    'revision', (select coalesce(max(revision), 0) from fleet.document where ship = me))
    || fleet.document_series(me);
end $$;
