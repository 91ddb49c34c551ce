import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Tree } from './house-rules.ts';

const src = join(import.meta.dirname, '../../src');

/** Reads the product's sources. */
export function readTree(): Tree {
  const paths = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((path) => /\.[cm]?tsx?$/.test(path));
  return Object.fromEntries(paths.map((path) => [path.split(sep).join('/'), readFileSync(join(src, path), 'utf8')]));
}
