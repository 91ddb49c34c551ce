import { z } from 'zod';
import { Delay } from '../faults/fault-rule.ts';
import { stateSettings } from '../options/state-settings.ts';
import { CertificateFault, OldProtocol } from '../tls/secure-contexts.ts';
import { ConnectionFault, DnsFault } from './kind.ts';
import { kinds } from './kinds.ts';

/** What a row may say instead of a kind: one that is drawn for each host, as in a fleet without a file. */
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
/** Lets what compares several keys be judged beside keys that are wrong, so that everything is told at once. */
const whenObject = ({ value }: { value: unknown }) => typeof value === 'object' && value !== null;

/** What a crawler must say of a host, as a file has it. */
const ExpectationRow = z
  .strictObject({
    verdict: z.enum(['loops', 'other', 'unidentified', 'unreachable', 'declined', 'alias']),
    reason: z.string().nullable().default(null).describe('Null: more than one is right.'),
    via: z.enum(['config', 'nodeinfo']).nullable().default(null),
    software: z.string().nullable().default(null),
    version: z.string().nullable().default(null),
    aliasOf: z
      .string()
      .exactOptional()
      .describe('Domain it leads to. Unless given, an alias is one of the `loops` host that its kind points at.'),
  })
  .refine(
    ({ verdict, via, software }) =>
      !(verdict === 'loops' || verdict === 'other') || ((via ?? null) !== null && (software ?? null) !== null),
    {
      when: whenObject,
      message: 'must name "via" and "software" where the verdict is "loops" or "other"',
    },
  );

/** One host, or `count` hosts that are alike but for their names and their numbers. */
export const HostRow = z
  .strictObject({
    kind: z
      .string()
      .exactOptional()
      .meta({
        description: 'What sort of host it is; `any`: one that is drawn. Default `loops`.',
        enum: [anyKind, ...kinds.map(({ name }) => name)],
      }),
    count: z.int().min(1).max(100_000).exactOptional().describe('So many of them. Default 1.'),
    name: hostName.exactOptional().describe('Host name without a port. Default: one that is drawn.'),
    seed: seed.describe("Of the host's own numbers. Default: drawn from the seed of the fleet."),
    ...stateSettings,
    dns: DnsFault.exactOptional().describe('What the name server says of it, for its address.'),
    certificate: CertificateFault.exactOptional().describe('What is wrong with its certificate.'),
    protocol: OldProtocol.exactOptional().describe('The only version of TLS that it speaks. Default: 1.2 and 1.3.'),
    connection: ConnectionFault.exactOptional().describe('What becomes of a connection before TLS.'),
    expect: ExpectationRow.nullable()
      .exactOptional()
      .describe(
        'What a crawler must find; null: nothing is predicted. Default: what the kind says, where nothing in the row can change that; else null.',
      ),
  })
  .refine(({ name, count }) => name === undefined || !(Number(count) > 1), {
    when: whenObject,
    path: ['count'],
    message: 'must be left out where the host has a name: one name is one host',
  });
export type HostRow = z.infer<typeof HostRow>;

/** A fleet as a file. */
export const FleetFile = z.strictObject({
  $schema: z.string().exactOptional().describe('Where the JSON Schema of this file is; for editors.'),
  seed: seed.describe('The same seed gives the same hosts. Default 1.'),
  tld: hostName
    .or(z.string().regex(/^[a-z][a-z0-9-]*$/))
    .exactOptional()
    .describe('What names that are drawn end in. Default `example`.'),
  port: port.describe('Port of all hosts. Default 0: a free one.'),
  dnsPort: port.describe('Port of the name server. Default 0: a free one.'),
  delayMs: Delay.exactOptional().describe(
    'Milliseconds before each answer, of every host that says nothing else: a number, or `[least, most]` to draw from. Default 0.',
  ),
  hosts: z.array(HostRow).min(1).describe('The hosts, a row for each or for so many.'),
});
export type FleetFile = z.infer<typeof FleetFile>;
