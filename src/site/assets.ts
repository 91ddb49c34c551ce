import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export type AssetName = 'site.css' | 'filter.js' | 'favicon.svg';

interface Asset {
  readonly type: string;
  readonly bytes: Buffer;
  /** Part of the URL, which therefore changes with the content. */
  readonly digest: string;
}

/** The files that all pages share, and the only ones they load. */
export const ASSETS: Readonly<Record<AssetName, Asset>> = {
  'site.css': readAsset('site.css', 'text/css; charset=utf-8'),
  'filter.js': readAsset('filter.js', 'text/javascript; charset=utf-8'),
  'favicon.svg': readAsset('favicon.svg', 'image/svg+xml'),
};

function readAsset(name: string, type: string): Asset {
  const bytes = readFileSync(new URL(`./assets/${name}`, import.meta.url));
  return { type, bytes, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 10) };
}
