// Stands in the bundles for readable-stream, a copy of Node's own streams for older Nodes and for
// browsers.

module.exports = require("node:stream");
