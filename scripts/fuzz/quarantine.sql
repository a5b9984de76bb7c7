-- What the quarantine holds beside hashes and counts: bounded by quarantine.max_bytes.
select coalesce(sum(length(payload)), 0) from quarantine;
