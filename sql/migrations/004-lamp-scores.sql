-- How the forecasts of lamps that ended turned out, summed up for each lamp when it has ended:
-- JSON, compressed with zstd. A lamp is known by the position where it was first and when it was
-- fitted.
create table lamp_score (
  position integer not null,
  began_ms integer not null,
  score blob not null,
  primary key (position, began_ms)
);
