-- Everything that is made of readings, to be proven by its checksums (derived.ts).

-- name: derived.rows
-- Some rows of a table of a derivation, whose name is put in.
select * from TABLE limit $limit offset $skip;

-- name: derived.count
select count(*) as count from TABLE;
