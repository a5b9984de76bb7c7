-- The function with which a ship sends documents, which may change; its error codes are those of
-- put_link.

-- Refuses a document of the ledger that doesn't match its key: for a signed head the SHA-256 of its
-- checkpoint; for a statement or a verdict the text of its leaf, which ends with the content's
-- SHA-256. The content of a verdict is compressed, so only `ballastd fleet verify` can compare it.
create or replace function fleet.check_ledger(kind text, key text, body jsonb) returns void
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  named text;
begin
  named := case
    when kind = 'head' then body ->> 'checkpoint'
    when kind = 'statement' and key ~ '^[a-z]+ [1-9][0-9]{0,8} [0-9a-f]{64}$'
      then body ->> 'content'
  end;
  if kind = 'verdict' and key ~ '^verdict [1-9][0-9]{0,8} [0-9a-f]{64}$' then
    return;
  elsif encode(sha256(convert_to(named, 'UTF8')), 'hex') is distinct from right(key, 64)
    or (kind = 'head' and length(key) <> 64) then
    perform fleet.refuse('FL002', format('%s %s: the document isn''t what its key names', kind,
      quote_literal(left(key, 90))));
  end if;
end $$;

-- Stores a document; a revision that isn't higher changes nothing. A document of the ledger never
-- changes.
create or replace function fleet.put_document(
  instance uuid, kind text, key text, revision bigint, body jsonb
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  -- Smaller for a report, because each query of the fleet reads all ships' reports.
  body_max constant integer := 1024 * case kind when 'report' then 64 else 256 end;
  -- No clock shows such a time in ms. Above it a revision may only be a little higher than the
  -- highest stored one. Otherwise somebody who once had a ship's key could leave its box no higher
  -- revision that is an exact number.
  revision_max constant bigint := 1000000000000000;
  ledger_kinds constant text[] := array['head', 'statement', 'verdict'];
  own text;
begin
  if instance is null or kind is null or key is null or revision is null or body is null then
    perform fleet.refuse('22023', 'instance, kind, key, revision and body: expected, got null');
  elsif octet_length(key) not between 1 and 200 then
    perform fleet.refuse('22023', 'key: expected 1 to 200 bytes');
  elsif kind = 'report' and key <> 'now' then
    perform fleet.refuse('22023', format('key %s: expected now, of a report',
      quote_literal(left(key, 40))));
  elsif revision < 0 then
    perform fleet.refuse('22023', format('revision %s: expected 0 or more', revision));
  elsif jsonb_typeof(body) <> 'object' or octet_length(body::text) > body_max then
    perform fleet.refuse('22023', format('body: expected an object of at most %s bytes', body_max));
  elsif kind = any(ledger_kinds) then
    perform fleet.check_ledger(kind, key, body);
  end if;
  own := fleet.own_ship(instance);
  if revision > revision_max and revision - 1000000 > coalesce((
    select max(revision) from fleet.document where ship = own
  ), 0) then
    perform fleet.refuse('22023', format('revision %s: expected at most %s', revision,
      revision_max));
  end if;
  insert into fleet.document as stored (ship, kind, key, instance, revision, body, received)
  values (own, kind, key, instance, revision, body, fleet.spoken())
  on conflict (ship, kind, key, instance) do update
    set revision = excluded.revision, body = excluded.body, received = excluded.received
    where stored.revision < excluded.revision and excluded.kind <> all(ledger_kinds);
exception when check_violation then
  raise exception using errcode = '22023', message = format('kind %s: expected report, hour, '
    'alarm, verdict, lamp, forecast, void, head, statement, setting or answer',
    quote_nullable(left(kind, 40)));
end $$;
