// Circles among imports are found, each once, and nothing else is.

import { expect, test } from "vitest";
import { circlesOf } from "../../rig/circles.ts";

test("modules that import each other, through others too, are a circle", () => {
  const graph = new Map([
    ["main", ["one", "two"]],
    ["one", ["two"]],
    ["two", ["three"]],
    ["three", ["one", "package"]],
    ["leaf", []],
  ]);
  expect(circlesOf(graph)).toEqual([["one", "three", "two"]]);
});

test("a module that imports itself is a circle", () => {
  expect(circlesOf(new Map([["one", ["one"]]]))).toEqual([["one"]]);
});

test("a diamond is no circle, and two circles are two", () => {
  const diamond = new Map([
    ["top", ["left", "right"]],
    ["left", ["end"]],
    ["right", ["end"]],
    ["end", []],
  ]);
  expect(circlesOf(diamond)).toEqual([]);
  const pairs = new Map([
    ["a", ["b", "c"]],
    ["b", ["a"]],
    ["c", ["d"]],
    ["d", ["c"]],
  ]);
  expect(circlesOf(pairs)).toEqual([
    ["c", "d"],
    ["a", "b"],
  ]);
});
