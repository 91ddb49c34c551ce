import { z } from 'zod';
import { Delay } from '../faults/fault-rule.ts';
import { stateSettings } from '../options/state-settings.ts';
import { CertificateFault, OldProtocol } from '../tls/tls-fault.ts';
import { ConnectionFault, DnsFault } from './kind.ts';

const hostName = z
  .string()
  .max(253)
  .regex(
    /^(?=.*\.)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/,
    'must be a host name in lower case with a dot in it, and without a port',
  );

/** What a crawler must say of a host, as a file has it. */
const ExpectationRow = z
  .strictObject({
    verdict: z.enum(['loops', 'other', 'unidentified', 'unreachable', 'declined', 'alias']),
    /** Null: more than one is right. */
    reason: z.string().nullable().default(null),
    via: z.enum(['config', 'nodeinfo']).nullable().default(null),
    software: z.string().nullable().default(null),
    version: z.string().nullable().default(null),
    /** Unless given, an alias is one of the `loops` host that its kind points at. */
    aliasOf: z.string().exactOptional(),
  })
  .refine(
    ({ verdict, via, software }) =>
      !(verdict === 'loops' || verdict === 'other') || (via !== null && software !== null),
    {
      message: 'must name "via" and "software" where the verdict is "loops" or "other"',
    },
  );

/** One host, or `count` hosts that are alike but for their names and their numbers. */
export const HostRow = z
  .strictObject({
    /** One of the kinds. Default `loops`. */
    kind: z.string().exactOptional(),
    /** Default 1. */
    count: z.int().min(1).max(100_000).exactOptional(),
    /** Default: one that is drawn. */
    name: hostName.exactOptional(),
    /** Of the host's own numbers. Default: drawn from the seed of the fleet. */
    seed: z.int().min(0).max(0xffff_ffff).exactOptional(),
    ...stateSettings,
    dns: DnsFault.exactOptional(),
    certificate: CertificateFault.exactOptional(),
    protocol: OldProtocol.exactOptional(),
    connection: ConnectionFault.exactOptional(),
    /** Null: nothing is predicted. Default: what the kind says, where nothing in the row can change that; else null. */
    expect: ExpectationRow.nullable().exactOptional(),
  })
  .refine(({ name, count }) => name === undefined || count === undefined || count === 1, {
    path: ['count'],
    message: 'must be left out where the host has a name: one name is one host',
  });
export type HostRow = z.infer<typeof HostRow>;

/** A fleet as a file. */
export const FleetFile = z.strictObject({
  $schema: z.string().exactOptional(),
  /** Default 1. */
  seed: z.int().min(0).max(0xffff_ffff).exactOptional(),
  /** What names that are drawn end in. Default `example`. */
  tld: hostName.or(z.string().regex(/^[a-z][a-z0-9-]*$/)).exactOptional(),
  /** Port of all hosts, and of the name server. Default: free ones. */
  port: z.int().min(0).max(65_535).exactOptional(),
  dnsPort: z.int().min(0).max(65_535).exactOptional(),
  /** Of every host that says nothing else. */
  delayMs: Delay.exactOptional(),
  hosts: z.array(HostRow).min(1),
});
export type FleetFile = z.infer<typeof FleetFile>;
