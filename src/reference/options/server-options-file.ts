import { z } from 'zod';
import { AccountOptions } from '../seed/account-options.ts';
import { VideoOptions } from '../seed/video-options.ts';
import { CertificateFault, OldProtocol } from '../tls/tls-fault.ts';
import { readJsonFile } from './read-json-file.ts';
import { stateSettings } from './state-settings.ts';

const seconds = z.int().min(1).max(3_153_600_000);
const limit = z.int().min(1);

/** Options of a reference server in a JSON file; the keys and their meaning are those of the library. */
export const ServerOptionsFile = z.strictObject({
  $schema: z.string().exactOptional(),
  host: z.string().min(1).exactOptional(),
  port: z.int().min(0).max(65_535).exactOptional(),
  url: z.url({ protocol: /^https?$/, error: 'must be an absolute http or https URL' }).exactOptional(),
  tls: z
    .union([
      z.boolean(),
      z.strictObject({ certificate: CertificateFault.exactOptional(), protocol: OldProtocol.exactOptional() }),
    ])
    .exactOptional(),
  ...stateSettings,
  seed: z.int().min(0).max(0xffff_ffff).exactOptional(),
  database: z.string().min(1).exactOptional(),
  lifetimes: z
    .strictObject({
      code: seconds.exactOptional(),
      token: seconds.nullable().exactOptional(),
      session: seconds.exactOptional(),
    })
    .exactOptional(),
  accounts: z.array(AccountOptions).exactOptional(),
  videos: z.array(VideoOptions).exactOptional(),
  limits: z
    .strictObject({
      apps: limit.exactOptional(),
      codes: limit.exactOptional(),
      tokens: limit.exactOptional(),
      sessions: limit.exactOptional(),
    })
    .exactOptional(),
});
export type ServerOptionsFile = z.infer<typeof ServerOptionsFile>;

/**
 * Reads the options of a server from a JSON file.
 * @throws {JsonFileError} that names everything wrong with it.
 */
export function readServerOptions(path: string): ServerOptionsFile {
  return readJsonFile(path, ServerOptionsFile);
}
