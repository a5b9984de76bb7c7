// Refuses a Node that is too old, with one plain line. It is the first import of what is started,
// so that it runs before anything that needs a new Node is loaded: the database's addon does not
// throw on an old one, it ends the process with a segmentation fault. The bundle is compiled to
// syntax that older versions can parse (scripts/bundle.ts), or this line would never be reached.

/** Major version of Node by package.json, inserted by the bundler. */
declare const NODE_MAJOR: number;

// 0 from the sources, which need no check: an older Node can't read TypeScript.
const MAJOR_MIN = typeof NODE_MAJOR === "number" ? NODE_MAJOR : 0;

if (Number(process.versions.node.split(".")[0]) < MAJOR_MIN) {
  process.stderr.write(
    `ballastd: this is Node ${process.versions.node}, expected Node ${MAJOR_MIN} or later\n`,
  );
  process.exit(1);
}
