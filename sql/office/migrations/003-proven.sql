-- The proof of a verdict by `ballastd fleet verify --record`: 2 in the tree of the ship's newest
-- signed head, 1 in one that she has left since. Null: not proven, as far as the office noted.
alter table fleet.document add column proven smallint;
-- One ledger under two ships.
create index document_ledger_key on fleet.document (key)
  where kind = 'statement' and starts_with(key, 'key ');
create index document_verdict_proven on fleet.document (ship, (body ->> 'end') desc)
  where kind = 'verdict' and body ->> 'verdict' is not null and proven is not null;
