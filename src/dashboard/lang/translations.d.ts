// A translation is loaded in parts, which Vite makes of its file: the areas of the first script, of
// the other pages, of the office's page.

declare module "*.json?first" {
  const areas: import("./area.ts").Areas;
  export default areas;
}

declare module "*.json?pages" {
  const areas: import("./area.ts").Areas;
  export default areas;
}

declare module "*.json?fleet" {
  const areas: import("./area.ts").Areas;
  export default areas;
}
