import { z } from 'zod';
import { Delay } from '../faults/fault-rule.ts';
import { stateSettings } from '../options/state-settings.ts';
import { CertificateFault, OldProtocol } from '../tls/tls-fault.ts';
import { ConnectionFault, DnsFault } from './kind.ts';
import { kinds } from './kinds.ts';

/** The value of `kind` that picks a random kind for each host, as in a fleet without a file. */
export const anyKind = 'any';

const hostName = z
  .string()
  .max(253)
  .regex(
    /^(?=.*\.)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/,
    'must be a host name in lower case with a dot in it, and without a port',
  );
const seed = z.int().min(0).max(0xffff_ffff).exactOptional();
const port = z.int().min(0).max(65_535).exactOptional();
/** Runs checks across keys even if single keys are invalid, so that all problems are reported at once. */
const whenObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;

/** The expected result of a visit. */
const ExpectationRow = z
  .strictObject({
    verdict: z.enum(['loops', 'other', 'unidentified', 'unreachable', 'declined', 'alias']),
    reason: z.string().nullable().default(null).describe('Null: any reason is correct.'),
    via: z.enum(['config', 'nodeinfo']).nullable().default(null),
    software: z.string().nullable().default(null),
    version: z.string().nullable().default(null),
    aliasOf: z
      .string()
      .exactOptional()
      .describe('Domain of the alias target. Default: the `loops` host that the kind of the row redirects to.'),
  })
  .refine(
    ({ verdict, via, software }) =>
      !(verdict === 'loops' || verdict === 'other') || ((via ?? null) !== null && (software ?? null) !== null),
    {
      when: whenObject,
      message: 'must have "via" and "software" when the verdict is "loops" or "other"',
    },
  );

/** One host, or `count` hosts that differ only in name and seed. */
export const HostRow = z
  .strictObject({
    kind: z
      .string()
      .exactOptional()
      .meta({
        description: 'Kind of the host; `any`: drawn at random. Default `loops`.',
        enum: [anyKind, ...kinds.map(({ name }) => name)],
      }),
    count: z.int().min(1).max(100_000).exactOptional().describe('Number of hosts. Default 1.'),
    name: hostName.exactOptional().describe('Host name without a port. Default: drawn at random.'),
    seed: seed.describe('Seed of the random numbers of the host. Default: drawn from the seed of the fleet.'),
    ...stateSettings,
    dns: DnsFault.exactOptional().describe('DNS fault of the host name.'),
    certificate: CertificateFault.exactOptional().describe('Fault of the certificate.'),
    protocol: OldProtocol.exactOptional().describe('The only TLS version of the host. Default: 1.2 and 1.3.'),
    connection: ConnectionFault.exactOptional().describe('Fault of the connections, before TLS.'),
    expect: ExpectationRow.nullable()
      .exactOptional()
      .describe(
        'The expected result of a visit; null: no expectation. Default: as for the kind, or null when other settings of the row may change the result.',
      ),
  })
  .refine(({ name, count }) => name === undefined || !(Number(count) > 1), {
    when: whenObject,
    path: ['count'],
    message: 'must be left out when the host has a name: a name belongs to one host',
  });
export type HostRow = z.infer<typeof HostRow>;

/** A JSON file that describes a fleet. */
export const FleetFile = z.strictObject({
  $schema: z.string().exactOptional().describe('URL or path of the JSON Schema of this file, for editors.'),
  seed: seed.describe('The same seed gives the same hosts. Default 1.'),
  tld: hostName
    .or(z.string().regex(/^[a-z][a-z0-9-]*$/))
    .exactOptional()
    .describe('Suffix of generated names. Default `example`.'),
  port: port.describe('Port of all hosts. Default 0: any free port.'),
  dnsPort: port.describe('Port of the DNS server. Default 0: any free port.'),
  delayMs: Delay.exactOptional().describe(
    'Milliseconds before each answer, unless the host has its own value: a number, or a range `[min, max]` to draw from. Default 0.',
  ),
  hosts: z.array(HostRow).min(1).describe('The hosts; each row is one host or `count` hosts.'),
});
export type FleetFile = z.infer<typeof FleetFile>;
