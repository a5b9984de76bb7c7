-- Interface B's plants.

-- name: plant.at
select name, tag from plant where id = $id;

-- name: plant.add
insert into plant (id, name, tag) values ($id, $name, $tag);
