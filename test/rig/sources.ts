// The project's own files as the tidiness tests see them: all texts, and of each TypeScript file
// what it imports and how it is built, by the parser that Vite brings along.

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";

export const root = path.resolve(import.meta.dirname, "..", "..");

/** A file of the project that is text; `path` is from the top folder, with slashes. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

export interface Module extends TextFile {
  readonly imports: readonly Import[];
  /** Functions of every kind; `lines` counts from its first to its last line. */
  readonly functions: readonly { readonly line: number; readonly lines: number }[];
  /** String literals and the fixed parts of templates. */
  readonly strings: readonly { readonly line: number; readonly text: string }[];
  /** The types it declares, exported or not. */
  readonly types: readonly { readonly line: number; readonly name: string }[];
  /** The functions and constants it exports. */
  readonly exports: readonly { readonly line: number; readonly name: string }[];
  /** The lines of `as` other than `as const`. */
  readonly casts: readonly number[];
  readonly comments: readonly Comment[];
}

/** A comment; `line` is its first. */
export interface Comment {
  readonly line: number;
  readonly text: string;
}

export interface Import {
  readonly line: number;
  /** A module's path from the top folder, or a package's name. */
  readonly from: string;
  readonly typeOnly: boolean;
}

// Not the project's: installed, built or measured.
const FOREIGN = new Set([".git", "node_modules", "dist", "out", "data", "demo-data"]);
const BINARY = /\.(png|jpg|ico|woff2)$/;

/** Every text file of the project, in order of their paths. */
export function readTexts(): readonly TextFile[] {
  return walk("")
    .filter((file) => !BINARY.test(file))
    .map(readText);
}

/** The TypeScript files, parsed. Throws if one can't be parsed. */
export function readModules(texts: readonly TextFile[]): readonly Module[] {
  return texts.filter(({ path: file }) => /\.tsx?$/.test(file)).map(readModule);
}

/** The texts that people write and read: without pages, the lock file and generated files. */
export function written(texts: readonly TextFile[]): readonly TextFile[] {
  const code = /^(src|test|scripts|sql|\.ci)\/|^[^/]+\.ts$/;
  return texts.filter(
    ({ path: file }) =>
      code.test(file) && !/\.generated\.|\.d\.json\.ts$|\.(svg|json|html)$/.test(file),
  );
}

function walk(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !FOREIGN.has(name) && !name.endsWith(".log"))
    .flatMap((entry) => {
      const file = path.posix.join(folder, entry.name);
      return entry.isDirectory() ? walk(file) : [file];
    })
    .sort();
}

function readText(file: string): TextFile {
  const text = readFileSync(path.join(root, file), "utf8");
  return { path: file, text, lines: text.replace(/\n$/, "").split("\n") };
}

function readModule(file: TextFile): Module {
  const { program, comments, errors } = parseSync(file.path, file.text);
  if (errors.length > 0) throw new Error(`${file.path}: ${errors[0]?.message}`);
  const lineOf = linesOf(file.text);
  const imports: Import[] = [];
  const functions: { line: number; lines: number }[] = [];
  const strings: { line: number; text: string }[] = [];
  const types: { line: number; name: string }[] = [];
  const exports: { line: number; name: string }[] = [];
  const casts: number[] = [];
  const suites = new Set<number>();

  const addImport = (node: ESTree.Span, specifier: string, typeOnly: boolean): void => {
    const from = resolveImport(file.path, specifier);
    imports.push({ line: lineOf(node.start), from, typeOnly });
  };
  const addType = (node: { id: { name: string; start: number } | null }): void => {
    if (node.id !== null) types.push({ line: lineOf(node.id.start), name: node.id.name });
  };
  const addFunction = (node: ESTree.Span): void => {
    if (suites.has(node.start)) return;
    const line = lineOf(node.start);
    functions.push({ line, lines: lineOf(node.end) - line + 1 });
  };
  new Visitor({
    ImportDeclaration: (node) => addImport(node, node.source.value, node.importKind === "type"),
    ExportAllDeclaration: (node) => addImport(node, node.source.value, node.exportKind === "type"),
    ExportNamedDeclaration(node) {
      if (node.source) addImport(node, node.source.value, node.exportKind === "type");
      for (const name of exported(node.declaration))
        exports.push({ line: lineOf(node.start), name });
    },
    ImportExpression(node) {
      if (node.source.type !== "Literal") return;
      addImport(node, String(node.source.value), false);
    },
    // A suite of tests is a heading, not a function that is read in one go.
    CallExpression(node) {
      if (node.callee.type !== "Identifier" || node.callee.name !== "describe") return;
      for (const argument of node.arguments) suites.add(argument.start);
    },
    TSInterfaceDeclaration: addType,
    TSTypeAliasDeclaration: addType,
    ClassDeclaration: addType,
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    Literal(node) {
      if (typeof node.value !== "string") return;
      strings.push({ line: lineOf(node.start), text: node.value });
    },
    TemplateElement(node) {
      strings.push({ line: lineOf(node.start), text: node.value.raw });
    },
    TSAsExpression({ start, end, typeAnnotation }) {
      const type = file.text.slice(typeAnnotation.start, end);
      if (type !== "const") casts.push(lineOf(start));
    },
  }).visit(program);
  return {
    ...{ ...file, imports, functions, strings, types, exports, casts },
    comments: comments.map(({ start, value }) => ({ line: lineOf(start), text: value })),
  };
}

/** The line of an offset, from 1. It is asked of every node, so no text is looked through again. */
function linesOf(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function exported(declaration: ESTree.Declaration | null): readonly string[] {
  if (declaration?.type === "FunctionDeclaration") return [declaration.id?.name ?? ""];
  if (declaration?.type !== "VariableDeclaration") return [];
  return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []));
}

function resolveImport(from: string, specifier: string): string {
  if (!specifier.startsWith(".")) return specifier;
  // Vite makes `ja.json?pages` of a part of the file.
  return path.posix.join(path.posix.dirname(from), specifier).replace(/\?\w+$/, "");
}
