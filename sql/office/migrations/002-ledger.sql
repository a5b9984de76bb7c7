-- Statements of a ship's ledger, and its signed heads: documents whose key is made of their own
-- SHA-256, so that none is ever another.
alter table fleet.document drop constraint document_kind_check;
alter table fleet.document add constraint document_kind_check check (kind in (
  'report', 'hour', 'alarm', 'verdict', 'lamp', 'forecast', 'void', 'head', 'statement', 'setting',
  'answer'
));
-- The newest operation of each of 5,000 ships is read at once.
create index document_verdict on fleet.document (ship, (body ->> 'end') desc)
  where kind = 'verdict' and body ->> 'verdict' is not null;
