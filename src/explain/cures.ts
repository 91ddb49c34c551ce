import type { InstanceFlag } from '../model/facts/instance-facts.ts';
import type { REASONS, Reason } from '../model/reason.ts';
import type { Verdict } from '../model/verdict.ts';

/** Whom a cure is for. */
export interface Patient {
  domain: string;
  /** Without the port. */
  host: string;
  port: number;
  /** What a server has to call itself. */
  softwareId: string;
  /** The name that Loopscout goes by in robots.txt and User-Agent. */
  robotsToken: string;
  /** The NodeInfo address that discovery named, as the last visit found it; null when that is not known. */
  advertisedUrl: string | null;
  /** What the last visit asked last, where that is known: the request that decided. */
  lastUrl: string | null;
  /** The paths that robots.txt kept the last visit from, each on its host. */
  forbidden: readonly { host: string; path: string }[];
}

/** What the operator of a host can do about a reason, and below that any lines to copy; null where there is nothing to do. */
type Cure = ((patient: Patient) => string) | null;

/** A cure for each reason, by the verdicts that it can stand beside. */
type Cures = {
  readonly [R in Reason]: { readonly [V in (typeof REASONS)[R]['verdicts'][number]]: Cure };
};

const config = ({ domain }: Patient) => `https://${domain}/api/v1/config`;
const discovery = ({ domain }: Patient) => `https://${domain}/.well-known/nodeinfo`;
const advertised = ({ advertisedUrl }: Patient) => advertisedUrl ?? 'the advertised address';

const nameItself: Cure = (at) =>
  `If this is a Loops server, let it say so: app.software at ${config(at)}, or software.name in NodeInfo 2.0, has to be exactly "${at.softwareId}".`;
const eitherProbe = (at: Patient) =>
  `Answer ${config(at)} with 200 and JSON that has app.software, or publish NodeInfo 2.0 at ${discovery(at)}. One is enough; while federation is off, Loops has no NodeInfo.`;
const nodeInfoLink = (at: Patient) =>
  `In ${discovery(at)}, link the NodeInfo 2.0 document by its whole https address on this host, as https://${at.domain}/nodeinfo/2.0; or answer ${config(at)}.`;
const quicker =
  'Answer sooner: what takes long is usually a server that is overloaded, or a proxy that waits for one that is not there.';

/** One row a reason. `loops` needs no cure; what is missing of an instance is told by its facts. */
const CURES: Cures = {
  'config-software': { loops: null, other: nameItself },
  'nodeinfo-software': {
    loops: (at) =>
      `Answer ${config(at)} too, as Loops does from 1.0.0-beta.6 on: features and limits are told there alone.`,
    other: nameItself,
  },

  'no-nodeinfo': { unidentified: eitherProbe },
  'discovery-not-json': {
    unidentified: (at) =>
      `Let ${discovery(at)} answer with a JSON object, not with a page; or answer ${config(at)} with JSON that has app.software.`,
  },
  'no-nodeinfo-2.0-link': {
    unidentified: (at) =>
      `In ${discovery(at)}, list a link whose rel is http://nodeinfo.diaspora.software/ns/schema/2.0; a link to 2.1 alone does not count. Or answer ${config(at)}.`,
  },
  'href-invalid': { unidentified: nodeInfoLink },
  'href-refused': { unidentified: nodeInfoLink },
  'href-dead': {
    unidentified: (at) => `Let ${advertised(at)} answer with the NodeInfo document, or mend the link to it.`,
  },
  'href-redirected': {
    unidentified: (at) =>
      `Let ${advertised(at)} answer by itself: a redirect to another host says nothing of this one. The link may name the other host instead.`,
  },
  'nodeinfo-not-json': { unidentified: (at) => `Let ${advertised(at)} answer with a JSON object.` },
  'nodeinfo-no-software': {
    unidentified: (at) => `Give software.name in the NodeInfo document at ${advertised(at)}.`,
  },
  'nodeinfo-unavailable': {
    unidentified: (at) => `Look for the error of ${discovery(at)} in the server's own log; or answer ${config(at)}.`,
  },
  'body-too-large': {
    unidentified: (at) =>
      `Shorten what ${at.lastUrl ?? 'the server'} answers: what is longer than network.maxBodyBytes in the settings, 256 KiB as a rule, is not read.`,
  },
  'redirect-loop': {
    unidentified: (at) =>
      `Let ${at.lastUrl ?? config(at)} answer without going in circles; curl -sIL shows where it goes.`,
  },
  'redirect-refused': {
    unidentified: (at) =>
      `Let ${at.lastUrl ?? config(at)} answer by itself, or redirect it to an https address of a public host on the usual port.`,
  },
  'challenge-page': {
    unidentified: ({ robotsToken }) =>
      `In the proxy, let /api/v1/config, /.well-known/nodeinfo and /nodeinfo/ pass without a challenge; or let pass whatever says ${robotsToken} in its User-Agent.`,
  },
  'parked-page': {
    unidentified: ({ host }) => `Point ${host} at the server that it is meant for; what answers now is a parking page.`,
  },
  'default-page': {
    unidentified: ({ host }) => `Set up the web server for ${host}: it answers with the page that it came with.`,
  },
  'maintenance-page': {
    unidentified: () =>
      'End the maintenance. A maintenance page with status 503 is taken for a server error, and asked again within hours.',
  },
  'web-app': {
    unidentified: (at) =>
      `Let ${config(at)} reach the server behind the web app: what comes is the app's own page, as for any address.`,
  },

  'dns-nxdomain': {
    unreachable: ({ host }) => `Give ${host} an A or AAAA record. If the registration of the name ended, renew it.`,
  },
  'dns-no-address': { unreachable: ({ host }) => `Give ${host} an A or AAAA record: it has neither.` },
  'dns-servfail': {
    unreachable: ({ host }) =>
      `Mend the zone of ${host}: usual causes are DNSSEC signatures that ended, and name servers that do not know the zone.`,
  },
  'dns-refused': {
    unreachable: ({ host }) => `Check that the name servers that ${host} is delegated to do serve its zone.`,
  },
  'dns-timeout': {
    unreachable: ({ host }) => `Check that the name servers of ${host} answer on port 53, by UDP and TCP.`,
  },
  'connect-refused': {
    unreachable: ({ host, port }) =>
      `Start the web server, and let it listen on port ${port} of every address of ${host}.`,
  },
  'connect-timeout': {
    unreachable: ({ host, port }) =>
      `Let firewalls pass TCP to port ${port}, and check that the A and AAAA records of ${host} are the server's own.`,
  },
  'no-route': {
    unreachable: ({ host }) => `Check that the A and AAAA records of ${host} are addresses that the server still has.`,
  },
  'connection-reset': {
    unreachable: () => 'Find what closes the connection: a firewall, a proxy, or a server that crashes.',
  },
  'tls-expired': { unreachable: ({ host }) => `Renew the certificate of ${host}, and check the clock of the server.` },
  'tls-wrong-name': { unreachable: ({ host }) => `Get a certificate that names ${host}.` },
  'tls-untrusted': {
    unreachable: () =>
      'Use a certificate of a public authority, and send the whole chain: the intermediate certificate is often forgotten.',
  },
  'tls-failed': { unreachable: ({ port }) => `Offer TLS 1.2 or 1.3 on port ${port}.` },
  'tls-timeout': { unreachable: () => quicker },
  'response-timeout': { unreachable: () => quicker },
  'body-timeout': { unreachable: () => quicker },
  'visit-timeout': { unreachable: () => quicker },
  'invalid-http': {
    unreachable: ({ port }) => `Serve HTTP/1.1 over TLS on port ${port}; what answers there now speaks something else.`,
  },
  'http-5xx': { unreachable: () => "Look for the error in the server's own log, or in that of the proxy before it." },
  'robots-unreachable': {
    unreachable: ({ domain }) =>
      `Let https://${domain}/robots.txt answer with 200 or 404: while it fails or is silent, nothing else may be asked (RFC 9309).`,
  },

  'robots-forbidden': { declined: allowInRobots },
  gone: {
    declined: () =>
      'If the server is to come back, answer anything but 410 Gone. If not, nothing is to be done: it is asked a few times a year.',
  },
  'rate-limited': {
    declined: ({ robotsToken }) =>
      `Nothing needs to be done: ${robotsToken} comes back when it is allowed to. Or allow more requests: a visit makes about four.`,
  },
  'forbidden-address': {
    declined: ({ host }) =>
      `Give ${host} public addresses alone: one private or reserved address among them is enough to be left alone. (For servers of one's own: network.allow in the settings.)`,
  },

  redirected: {
    alias: (at) =>
      `To be listed under this name too, let ${config(at)} answer by itself instead of redirecting. Else nothing is to be done.`,
  },
};

/** The lines to write into robots.txt, for the paths that it closed. */
function allowInRobots({ domain, forbidden, robotsToken }: Patient): string {
  const host = forbidden[0]?.host ?? domain;
  const paths = forbidden.filter((each) => each.host === host).map(({ path }) => `Allow: ${path}`);
  const lines =
    paths.length === 0 ? ['Allow: /api/v1/config', 'Allow: /.well-known/nodeinfo', 'Allow: /nodeinfo/'] : paths;
  return [`Add to https://${host}/robots.txt these lines.`, `User-agent: ${robotsToken}`, ...lines].join('\n');
}

/** What its operator can do about how a visit ended; null where there is nothing to do. */
export function cureOf(verdict: Verdict, reason: Reason, patient: Patient): string | null {
  const row: Readonly<Partial<Record<Verdict, Cure>>> = CURES[reason];
  return row[verdict]?.(patient) ?? null;
}

/** What the operator of an instance can do about a flag, where that is one thing. */
export const FLAG_CURES: Readonly<Partial<Record<InstanceFlag, (patient: Patient) => string>>> = {
  'software-mismatch': ({ softwareId }) =>
    `Let configuration and NodeInfo name the same software: app.software and software.name both have to be exactly "${softwareId}".`,
  'version-mismatch': () =>
    'Let configuration and NodeInfo give the same version; often one of them is an answer kept from before an upgrade, and clearing the cache mends it.',
  'app-url-mismatch': ({ domain }) =>
    `Set app.url to https://${domain}, in the environment of the server: it names another host now.`,
  'registration-mismatch': () =>
    'Let configuration and NodeInfo agree on whether registration is open: registration in the one, openRegistrations in the other.',
  'nodeinfo-http-href': ({ domain }) =>
    `In https://${domain}/.well-known/nodeinfo, link the NodeInfo document by its https address, not by http.`,
  'wrong-type-field': () => 'Mend what is of the wrong type: what such a field should say is unknown.',
  outdated: () => 'Upgrade: a newer version is known.',
};
