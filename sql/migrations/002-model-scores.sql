-- How the forecasts of lamps that ended turned out, apart by the version of their model: of each
-- lamp that ended, which is known by the position (0 to 15) where it was first, and by when it was
-- fitted. `basis` has the facts that a score rests on. `tallies` is JSON: by version sums over its
-- forecasts, and how many were off by so many tenths of an hour. Scores are made again of the
-- forecasts.
drop table lamp_score;
create table lamp_score (
  position integer not null,
  began_ms integer not null,
  basis text not null,
  end_h real not null,
  through_ms integer,
  tallies text not null,
  checksum integer not null,
  primary key (position, began_ms)
) without rowid;
