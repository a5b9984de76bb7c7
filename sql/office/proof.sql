-- Statements that prove the office's data.

-- name: office.functions
select proname as name, prosrc as definition, prosecdef as is_definer,
  coalesce(array_to_string(proconfig, chr(10)), '') as settings
from pg_proc where pronamespace = to_regnamespace('fleet');

-- name: office.views
-- The views of the schema, and those made for the comparison.
select relname as name, pg_get_viewdef(oid) as definition,
  relnamespace = pg_my_temp_schema() as is_made
from pg_class
where relkind = 'v' and relnamespace in (to_regnamespace('fleet'), pg_my_temp_schema());

-- name: office.foreign
-- Objects that aren't part of the schema and may change rows on their way.
select 'trigger' as what, tgname as name, tgrelid::regclass::text as relation
from pg_trigger join pg_class on pg_class.oid = tgrelid
where relnamespace = to_regnamespace('fleet') and not tgisinternal
union all
select 'rule', rulename, ev_class::regclass::text from pg_rewrite
join pg_class on pg_class.oid = ev_class
where relnamespace = to_regnamespace('fleet') and rulename <> '_RETURN'
union all
select 'policy', polname, polrelid::regclass::text from pg_policy
join pg_class on pg_class.oid = polrelid where relnamespace = to_regnamespace('fleet')
union all
select 'row security', 'of its owner', oid::regclass::text from pg_class
where relnamespace = to_regnamespace('fleet') and relrowsecurity
union all
select 'setting', setting, 'the database' from pg_db_role_setting, unnest(setconfig) as setting
where setdatabase = (select oid from pg_database where datname = current_database())
  -- PostgreSQL's own names come first, unless they are listed behind others.
  and setting like 'search_path=%pg_catalog%' and setting not like 'search_path=pg_catalog%'
order by 1, 3, 2;

-- name: office.migrations
select count(*)::integer as count, max(version)::integer as newest from fleet.migration;

-- name: office.unknown_boxes
-- Boxes that delivered data of a ship but aren't listed as its boxes.
select distinct instance from (
  select instance from fleet.document where ship = $1
  union select instance from fleet.branch where ship = $1
  union select begun_by from fleet.branch where ship = $1
) as told
where not exists (
  select from fleet.instance where ship = $1 and instance.instance = told.instance
) order by instance;

-- name: office.same_ledger
-- Other ships that have delivered a statement about a key of this ship's ledger.
select distinct other.ship from fleet.document as own
join fleet.document as other on other.kind = 'statement' and starts_with(other.key, 'key ')
  and other.key = own.key and other.ship <> own.ship
where own.ship = $1 and own.kind = 'statement' and starts_with(own.key, 'key ') order by other.ship;

-- name: office.unproven_kinds
-- Number of documents of each kind that no signed head and no hash covers.
select kind, count(*)::integer as count from fleet.document
where ship = $1 and kind not in ('head', 'statement', 'verdict', 'hour')
group by kind order by kind;

-- name: office.seen
-- Names of all data of a ship that is here, to be remembered.
select 'link' as what, chain || ' ' || number || ' ' || encode(hash, 'hex') as name
from fleet.branch where ship = $1
union all
select 'document', case kind
    when 'head' then 'the signed head ' || left(key, 16)
    when 'report' then 'the report of the box ' || instance
    else left(key, length(key) - 48)
  end
from fleet.document where ship = $1 and kind in ('head', 'statement', 'verdict', 'report')
union all
select 'payload', number::text from fleet.link
where ship = $1 and chain = 'segment' and (payload is not null or object is not null)
union all
select 'hour', key from fleet.document where ship = $1 and kind = 'hour'
order by 1, 2;

-- name: office.links_gone
-- The given links, by chain, number and hash, that aren't here.
select name from jsonb_array_elements_text($2) as name
where not exists (
  select from fleet.link where ship = $1 and chain = split_part(name, ' ', 1)
    and number = split_part(name, ' ', 2)::integer
    and hash = decode(split_part(name, ' ', 3), 'hex')
);
