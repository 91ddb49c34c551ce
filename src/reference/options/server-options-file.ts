import { z } from 'zod';
import { AccountOptions, unknownUsernames, VideoOptions } from '../seed/options.ts';
import { cast } from '../seed/seed-accounts.ts';
import { CertificateFault, OldProtocol } from '../tls/secure-contexts.ts';
import { readJsonFile } from './json-file.ts';
import { stateSettings } from './state-settings.ts';

const seconds = z.int().min(1).max(3_153_600_000);
const limit = z.int().min(1).exactOptional();

/** Options of a reference server in a JSON file; the keys and their meaning are those of the library. */
export const ServerOptionsFile = z.strictObject({
  $schema: z.string().exactOptional().describe('Where the JSON Schema of this file is; for editors.'),
  host: z.string().min(1).exactOptional().describe('Address to listen on. Default 127.0.0.1.'),
  port: z.int().min(0).max(65_535).exactOptional().describe('Port to listen on; 0: a free one.'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
    .exactOptional()
    .describe('Base URL to claim, for a server behind a proxy. Default: where it listens.'),
  tls: z
    .union([
      z.boolean(),
      z.strictObject({
        certificate: CertificateFault.exactOptional().describe('What is wrong with the certificate.'),
        protocol: OldProtocol.exactOptional().describe('The only version of TLS that it speaks. Default: 1.2 and 1.3.'),
      }),
    ])
    .exactOptional()
    .describe('Whether it speaks TLS, with a certificate of an authority of its own. Default false.'),
  ...stateSettings,
  seed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .exactOptional()
    .describe('The same seed gives the same accounts and videos. Default 1.'),
  database: z
    .string()
    .min(1)
    .exactOptional()
    .describe(
      'A SQLite file that keeps accounts, videos, apps and tokens; made when there is none. Default: in memory.',
    ),
  lifetimes: z
    .strictObject({
      code: seconds.exactOptional().describe('Of an authorization code. Default 600.'),
      token: seconds.nullable().exactOptional().describe('Of an access token; null: for ever. Default null.'),
      session: seconds.exactOptional().describe('Of a sign-in on the consent pages. Default 86400.'),
    })
    .exactOptional()
    .describe('How long things hold. In seconds.'),
  accounts: z
    .array(AccountOptions)
    .exactOptional()
    .describe('Accounts to have beside the seeded ones, or, by username, with changes to them.'),
  videos: z
    .array(VideoOptions)
    .exactOptional()
    .describe('Videos to have beside the seeded ones, or, by id, with changes to them.'),
  limits: z
    .strictObject({
      apps: limit.describe('Default 5000.'),
      codes: limit.describe('Default 5000.'),
      tokens: limit.describe('Default 20000.'),
      sessions: limit.describe('Default 5000.'),
    })
    .exactOptional()
    .describe('How many of each are kept.'),
});
export type ServerOptionsFile = z.infer<typeof ServerOptionsFile>;

export interface ReadServerOptions {
  /** A database that is named elsewhere, and goes before one that the file names. */
  database?: string | undefined;
}

/**
 * Reads the options of a server from a JSON file.
 * @throws {JsonFileError} that names everything wrong with it. Only who is in a database is not known before that is opened:
 * then it is the start of the server that finds the accounts which there are none of.
 */
export function readServerOptions(path: string, { database }: ReadServerOptions = {}): ServerOptionsFile {
  return readJsonFile(path, ServerOptionsFile, (options) => (database === undefined ? unknownAuthors(options) : []));
}

/** The accounts that videos name and that neither the cast nor the options have. The options may break the schema. */
function unknownAuthors(options: unknown): string[] {
  const { database, accounts, videos } = (options ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof database === 'string' || !Array.isArray(videos)) return [];
  const added = Array.isArray(accounts) ? accounts.map((account) => Object(account).username) : [];
  const names = [...cast.map(({ username }) => username), ...added].filter((name) => typeof name === 'string');
  const known = [...new Set(names)];
  return videos.flatMap((video, place) => unknownUsernames(video, `videos[${place}]`, known));
}

const resource = z.looseObject({});

/**
 * Options of a reference server as the library takes them. What a server says may be of any type, as a test wants it; how it works
 * may not.
 */
export const ServerOptions = ServerOptionsFile.extend({
  config: resource.exactOptional(),
  usage: resource.exactOptional(),
  nodeInfo: resource.exactOptional(),
  accounts: z.array(z.looseObject({ username: z.string() })).exactOptional(),
  videos: z.array(resource).exactOptional(),
  now: z.custom<() => number>((value) => typeof value === 'function', 'must be a function').exactOptional(),
});
