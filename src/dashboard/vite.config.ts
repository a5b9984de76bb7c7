// Builds the onboard page into static files that the program serves itself. The pages allow only
// their own origin (default-src 'self'), so nothing is inlined; tablets aboard are old, so the
// output is for browsers of 2020.

import path from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: path.join(import.meta.dirname, "..", "..", "dist", "dashboard"),
    emptyOutDir: true,
    target: ["es2019", "chrome80", "safari13.1"],
    // A data: URL would be refused by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // On a busy machine every plugin is slow, and a warning fails the build.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
