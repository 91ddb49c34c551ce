import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Candidate } from '../../src/model/domain/domain.ts';
import { importSource, type SourceRunResult } from '../../src/sources/import-source.ts';
import { createFileSource, FileSourceSettings } from '../../src/sources/kinds/file.ts';
import { selectHtmlInThread } from './select-html-in-thread.ts';

/** Writes a file with this name and content, and imports it. */
export async function importFile(
  name: string,
  content: string | Buffer,
  settings: Partial<FileSourceSettings> = {},
): Promise<{ domains: string[]; software: (string | null)[]; report: SourceRunResult }> {
  const folder = mkdtempSync(join(tmpdir(), 'source-'));
  try {
    writeFileSync(join(folder, name), content);
    return await importPath(join(folder, name), settings);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Imports an existing file. @throws the error of the run if nothing could be read. */
export async function importPath(path: string, settings: Partial<FileSourceSettings> = {}) {
  const source = createFileSource(FileSourceSettings.parse({ type: 'file', path, ...settings }), {
    allowSuffixes: ['example'],
  });
  const domains: string[] = [];
  const software: (string | null)[] = [];
  const enter = (candidates: readonly Candidate[]) => {
    domains.push(...candidates.map(({ domain }) => domain));
    software.push(...candidates.map(({ software }) => software));
  };
  const context = {
    http: null,
    previous: null,
    selectHtml: selectHtmlInThread,
    signal: new AbortController().signal,
    now: Date.now,
  };
  const { result: report, error } = await importSource(source, { enter, maxReportedRefusals: 100, context });
  if (error !== null) throw error;
  return { domains, software, report };
}
