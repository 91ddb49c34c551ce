import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The files of an export folder that are not whole. Files in the middle of being written have hidden names and do not count. */
export function brokenFiles(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isWhole(path, readFileSync(path)));
}

function isWhole(name: string, body: Buffer): boolean {
  try {
    if (name.endsWith('.gz')) return isWhole(name.slice(0, -'.gz'.length), gunzipSync(body));
    // A Parquet file ends in its footer, and that in the mark it begins with.
    if (name.endsWith('.parquet'))
      return [body.subarray(0, 4), body.subarray(-4)].every((mark) => `${mark}` === 'PAR1');
    const text = body.toString();
    if (text === '') return /\.(?:ndjson|txt)$/.test(name);
    if (name.endsWith('.ndjson')) for (const line of text.trimEnd().split('\n')) JSON.parse(line);
    if (name.endsWith('.json')) JSON.parse(text);
    return text.endsWith('\n');
  } catch {
    return false;
  }
}
