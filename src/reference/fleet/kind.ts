import { z } from 'zod';
import type { FaultRule } from '../faults/fault-rule.ts';
import type { Random } from '../random.ts';
import type { ReferenceState, StateOptions } from '../state.ts';
import type { CertificateFault, OldProtocol } from '../tls/secure-contexts.ts';

/** What a crawler that keeps to the specification must say of a host. Null: nothing to say, or two answers are right. */
export interface Expectation {
  verdict: 'loops' | 'other' | 'unidentified' | 'unreachable' | 'declined' | 'alias';
  /** Null when the verdict can be reached for more than one reason. */
  reason: string | null;
  via: 'config' | 'nodeinfo' | null;
  software: string | null;
  version: string | null;
}

/** One host of a fleet, as its kind sees it when it decides what to answer. */
export interface HostContext {
  /** Host name without the port. */
  name: string;
  /** Host name with the port. */
  domain: string;
  /** Base URL without a trailing slash. */
  url: string;
  port: number;
  /** The host's own random numbers. */
  random: Random;
  /** A current Loops server elsewhere in the fleet, for kinds that point at one. */
  target: { domain: string; url: string };
  /** Laid over what the kind says of its state. */
  changes: StateOptions;
}

/** What a host serves. */
export interface Site {
  /** Answers by request target, exactly as it stands in the request line. They go before everything else. */
  pages?: Record<string, Answer>;
  /** A Loops server: what `pages` leaves is answered by the endpoints of the reference server. */
  state?: ReferenceState;
  /** Without a state: the answer to every other request. Default: 404. */
  rest?: Answer;
  /** What is wrong with these answers. */
  faults?: FaultRule[];
}

/** What the name server says of a name. */
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

/** What becomes of a connection before TLS. */
export const ConnectionFault = z.enum(['reset', 'stall', 'not-tls', 'closed-port']);
export type ConnectionFault = z.infer<typeof ConnectionFault>;

/** A row of the fleet's table: a sort of host, and what must be found of it. */
export interface Kind {
  name: string;
  /** What it stands for, in one phrase. */
  imitates: string;
  expect: Expectation;
  /** How often it is drawn beside the others. Default 1; 0: only when a mix names it. */
  weight?: number;
  dns?: DnsFault;
  certificate?: CertificateFault;
  /** The only version of TLS it speaks. Default: 1.2 and 1.3. */
  protocol?: OldProtocol;
  connection?: ConnectionFault;
  /** Whether the site is built around `target`. Default false. */
  needsTarget?: boolean;
  /** Called once for each host, at its first request. */
  site?: (host: HostContext) => Site;
}

/** A fault and its parameters, without a route. */
export type FaultOf = FaultRule extends infer Rule ? (Rule extends FaultRule ? Omit<Rule, 'route'> : never) : never;

/** A fault of the config endpoint alone. */
export function onConfig(fault: FaultOf): FaultRule[] {
  return [{ route: configPath, ...fault }];
}

/** A fault of everything that tells what a host is, and not of robots.txt. */
export function onEveryProbe(fault: FaultOf): FaultRule[] {
  return [configPath, discoveryPath, '/nodeinfo/*'].map((route) => ({ route, ...fault }));
}

export const discoveryPath = '/.well-known/nodeinfo';

export const configPath = '/api/v1/config';

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

/** A verdict that names no software. */
export function without(verdict: Expectation['verdict'], reason: string | null): Expectation {
  return { verdict, reason, via: null, software: null, version: null };
}

/** One HTTP answer of a fleet host, as data. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string | Buffer;
}
