import { z } from 'zod';
import { AccountOptions, findUnknownUsernames, VideoOptions } from '../seed/options.ts';
import { seededUsernames } from '../seed/seeded.ts';
import { CertificateFault, OldProtocol } from '../tls/tls-fault.ts';
import { readJsonFile } from './json-file.ts';
import { stateSettings } from './state-settings.ts';

/** At most a hundred years. */
const seconds = z.int().min(1).max(3_153_600_000);
const limit = z.int().min(1).exactOptional();

/** A JSON file with the options of a reference server, under the same keys as in the library. */
export const ServerOptionsFile = z.strictObject({
  $schema: z.string().exactOptional().describe('URL or path of the JSON Schema of this file, for editors.'),
  host: z.string().min(1).exactOptional().describe('Address to listen on. Default 127.0.0.1.'),
  port: z.int().min(0).max(65_535).exactOptional().describe('Port to listen on; 0: any free port.'),
  url: z
    .url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' })
    .exactOptional()
    .describe('Public base URL, for a server behind a proxy. Default: the address that it listens on.'),
  tls: z
    .union([
      z.boolean(),
      z.strictObject({
        certificate: CertificateFault.exactOptional().describe('Fault of the certificate.'),
        protocol: OldProtocol.exactOptional().describe('The only TLS version of the server. Default: 1.2 and 1.3.'),
      }),
    ])
    .exactOptional()
    .describe('Whether to use TLS, with a certificate signed by an authority of the server. Default: false.'),
  ...stateSettings,
  seed: z
    .int()
    .min(0)
    .max(0xffff_ffff)
    .exactOptional()
    .describe(
      'The same seed gives the same accounts and videos and, in memory, the same client ids and tokens. Default 1.',
    ),
  database: z
    .string()
    .min(1)
    .exactOptional()
    .describe('A SQLite file for accounts, videos, apps and tokens, created when missing. Default: in memory.'),
  autoApprove: z
    .string()
    .min(1)
    .nullable()
    .exactOptional()
    .describe(
      'The username of the local account that approves every authorization request without a page. Default: none.',
    ),
  lifetimes: z
    .strictObject({
      code: seconds.exactOptional().describe('Authorization codes. Default 600.'),
      token: seconds.nullable().exactOptional().describe('Access tokens; null: no expiry. Default null.'),
      session: seconds.exactOptional().describe('Sign-ins on the consent pages. Default 86400.'),
    })
    .exactOptional()
    .describe('Lifetimes in seconds.'),
  accounts: z
    .array(AccountOptions)
    .exactOptional()
    .describe('Accounts to add, or, by username, changes to seeded accounts.'),
  videos: z.array(VideoOptions).exactOptional().describe('Videos to add, or, by id, changes to seeded videos.'),
  limits: z
    .strictObject({
      apps: limit.describe('Default 5000.'),
      codes: limit.describe('Default 5000.'),
      tokens: limit.describe('Default 20000.'),
      sessions: limit.describe('Default 5000.'),
    })
    .exactOptional()
    .describe('Maximum number of rows of each table.'),
});
export type ServerOptionsFile = z.infer<typeof ServerOptionsFile>;

export interface ReadServerOptions {
  /** A database that the caller uses in place of that in the file. If there is a database, usernames are not checked here. */
  database?: string | undefined;
}

/**
 * Reads the options of a server from a JSON file.
 * @throws {JsonFileError} listing every problem. With a database, unknown accounts are only found when the server starts.
 */
export function readServerOptions(path: string, { database }: ReadServerOptions = {}): ServerOptionsFile {
  return readJsonFile(path, ServerOptionsFile, (options) =>
    database === undefined ? findUnknownAccounts(options) : [],
  );
}

/** A problem for each account that a video names and that is neither seeded nor added. Accepts invalid options. */
function findUnknownAccounts(options: unknown): string[] {
  const { database, accounts, videos } = (options ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof database === 'string' || !Array.isArray(videos)) return [];
  const added = Array.isArray(accounts) ? accounts.map((account) => Object(account).username) : [];
  const names = [...seededUsernames, ...added].filter((name) => typeof name === 'string');
  const known = [...new Set(names)];
  return videos.flatMap((video, index) => findUnknownUsernames(video, `videos[${index}]`, known));
}

/** The settings of the control port. */
const ControlOptions = z.strictObject({
  host: z.string().min(1).exactOptional(),
  port: z.int().min(0).max(65_535).exactOptional(),
  token: z
    .string()
    .regex(/^[\w.~+/-]+=*$/, 'must consist of letters, digits and -._~+/')
    .exactOptional(),
  afterReset: z.custom<() => unknown>((value) => typeof value === 'function', 'must be a function').exactOptional(),
});

const anyObject = z.looseObject({});
const isFunction = (value: unknown) => typeof value === 'function';

/**
 * The options of a reference server in the library. Served content may have any type, because a test may need a wrong one;
 * everything else is checked.
 */
export const ServerOptions = ServerOptionsFile.extend({
  config: anyObject.exactOptional(),
  usage: anyObject.exactOptional(),
  nodeInfo: anyObject.exactOptional(),
  accounts: z.array(z.looseObject({ username: z.string() })).exactOptional(),
  videos: z.array(anyObject).exactOptional(),
  now: z.custom<() => number>(isFunction, 'must be a function').exactOptional(),
  control: ControlOptions.exactOptional(),
  onExchange: z.custom<() => void>(isFunction, 'must be a function').exactOptional(),
});
