import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** Incomplete files of an export folder. Files that are still being written have hidden names and are skipped. */
export function brokenFiles(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isComplete(path, readFileSync(path)));
}

function isComplete(path: string, body: Buffer): boolean {
  try {
    if (path.endsWith('.gz')) return isComplete(path.slice(0, -'.gz'.length), gunzipSync(body));
    // A Parquet file starts and ends with the same magic bytes.
    if (path.endsWith('.parquet'))
      return [body.subarray(0, 4), body.subarray(-4)].every((magic) => `${magic}` === 'PAR1');
    const text = body.toString();
    if (text === '') return /\.(?:ndjson|txt)$/.test(path);
    if (path.endsWith('.ndjson')) for (const line of text.trimEnd().split('\n')) JSON.parse(line);
    if (path.endsWith('.json')) JSON.parse(text);
    return text.endsWith('\n');
  } catch {
    return false;
  }
}
