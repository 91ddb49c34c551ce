import { z } from 'zod';
import { mediaTypeOf } from '../../directory/media-type.ts';
import { type Answer, CACHE_ONE_MINUTE } from '../answers/answer.ts';
import { pathNotFound } from '../answers/problems.ts';
import type { ApiContext } from '../api-context.ts';
import { type EndpointRequest, endpoint } from '../endpoint.ts';
import { file, RATE_LIMITED } from '../openapi/responses.ts';

const FileName = z
  .string()
  .meta({ description: 'A file that `manifest.json` or `history/index.json` lists, or `manifest.json`.' });
const common = {
  tag: 'directory',
  query: z.strictObject({}),
  responses: { ...file('The file.'), ...RATE_LIMITED },
} as const;

/** `GET /instances.json`, `/feed.atom`, ...: a file of the last export. */
export const exportedFile = endpoint({
  ...common,
  path: '/{file}',
  operationId: 'getExportedFile',
  summary: 'A file of the last export, such as `instances.json` or `feed.atom`; `manifest.json` lists all files.',
  example: '/instances.json',
  parameters: z.object({ file: FileName }),
  answer: (request, context) => answerFile(request.parameters.file ?? '', request, context),
});

/** `GET /visits/2026-01.parquet`, ...: a file in a folder of the last export. */
export const exportedFilesInFolders = (
  [
    ['schema', 'getExportedSchema', 'The JSON Schema of an exported file.', 'instances.json'],
    ['visits', 'getExportedVisits', 'The visits of a month, as Parquet or compressed CSV.', '2026-01.parquet'],
    [
      'history',
      'getExportedHistory',
      'The instances as published on a day, or the index of these files.',
      'index.json',
    ],
    ['usage', 'getExportedUsage', 'The usage counts of a month, as Parquet or compressed CSV.', '2026-01.parquet'],
  ] as const
).map(([folder, operationId, summary, name]) =>
  endpoint({
    ...common,
    ...{ path: `/${folder}/{file}`, operationId, summary, example: `/${folder}/${name}` },
    parameters: z.object({ file: FileName }),
    answer: (request, context) => answerFile(`${folder}/${request.parameters.file}`, request, context),
  }),
);

/** Whether `Accept-Encoding` allows gzip. */
const ACCEPTS_GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;

function answerFile(
  name: string,
  { request: { method, headers } }: EndpointRequest<unknown, unknown>,
  { findExportedFile }: ApiContext,
): Answer {
  const plain = findExportedFile(name);
  if (plain === null) throw pathNotFound();
  const acceptsGzip = ACCEPTS_GZIP.test(String(headers['accept-encoding'] ?? ''));
  const compressed = acceptsGzip ? findExportedFile(`${name}.gz`) : null;
  const found = compressed ?? plain;
  const isHead = method === 'HEAD';
  return {
    status: 200,
    type: mediaTypeOf(name),
    cacheControl: CACHE_ONE_MINUTE,
    etag: plain.etag,
    headers: {
      ...(compressed === null ? {} : { 'content-encoding': 'gzip' }),
      ...(isHead ? { 'content-length': String(found.bytes) } : {}),
    },
    body: isHead ? Buffer.alloc(0) : found.read(),
  };
}
