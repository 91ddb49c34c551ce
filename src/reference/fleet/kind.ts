import { z } from 'zod';
import type { FaultRule } from '../faults/fault-rule.ts';
import type { Random } from '../random.ts';
import type { ReferenceState, StateOptions } from '../state.ts';
import type { CertificateFault, OldProtocol } from '../tls/tls-fault.ts';

/** The result of a visit by a crawler that follows the specification. Null: no value. */
export interface Expectation {
  verdict: 'loops' | 'other' | 'unidentified' | 'unreachable' | 'declined' | 'alias';
  /** Null: several reasons are correct. */
  reason: string | null;
  via: 'config' | 'nodeinfo' | null;
  software: string | null;
  version: string | null;
}

/** The input for the site of a host. */
export interface HostContext {
  /** Host name without the port. */
  name: string;
  /** Host name with the port. */
  domain: string;
  /** Base URL without a trailing slash. */
  url: string;
  port: number;
  /** The random numbers of the host. */
  random: Random;
  /** A current Loops server of the fleet, for kinds with `needsTarget`. */
  target: { domain: string; url: string };
  /** Merged into the state of the kind. */
  changes: StateOptions;
}

/** The answers of a host. */
export interface Site {
  /** Answers by exact request target. They take precedence over the endpoints. */
  pages?: Record<string, Answer>;
  /** The state of a Loops server, whose endpoints answer all other requests. */
  state?: ReferenceState;
  /** Without a state: the answer to all other requests. Default: 404. */
  fallback?: Answer;
  /** Faults of these answers. */
  faults?: FaultRule[];
}

/** An HTTP answer of a fleet host. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}

/** DNS faults of a name. */
export const DnsFault = z.enum([
  'nxdomain',
  'servfail',
  'refused',
  'no-address',
  'silent',
  'private-address',
  'mixed-addresses',
]);
export type DnsFault = z.infer<typeof DnsFault>;

/** Connection faults before TLS. */
export const ConnectionFault = z.enum(['reset', 'stall', 'not-tls', 'closed-port']);
export type ConnectionFault = z.infer<typeof ConnectionFault>;

/** A kind of host, and the expected result of a visit. */
export interface Kind {
  name: string;
  /** The server that it imitates, as a phrase. */
  imitates: string;
  expect: Expectation;
  /** Relative frequency. Default 1; 0: only when a mix names it. */
  weight?: number;
  dns?: DnsFault;
  certificate?: CertificateFault;
  /** The only TLS version of the host. Default: 1.2 and 1.3. */
  protocol?: OldProtocol;
  connection?: ConnectionFault;
  /** Whether the site uses `target`. Default false. */
  needsTarget?: boolean;
  /** Creates the site of a host. Default: one that answers 404 to everything. */
  site?: (host: HostContext) => Site;
}

export type KindsByName = Readonly<Record<string, Omit<Kind, 'name'>>>;

export const configPath = '/api/v1/config';
export const discoveryPath = '/.well-known/nodeinfo';

/** A fault rule without its route. The conditional type applies `Omit` to each fault of the union by itself. */
export type FaultWithoutRoute = FaultRule extends infer Rule
  ? Rule extends FaultRule
    ? Omit<Rule, 'route'>
    : never
  : never;

/** A fault of the config endpoint alone. */
export function onConfig(fault: FaultWithoutRoute): FaultRule[] {
  return [{ route: configPath, ...fault }];
}

/** A fault of every route that identifies a host; robots.txt still works. */
export function onEveryProbe(fault: FaultWithoutRoute): FaultRule[] {
  return [configPath, discoveryPath, '/nodeinfo/*'].map((route) => ({ route, ...fault }));
}

export const currentVersion = '1.0.0-beta.14';

export function loopsByConfig(version: string = currentVersion): Expectation {
  return { verdict: 'loops', reason: 'config-software', via: 'config', software: 'loops', version };
}

export function loopsByNodeInfo(version: string = currentVersion): Expectation {
  return { verdict: 'loops', reason: 'nodeinfo-software', via: 'nodeinfo', software: 'loops', version };
}

export function otherByConfig(software: string, version: string | null): Expectation {
  return { verdict: 'other', reason: 'config-software', via: 'config', software, version };
}

export function otherByNodeInfo(software: string, version: string | null): Expectation {
  return { verdict: 'other', reason: 'nodeinfo-software', via: 'nodeinfo', software, version };
}

/** The expectation of a verdict that names no software. */
export function noSoftware(verdict: Expectation['verdict'], reason: string | null): Expectation {
  return { verdict, reason, via: null, software: null, version: null };
}
