-- Gives a ship back the segments that its box lost: the only function that returns stored data. A
-- box restored from a backup names a segment that it has, by number and hash, and gets the ship's
-- next segment, after a number and a hash, that isn't on the line up to the named one; no row at
-- the end. The ship's key alone opens nothing: without a known hash no segment is returned, and
-- never one of the named segment's own line. A thief with the key could begin a branch at the first
-- number, so a named segment opens only branches that parted from its own line.

-- The branches of segments with a common link with the line up to a link.
create or replace function fleet.related_branches(own text, tip_number integer, tip_branch integer)
returns integer[]
language sql stable set search_path = pg_catalog, pg_temp as $$
  with recursive related (branch) as (
    select branch from fleet.line(own, tip_number, tip_branch)
    union
    select begun.branch
    from related
    join fleet.branch as begun on begun.ship = own and begun.chain = 'segment'
    join fleet.link as first
      on first.ship = own and first.chain = 'segment' and first.number = begun.begins
        and first.branch = begun.branch
    join fleet.link as parent
      on parent.ship = own and parent.chain = 'segment' and parent.number = first.number - 1
        and parent.hash = first.previous and parent.branch = related.branch
  )
  select array_agg(branch) from related
$$;

create or replace function fleet.lost_segment(
  own_number integer, own_hash bytea, after_number integer, after_hash bytea
) returns table (
  number integer, hash bytea, previous bytea, body bytea, digest bytea, payload bytea, object text
)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
#variable_conflict use_column
declare
  own text;
  own_branch integer;
  related integer[];
begin
  own := fleet.own_ship(null);
  select branch into own_branch from fleet.link
  where ship = own and chain = 'segment' and number = own_number and hash = own_hash;
  if own_branch is null then
    perform fleet.refuse('FL001', format('segment %s: not here with this hash', own_number));
  elsif after_number is null or after_hash is null then
    perform fleet.refuse('22023', 'after_number and after_hash: expected, got null');
  end if;
  related := fleet.related_branches(own, own_number, own_branch);
  return query
    select link.number, link.hash, link.previous, link.body, link.digest, link.payload,
      link.object
    from fleet.link
    where ship = own and chain = 'segment' and (number, hash) > (after_number, after_hash)
      and link.branch = any(related)
      and not exists (
        select from fleet.line(own, own_number, own_branch) as line
        where line.branch = link.branch and link.number <= line.upto
      )
    order by number, hash limit 1;
end $$;
