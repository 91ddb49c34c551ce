import { readFileSync } from 'node:fs';

/** The version from package.json, which is in the parent folder of both `src` and `dist`. */
export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
