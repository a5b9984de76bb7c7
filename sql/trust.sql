-- Checks that decide whether a database can be trusted.

-- name: trust.application
-- The application id; ours is 1651274612.
select application_id from pragma_application_id;

-- name: trust.pages
-- "ok", or faults of pages and trees; indexes aren't compared with their tables.
pragma quick_check(3);

-- name: trust.ends
-- The last link of each chain, which must be the chain's head.
select 'segment' as chain, (select max(id) from segment) as count,
  (select hash from segment order by id desc limit 1) as hash
union all
select 'event', (select max(id) from event), (select hash from event order by id desc limit 1)
union all
select 'audit', (select max(id) from audit), (select hash from audit order by id desc limit 1)
union all
select 'ledger', (select max(id) from ledger),
  (select substr(nodes, 1, 32) from ledger order by id desc limit 1);
