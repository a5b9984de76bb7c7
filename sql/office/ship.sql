-- Statements of a ship's box, each a call of one function.

-- name: ship.hello
-- Null from a standby, where no hello is possible.
select pg_is_in_recovery() as is_standby,
  case when not pg_is_in_recovery() then fleet.hello($1, $2, $3) end as hello;

-- name: ship.link
select fleet.put_link($1, $2, $3, $4, $5, $6, $7, $8);

-- name: ship.payload
select fleet.put_payload($1, $2, $3, $4, $5);

-- name: ship.object
select fleet.put_object($1, $2, $3);

-- name: ship.document
select fleet.put_document($1, $2, $3, $4, $5);

-- name: ship.lost_segment
select number, hash, previous, body, digest, payload, object
from fleet.lost_segment($1, $2, $3, $4);
