import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileSource, FileSourceSettings } from '../../src/sources/file.ts';
import { importSource, type SourceReport } from '../../src/sources/import-source.ts';

/** Writes a file of this name and content, and imports it. */
export async function importFile(
  name: string,
  content: string | Buffer,
  settings: Partial<FileSourceSettings> = {},
): Promise<{ domains: string[]; report: SourceReport }> {
  const folder = mkdtempSync(join(tmpdir(), 'source-'));
  try {
    writeFileSync(join(folder, name), content);
    return await importPath(join(folder, name), settings);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function importPath(path: string, settings: Partial<FileSourceSettings> = {}) {
  const source = createFileSource(FileSourceSettings.parse({ type: 'file', path, ...settings }), {
    allowSuffixes: ['example'],
  });
  const domains: string[] = [];
  const enter = (domain: string) => void domains.push(domain);
  const report = await importSource(source, { seen: new Set(), enter, maxListed: 100 });
  return { domains, report };
}
