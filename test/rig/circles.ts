// Circles among imports: modules that lead back to themselves. The search is Tarjan's: each circle
// is a strongly connected part of the graph, and is found once, whatever the number of ways in it.

/** From each module to those that it imports; names that are no key are ignored. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** The members of each circle, sorted; a module that imports itself is one. */
export function circlesOf(graph: ImportGraph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: (readonly string[])[] = [];
  const isOpen = new Set<string>();

  const visit = (module: string): number => {
    const number = order.size;
    order.set(module, number);
    open.push(module);
    isOpen.add(module);
    let low = number;
    for (const next of graph.get(module) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (isOpen.has(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === number) close(module);
    return low;
  };
  const close = (module: string): void => {
    const members = open.splice(open.indexOf(module));
    for (const member of members) isOpen.delete(member);
    if (members.length > 1 || graph.get(module)?.includes(module)) circles.push(members.sort());
  };
  for (const module of graph.keys()) if (!order.has(module)) visit(module);
  return circles;
}
