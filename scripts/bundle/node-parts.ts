// Node and the libraries compiled into it, for the SBOM: an advisory names OpenSSL or zlib, not the
// Node that brings it. Versions are the running Node's own, which is the one that is packed.

/** A library's names for scanners. */
interface Library {
  /** As the project calls itself. */
  readonly name: string;
  /** SPDX expression. */
  readonly license: string;
  /** Package URL without its version: of the npm package, or of the project. */
  readonly purl: string;
  /** Before the version in the package URL: tags of many projects begin with v. */
  readonly tag?: string;
  /** Vendor and product in the dictionary of CPEs; without, it has none there. */
  readonly cpe?: string;
}

/** A part of Node, with its version. */
export interface NodePart {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly purl: string;
  readonly cpe: string | null;
}

const MIT = "MIT";
const github = (project: string, tag = "v") => ({ purl: `pkg:github/${project}`, tag });

/** By their names in `process.versions`. */
const LIBRARIES: Readonly<Record<string, Library>> = {
  node: { name: "node", license: MIT, purl: "pkg:generic/node", cpe: "nodejs:node.js" },
  acorn: { name: "acorn", license: MIT, purl: "pkg:npm/acorn" },
  ada: { name: "ada", license: "MIT OR Apache-2.0", ...github("ada-url/ada") },
  amaro: { name: "amaro", license: MIT, purl: "pkg:npm/amaro" },
  ares: { name: "c-ares", license: MIT, ...github("c-ares/c-ares"), cpe: "c-ares:c-ares" },
  brotli: { name: "brotli", license: MIT, ...github("google/brotli"), cpe: "google:brotli" },
  icu: {
    ...{ name: "icu", license: "Unicode-3.0", ...github("unicode-org/icu", "release-") },
    cpe: "unicode:international_components_for_unicode",
  },
  libffi: {
    name: "libffi",
    license: MIT,
    ...github("libffi/libffi"),
    cpe: "libffi_project:libffi",
  },
  lief: { name: "lief", license: "Apache-2.0", ...github("lief-project/LIEF", "") },
  llhttp: { name: "llhttp", license: MIT, ...github("nodejs/llhttp"), cpe: "llhttp:llhttp" },
  merve: { name: "merve", license: MIT, ...github("anonrig/merve") },
  nbytes: { name: "nbytes", license: MIT, ...github("nodejs/nbytes") },
  ncrypto: { name: "ncrypto", license: MIT, ...github("nodejs/ncrypto") },
  nghttp2: { name: "nghttp2", license: MIT, ...github("nghttp2/nghttp2"), cpe: "nghttp2:nghttp2" },
  nghttp3: { name: "nghttp3", license: MIT, ...github("ngtcp2/nghttp3") },
  ngtcp2: { name: "ngtcp2", license: MIT, ...github("ngtcp2/ngtcp2") },
  openssl: {
    ...{ name: "openssl", license: "Apache-2.0", purl: "pkg:generic/openssl" },
    cpe: "openssl:openssl",
  },
  simdjson: { name: "simdjson", license: "Apache-2.0 OR MIT", ...github("simdjson/simdjson") },
  simdutf: { name: "simdutf", license: "Apache-2.0 OR MIT", ...github("simdutf/simdutf") },
  sqlite: { name: "sqlite", license: "blessing", purl: "pkg:generic/sqlite", cpe: "sqlite:sqlite" },
  undici: { name: "undici", license: MIT, purl: "pkg:npm/undici", cpe: "nodejs:undici" },
  uv: { name: "libuv", license: MIT, ...github("libuv/libuv"), cpe: "libuv:libuv" },
  uvwasi: { name: "uvwasi", license: MIT, ...github("nodejs/uvwasi") },
  v8: { name: "v8", license: "BSD-3-Clause", purl: "pkg:generic/v8", cpe: "google:v8" },
  zlib: { name: "zlib", license: "Zlib", purl: "pkg:generic/zlib", cpe: "zlib:zlib" },
  zstd: {
    ...{ name: "zstd", license: "BSD-3-Clause OR GPL-2.0-only", ...github("facebook/zstd") },
    cpe: "facebook:zstandard",
  },
};

/** Numbers of interfaces, and of the data that is a part of ICU. */
const NO_LIBRARIES = new Set(["modules", "napi", "cldr", "tz", "unicode"]);

/** Node, then what is in it. Throws on a library that has no entry here. */
export function nodeParts(
  versions: Readonly<Record<string, string | undefined>> = process.versions,
): readonly NodePart[] {
  const parts: NodePart[] = [];
  for (const [key, version = ""] of Object.entries(versions)) {
    // Node lists libraries that it was built without, too, with an empty version.
    if (version === "" || NO_LIBRARIES.has(key)) continue;
    const library = LIBRARIES[key];
    if (library === undefined)
      throw new Error(`${key} ${version} is inside of Node, expected its licence in node-parts.ts`);
    const { name, license, purl, tag = "", cpe } = library;
    const at = purl.startsWith("pkg:github/") ? `${tag}${version}` : version;
    parts.push({
      ...{ name, version, license },
      purl: `${purl}@${encodeURIComponent(at)}`,
      cpe: cpe === undefined ? null : cpeOf(cpe, version),
    });
  }
  return parts;
}

/**
 * The name in the dictionary of CPEs, under the release that a library's patched copy goes by:
 * 13.6.233.17 of V8's 13.6.233.17-node.53.
 */
export function cpeOf(product: string, version: string): string {
  const release = /^[0-9a-z.]+/i.exec(version)?.[0] ?? version;
  return `cpe:2.3:a:${product}:${release}:*:*:*:*:*:*:*`;
}
