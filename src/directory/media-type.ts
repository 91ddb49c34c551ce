import { extname } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.json': 'application/json; charset=utf-8',
  '.ndjson': 'application/x-ndjson; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.cff': 'application/yaml; charset=utf-8',
  '.atom': 'application/atom+xml; charset=utf-8',
  '.gz': 'application/gzip',
  '.parquet': 'application/vnd.apache.parquet',
};

export function mediaTypeOf(name: string): string {
  return TYPES[extname(name)] ?? 'application/octet-stream';
}
