import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export type AssetName = 'site.css' | 'filter.js' | 'favicon.svg';

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Part of the URL, which therefore changes with the content. */
  readonly digest: string;
}

/** Concatenated in this order into `site.css`. */
const STYLES = [
  'base',
  'frame',
  'blocks',
  'charts',
  'directory',
  'domain',
  'check',
  'crawler',
  'api',
  'instance',
  'print',
];

/** The files that pages share. */
export const ASSETS: Readonly<Record<AssetName, Asset>> = {
  'site.css': asset(
    'text/css; charset=utf-8',
    STYLES.map((name) => `css/${name}.css`),
  ),
  'filter.js': asset('text/javascript; charset=utf-8', ['filter.js']),
  'favicon.svg': asset('image/svg+xml', ['favicon.svg']),
};

/** @param files below `assets/`; their contents are concatenated. */
function asset(type: string, files: readonly string[]): Asset {
  const bytes = Buffer.concat(files.map((name) => readFileSync(new URL(`./assets/${name}`, import.meta.url))));
  return { type, bytes, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 10) };
}
