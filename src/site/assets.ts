import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

export type AssetName = 'site.css' | 'site.js' | 'icon' | 'logo' | 'picture';

export interface Asset {
  /** Its name below `assets/`. */
  readonly file: string;
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
  'data',
  'print',
];

export type Assets = Readonly<Record<AssetName, Asset>>;

const ICON = createAsset('favicon.svg', 'image/svg+xml', ours('favicon.svg'));

/** The files that pages share, as long as the settings name no others. */
export const ASSETS: Assets = {
  'site.css': styleSheet(STYLES.map((name) => ours(`css/${name}.css`))),
  'site.js': createAsset(
    'site.js',
    'text/javascript; charset=utf-8',
    Buffer.concat(['filter.js', 'live.js', 'charts.js', 'copy.js'].map(ours)),
  ),
  icon: ICON,
  logo: ICON,
  picture: createAsset('picture.png', 'image/png', ours('picture.png')),
};

export function styleSheet(parts: readonly Buffer[]): Asset {
  return createAsset('site.css', 'text/css; charset=utf-8', Buffer.concat(parts));
}

export function createAsset(file: string, type: string, bytes: Buffer): Asset {
  return { file, type, bytes, digest: createHash('sha256').update(bytes).digest('hex').slice(0, 10) };
}

/** @param name below `assets/`. */
function ours(name: string): Buffer {
  return readFileSync(new URL(`./assets/${name}`, import.meta.url));
}
