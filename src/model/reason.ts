import { z } from 'zod';
import type { Verdict } from './verdict.ts';

interface ReasonEntry {
  /** The verdicts that can have this reason. */
  verdicts: readonly Verdict[];
  /** What happened, for an operator. */
  means: string;
}

/** Every reason, its verdicts and its meaning. */
export const REASONS = {
  'config-software': { verdicts: ['loops', 'other'], means: 'the configuration endpoint names the software' },
  'nodeinfo-software': { verdicts: ['loops', 'other'], means: 'the NodeInfo 2.0 document names the software' },

  'no-nodeinfo': { verdicts: ['unidentified'], means: 'the NodeInfo well-known path responds, but without a document' },
  'discovery-not-json': {
    verdicts: ['unidentified'],
    means: 'the NodeInfo well-known path returns something other than a JSON object',
  },
  'no-nodeinfo-2.0-link': {
    verdicts: ['unidentified'],
    means: 'NodeInfo discovery lists no link whose rel ends with /schema/2.0',
  },
  'href-invalid': {
    verdicts: ['unidentified'],
    means: 'the advertised NodeInfo URL is not an absolute http or https URL',
  },
  'href-refused': {
    verdicts: ['unidentified'],
    means:
      "the advertised NodeInfo URL has a port other than 80, 443 or the domain's own, or a host that must not be contacted",
  },
  'third-party-limit': {
    verdicts: ['unidentified'],
    means: 'the visit needs another host that was contacted too often within the last hour',
  },
  'href-dead': { verdicts: ['unidentified'], means: 'the advertised NodeInfo URL does not return a document' },
  'href-redirected': { verdicts: ['unidentified'], means: 'the advertised NodeInfo URL redirects to another host' },
  'nodeinfo-not-json': { verdicts: ['unidentified'], means: 'the NodeInfo document is not a JSON object' },
  'nodeinfo-no-software': { verdicts: ['unidentified'], means: 'the NodeInfo document names no software' },
  'nodeinfo-unavailable': {
    verdicts: ['unidentified'],
    means: 'the host responds, but NodeInfo failed with a server error or without a response',
  },
  'body-too-large': { verdicts: ['unidentified'], means: 'a response body exceeded the size limit' },
  'headers-too-large': {
    verdicts: ['unidentified'],
    means: 'the headers of a response exceeded the size limit of 64 KiB',
  },
  'invalid-encoding': {
    verdicts: ['unidentified'],
    means: 'a compressed response body is cut off or damaged',
  },
  'unsupported-encoding': {
    verdicts: ['unidentified'],
    means: 'a response body has a content encoding that the request did not accept, such as br',
  },
  'redirect-loop': {
    verdicts: ['unidentified'],
    means: 'redirects form a loop, on one host or across hosts, or there are too many',
  },
  'redirect-refused': {
    verdicts: ['unidentified'],
    means: 'a redirect leads to something other than an https URL of a public host',
  },
  'challenge-page': {
    verdicts: ['unidentified'],
    means: 'a proxy in front of the host sends a challenge page to every client that is not a browser',
  },
  'access-refused': {
    verdicts: ['unidentified'],
    means: 'the host answers 403 Forbidden to every request for a document',
  },
  'parked-page': { verdicts: ['unidentified'], means: 'the name is parked or for sale' },
  'default-page': {
    verdicts: ['unidentified'],
    means: 'the host shows only the default page of a newly installed web server',
  },
  'maintenance-page': {
    verdicts: ['unidentified'],
    means: 'the host shows a maintenance page instead of a document',
  },
  'web-app': {
    verdicts: ['unidentified'],
    means: 'the host runs a single-page web app, which returns its own page for every path, and has no NodeInfo',
  },

  'dns-nxdomain': { verdicts: ['unreachable'], means: 'the name does not exist in the DNS' },
  'dns-no-address': { verdicts: ['unreachable'], means: 'the name exists but has no address' },
  'dns-servfail': { verdicts: ['unreachable'], means: "the name's DNS servers fail" },
  'dns-refused': { verdicts: ['unreachable'], means: 'the DNS server refuses to answer for the name' },
  'dns-timeout': { verdicts: ['unreachable'], means: "the name's DNS servers do not answer in time" },
  'connect-refused': { verdicts: ['unreachable'], means: 'nothing listens at the address' },
  'connect-timeout': { verdicts: ['unreachable'], means: 'no connection within the time allowed' },
  'no-route': { verdicts: ['unreachable'], means: 'there is no route to the address' },
  'connection-reset': { verdicts: ['unreachable'], means: 'the connection was closed before the answer was complete' },
  'tls-expired': { verdicts: ['unreachable'], means: 'the certificate has expired or is not yet valid' },
  'tls-wrong-name': { verdicts: ['unreachable'], means: 'the certificate is for another name' },
  'tls-untrusted': { verdicts: ['unreachable'], means: 'the certificate is not signed by a trusted authority' },
  'tls-failed': { verdicts: ['unreachable'], means: 'the TLS handshake failed' },
  'tls-timeout': { verdicts: ['unreachable'], means: 'the TLS handshake did not finish within the time allowed' },
  'response-timeout': {
    verdicts: ['unreachable'],
    means: 'a connection was made, but no response began within the time allowed',
  },
  'body-timeout': { verdicts: ['unreachable'], means: 'a response began, but did not end within the time allowed' },
  'visit-timeout': { verdicts: ['unreachable'], means: 'the whole visit took longer than the time allowed' },
  'invalid-http': { verdicts: ['unreachable'], means: 'the response is not valid HTTP' },
  'http-5xx': { verdicts: ['unreachable'], means: 'every response was a server error' },
  'robots-unreachable': {
    verdicts: ['unreachable'],
    means: 'robots.txt could not be fetched, so nothing else was requested',
  },

  'robots-forbidden': { verdicts: ['declined'], means: 'robots.txt forbids a request that was needed' },
  gone: { verdicts: ['declined'], means: 'the host answers 410 Gone' },
  'rate-limited': { verdicts: ['declined'], means: 'the host answers 429 Too Many Requests' },
  'forbidden-address': {
    verdicts: ['declined'],
    means: 'the host has, or leads to, an address that is not public',
  },

  redirected: { verdicts: ['alias'], means: 'the host redirects to another host' },
} as const satisfies Record<string, ReasonEntry>;

/** Why a visit ended in its verdict; a closed vocabulary, each word explained in {@link REASONS}. */
export type Reason = keyof typeof REASONS;
export const Reason = z.enum(Object.keys(REASONS) as [Reason, ...Reason[]]);

/** Reasons of a host that is up, but refuses programs. */
export const REFUSALS = ['access-refused', 'challenge-page'] as const satisfies readonly Reason[];

/** Whether a visit says nothing about its host, because a limit of ours ended it: it counts neither as a success nor as a failure. */
export function isCutByOurLimits(reason: Reason): boolean {
  return reason === 'third-party-limit';
}
