-- Statements that prove the office's data.

-- name: office.migrations
select array_agg(version order by version) as versions from fleet.migration;

-- name: office.unknown_ships
-- Ships of rows that no ship of the fleet has delivered.
select distinct ship from (
  select ship from fleet.link union select ship from fleet.document
  union select ship from fleet.branch union select ship from fleet.instance
  union select ship from fleet.request
) as told
where not exists (select from fleet.ship where ship.ship = told.ship) order by ship;

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

-- name: office.unproven_rows
-- Number of rows beside a ship's documents and links.
select 'boxes' as kind, count(*)::integer as count from fleet.instance where ship = $1
union all
select 'requests', count(*)::integer from fleet.request where ship = $1
order by kind;

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
