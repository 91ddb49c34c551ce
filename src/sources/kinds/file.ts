import { extname } from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as z from 'zod';
import type { DomainOptions } from '../../model/domain/parse-domain.ts';
import { findJsonFault } from '../../model/text/json-fault.ts';
import { csvItems } from '../formats/csv-items.ts';
import { jsonItems } from '../formats/json-items.ts';
import { textItems } from '../formats/read-item.ts';
import { decodeText } from '../formats/utf8.ts';
import { NoRegularFileError, readLines, readRegularFile, statRegularFile } from '../regular-file.ts';
import { type Source, type SourceEnd, SourceError, type SourceItem } from '../source.ts';
import { commonSourceSettings, listedSoftware } from './source-settings.ts';

export const FileSourceSettings = z
  .strictObject({
    ...commonSourceSettings,
    type: z.literal('file').describe('A file of domains.'),
    path: z.string().min(1).describe('The file. A relative path starts at the folder of the settings file.'),
    format: z
      .enum(['text', 'json', 'csv'])
      .optional()
      .describe(
        'text: one domain or URL per line, # comments. json: a list of strings or objects. csv: with or without a header. Default: by the extension .json or .csv, else text.',
      ),
    key: z
      .string()
      .min(1)
      .default('domain')
      .describe('The key of a JSON object or the CSV column that contains the domain.'),
    software: listedSoftware,
    softwareKey: z
      .string()
      .min(1)
      .optional()
      .describe('The dotted path in a JSON object or the CSV column that contains the software.'),
  })
  .superRefine(({ path, format = formatOf(path), softwareKey }, context) => {
    if (format === 'text' && softwareKey !== undefined)
      context.addIssue({
        code: 'custom',
        path: ['softwareKey'],
        message:
          'no value for a text file, which has neither keys nor columns: "software" sets the software of all its domains',
      });
  })
  .describe('Domains from a file.');
export type FileSourceSettings = z.infer<typeof FileSourceSettings>;

export function createFileSource(settings: Readonly<FileSourceSettings>, options: DomainOptions): Source {
  const { path } = settings;
  const fail = (problem: string, cure: string, cause?: unknown) =>
    new SourceError(`The source file ${path}`, problem, cure, { cause });
  return {
    type: 'file',
    key: settings.id ?? `file ${path}`,
    label: path,
    host: null,
    async *read({ previous, signal }) {
      try {
        const { size, mtimeMs } = await statRegularFile(path);
        const end: SourceEnd = {
          outcome: 'complete',
          why: null,
          etag: `${size}-${mtimeMs}`,
          lastModified: null,
          requests: 0,
          bytes: size,
        };
        if (previous?.etag === end.etag) return { ...end, outcome: 'unchanged', bytes: 0 };
        const why = yield* readItems(settings, options, fail, signal);
        return why === null ? end : { ...end, outcome: 'partial', why, etag: null };
      } catch (error) {
        if (error instanceof SourceError || signal.aborted) throw error;
        if (error instanceof NoRegularFileError)
          throw fail(`cannot be read: it is ${error.kind}`, 'set its "path" to a regular file', error);
        throw fail(`cannot be read: ${describeError(error)}`, 'correct its "path" in "sources" of the settings', error);
      }
    },
  };
}

/** @returns why the file ended early; null when it was read completely. */
async function* readItems(
  { path, key, softwareKey, software, format = formatOf(path) }: Readonly<FileSourceSettings>,
  options: DomainOptions,
  fail: (problem: string, cure: string) => SourceError,
  signal: AbortSignal,
): AsyncGenerator<SourceItem, string | null> {
  if (format === 'text') yield* textItems(readLines(path, signal), options, software);
  else if (format === 'csv')
    yield* csvItems(readLines(path, signal), { keys: [key], softwareKey, software }, options, fail);
  else {
    const locateError = () => locateJsonError(path);
    return yield* jsonItems(readRegularFile(path, signal), {
      key,
      softwareKey,
      software,
      domains: options,
      fail,
      locateError,
    });
  }
  return null;
}

/** Larger files are not read a second time to locate an error. */
const MAX_LOCATE_BYTES = 16_777_216;

async function locateJsonError(path: string): Promise<string | null> {
  if ((await statRegularFile(path)).size > MAX_LOCATE_BYTES) return null;
  const fault = findJsonFault(decodeText(await buffer(readRegularFile(path))));
  return fault === null ? null : `expected ${fault.expected} at line ${fault.line}, column ${fault.column}`;
}

function formatOf(path: string): 'text' | 'json' | 'csv' {
  const extension = extname(path).toLowerCase();
  return extension === '.json' ? 'json' : extension === '.csv' ? 'csv' : 'text';
}

const ERRORS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  ENOTDIR: 'a part of the path is not a folder',
  EACCES: 'this user may not read it',
  EPERM: 'this user may not read it',
  ELOOP: 'it is a link to itself',
};

function describeError(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ERRORS[code] ?? (error instanceof Error ? error.message : String(error));
}
