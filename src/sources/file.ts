import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import * as z from 'zod';
import type { DomainOptions } from '../domain/parse-domain.ts';
import { csvItems } from './csv-items.ts';
import { jsonItems } from './json-items.ts';
import { readLines } from './read-lines.ts';
import type { Source, SourceItem } from './source.ts';
import { SourceError } from './source-error.ts';
import { textItems } from './text-items.ts';

/** What the settings say of a file source. */
export const FileSourceSettings = z
  .strictObject({
    type: z.literal('file').describe('A file of domains.'),
    path: z.string().min(1).describe("The file. A relative path is taken from the settings file's folder."),
    format: z
      .enum(['text', 'json', 'csv'])
      .optional()
      .describe(
        'text: one domain or URL a line, # comments. json: a list of strings or of objects. csv: with or without a header. Unless given, by the extension: .json, .csv, else text.',
      ),
    key: z
      .string()
      .min(1)
      .default('domain')
      .describe('Where a JSON object or a CSV row holds the domain: the key, or the name of the column.'),
  })
  .describe('Domains from a file.');
export type FileSourceSettings = z.infer<typeof FileSourceSettings>;

/** A file as a source. Text and CSV are streamed; JSON is read whole. */
export function createFileSource(settings: Readonly<FileSourceSettings>, options: DomainOptions): Source {
  const { path } = settings;
  const fail = (problem: string, cure: string, cause?: unknown) =>
    new SourceError(`The source file ${path}`, problem, cure, { cause });
  return {
    type: 'file',
    label: path,
    async *read(signal) {
      try {
        yield* items(settings, options, fail, signal);
      } catch (error) {
        if (error instanceof SourceError || signal?.aborted) throw error;
        throw fail(`cannot be read: ${faultOf(error)}`, 'correct its "path" in "sources" of the settings', error);
      }
    },
  };
}

async function* items(
  { path, key, format = formatOf(path) }: Readonly<FileSourceSettings>,
  options: DomainOptions,
  fail: (problem: string, cure: string) => SourceError,
  signal?: AbortSignal,
): AsyncGenerator<SourceItem> {
  if (format === 'text') yield* textItems(readLines(path, signal), options);
  else if (format === 'csv') yield* csvItems(readLines(path, signal), key, options, fail);
  else yield* jsonItems(new TextDecoder().decode(await readFile(path, { signal })), key, options, fail);
}

function formatOf(path: string): 'text' | 'json' | 'csv' {
  const extension = extname(path).toLowerCase();
  return extension === '.json' ? 'json' : extension === '.csv' ? 'csv' : 'text';
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'it is a link to itself',
};

function faultOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return faults[code] ?? (error instanceof Error ? error.message : String(error));
}
