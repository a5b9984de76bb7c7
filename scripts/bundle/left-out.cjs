// Stands in the bundles for packages that a library loads and ballastd never uses;
// scripts/bundle.ts names them, and says why.

module.exports = {};
