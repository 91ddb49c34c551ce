import type { InstanceFlag } from '../model/facts/instance-facts.ts';
import type { REASONS, Reason } from '../model/reason.ts';
import type { Verdict } from '../model/verdict.ts';

/** The host that a cure is for. */
export interface CureContext {
  domain: string;
  /** Without the port. */
  host: string;
  port: number;
  /** The software name that identifies a Loops server. */
  softwareId: string;
  /** Loopscout's name in robots.txt and User-Agent. */
  robotsToken: string;
  /** The NodeInfo URL that discovery advertised at the last visit; null when unknown. */
  advertisedUrl: string | null;
  /** The URL of the request that decided the outcome of the last visit; null when unknown. */
  lastUrl: string | null;
  /** The paths that robots.txt forbade to the last visit. */
  forbidden: readonly { host: string; path: string; isNamed: boolean }[];
}

/** Advice to the operator, followed by any lines to copy; null when there is nothing to do. */
type Cure = ((context: CureContext) => string) | null;

/** The cure for each reason and each of its verdicts. */
type Cures = {
  readonly [R in Reason]: { readonly [V in (typeof REASONS)[R]['verdicts'][number]]: Cure };
};

const config = ({ domain }: CureContext) => `https://${domain}/api/v1/config`;
const discovery = ({ domain }: CureContext) => `https://${domain}/.well-known/nodeinfo`;
const advertised = ({ advertisedUrl }: CureContext) => advertisedUrl ?? 'the advertised address';

const nameItself: Cure = (context) =>
  `If this is a Loops server, set app.software at ${config(context)}, or software.name in NodeInfo 2.0, to exactly "${context.softwareId}".`;
const eitherProbe = (context: CureContext) =>
  `Answer ${config(context)} with 200 and JSON that has app.software, or publish NodeInfo 2.0 at ${discovery(context)}. One of them is enough; Loops has no NodeInfo while federation is off.`;
const nodeInfoLink = (context: CureContext) =>
  `In ${discovery(context)}, link the NodeInfo 2.0 document by its full https address on this host, such as https://${context.domain}/nodeinfo/2.0; or answer ${config(context)}.`;
const answerFaster =
  'Answer faster: the usual cause is an overloaded server, or a proxy that waits for a backend that is down.';

/** How to see the header lines of an answer as they are sent, with their ends and control characters. */
const showHeaders = (context: CureContext) =>
  `curl --http1.1 -si ${context.lastUrl ?? config(context)} | cat -A shows them as sent.`;

/** Advice on an answer that only the lenient parser could read. */
export const strictErrorCure = (code: 'malformed-header' | 'bare-line-feed', context: CureContext) =>
  `${
    code === 'bare-line-feed'
      ? 'End each header line with CR LF, not with LF alone'
      : 'Send each header on a line of its own, without line breaks in its value'
  }: strict clients refuse the answer. ${showHeaders(context)}`;

/** One row per reason. A server identified by config needs no cure: `FLAG_CURES` and its facts show what could be better. */
const CURES: Cures = {
  'config-software': { loops: null, other: nameItself },
  'nodeinfo-software': {
    loops: (context) =>
      `Answer ${config(context)} too, as Loops does since 1.0.0-beta.6: it is the only source of features and limits.`,
    other: nameItself,
  },

  'no-nodeinfo': { unidentified: eitherProbe },
  'discovery-not-json': {
    unidentified: (context) =>
      `Answer ${discovery(context)} with a JSON object, not an HTML page; or answer ${config(context)} with JSON that has app.software.`,
  },
  'no-nodeinfo-2.0-link': {
    unidentified: (context) =>
      `In ${discovery(context)}, list a link whose rel is http://nodeinfo.diaspora.software/ns/schema/2.0; a link to 2.1 alone does not count. Or answer ${config(context)}.`,
  },
  'href-invalid': { unidentified: nodeInfoLink },
  'href-refused': { unidentified: nodeInfoLink },
  'third-party-limit': {
    unidentified: () =>
      'Nothing: the visit is repeated after an hour. Redirects and NodeInfo links to a host of many servers slow visits down.',
  },
  'href-dead': {
    unidentified: (context) => `Serve the NodeInfo document at ${advertised(context)}, or correct the link to it.`,
  },
  'href-redirected': {
    unidentified: (context) =>
      `Answer ${advertised(context)} without a redirect: a redirect to another host does not identify this one. The link may name the other host instead.`,
  },
  'nodeinfo-not-json': { unidentified: (context) => `Answer ${advertised(context)} with a JSON object.` },
  'nodeinfo-no-software': {
    unidentified: (context) => `Set software.name in the NodeInfo document at ${advertised(context)}.`,
  },
  'nodeinfo-unavailable': {
    unidentified: (context) =>
      `Find the error of ${discovery(context)} in the server log; or answer ${config(context)}.`,
  },
  'body-too-large': {
    unidentified: (context) =>
      `Shorten the answer of ${context.lastUrl ?? 'the server'}: one longer than the setting network.maxBodyBytes (256 KiB by default) is not read.`,
  },
  'headers-too-large': {
    unidentified: (context) =>
      `Shorten the headers of ${context.lastUrl ?? 'the server'}: more than 64 KiB are not read. ${showHeaders(context)}`,
  },
  'invalid-encoding': {
    unidentified: (context) =>
      `Send the answer of ${context.lastUrl ?? 'the server'} uncompressed, or compressed to its end: a proxy or hosting platform cuts or changes it. curl --compressed -sS ${context.lastUrl ?? config(context)} shows the error.`,
  },
  'unsupported-encoding': {
    unidentified: (context) =>
      `Send the answer of ${context.lastUrl ?? 'the server'} uncompressed, or in an encoding that the Accept-Encoding of the request names: gzip, deflate or zstd.`,
  },
  'redirect-loop': {
    unidentified: (context) =>
      `Answer ${context.lastUrl ?? config(context)} without a redirect loop; curl -sIL shows the redirects.`,
  },
  'redirect-refused': {
    unidentified: (context) =>
      `Answer ${context.lastUrl ?? config(context)} directly, or redirect it to an https address of a public host on the standard port. In nginx behind a proxy, absolute_redirect off or port_in_redirect off keeps its own port out of redirects.`,
  },
  'challenge-page': {
    unidentified: ({ robotsToken }) =>
      `In the proxy, let /api/v1/config, /.well-known/nodeinfo and /nodeinfo/ pass without a challenge; or let every request with ${robotsToken} in its User-Agent pass.`,
  },
  'access-refused': {
    unidentified: ({ robotsToken }) =>
      `Let /api/v1/config, /.well-known/nodeinfo and /nodeinfo/ pass in the web server, firewall or proxy that answers 403; or let every request with ${robotsToken} in its User-Agent pass.`,
  },
  'parked-page': {
    unidentified: ({ host }) => `Point ${host} at your server: a parking page answers now.`,
  },
  'default-page': {
    unidentified: ({ host }) => `Set up the web server for ${host}: its default page answers now.`,
  },
  'maintenance-page': {
    unidentified: () =>
      'End the maintenance. A maintenance page with status 503 counts as a server error and is retried within hours.',
  },
  'web-app': {
    unidentified: (context) =>
      `Route ${config(context)} to the server behind the web app: it answers with the page of the app, as every unknown address does.`,
  },

  'dns-nxdomain': {
    unreachable: ({ host }) => `Give ${host} an A or AAAA record. If the registration of the name expired, renew it.`,
  },
  'dns-no-address': { unreachable: ({ host }) => `Give ${host} an A or AAAA record: it has neither.` },
  'dns-servfail': {
    unreachable: ({ host }) =>
      `Repair the zone of ${host}: usual causes are expired DNSSEC signatures and name servers that do not know the zone.`,
  },
  'dns-refused': {
    unreachable: ({ host }) => `Check that the name servers to which ${host} is delegated serve its zone.`,
  },
  'dns-timeout': {
    unreachable: ({ host }) => `Check that the name servers of ${host} answer on port 53, by UDP and TCP.`,
  },
  'connect-refused': {
    unreachable: ({ host, port }) => `Start the web server, listening on port ${port} of every address of ${host}.`,
  },
  'connect-timeout': {
    unreachable: ({ host, port }) =>
      `Allow TCP to port ${port} in every firewall, and check that the A and AAAA records of ${host} are the addresses of the server.`,
  },
  'no-route': {
    unreachable: ({ host }) => `Check that the A and AAAA records of ${host} are current addresses of the server.`,
  },
  'connection-reset': {
    unreachable: () => 'Find out what closes the connection: a firewall, a proxy or a crashing server.',
  },
  'tls-expired': { unreachable: ({ host }) => `Renew the certificate of ${host}, and check the clock of the server.` },
  'tls-wrong-name': { unreachable: ({ host }) => `Get a certificate that names ${host}.` },
  'tls-untrusted': {
    unreachable: () =>
      'Use a certificate of a public authority, and send the full chain: the intermediate certificate is often missing.',
  },
  'tls-failed': { unreachable: ({ port }) => `Offer TLS 1.2 or 1.3 on port ${port}.` },
  'tls-timeout': { unreachable: () => answerFaster },
  'response-timeout': { unreachable: () => answerFaster },
  'body-timeout': { unreachable: () => answerFaster },
  'visit-timeout': { unreachable: () => answerFaster },
  'invalid-http': {
    unreachable: (context) =>
      `Serve valid HTTP/1.1 over TLS on port ${context.port}: another program answers there, or a header is malformed. ${showHeaders(context)}`,
  },
  'http-5xx': { unreachable: () => 'Find the error in the log of the server, or of the proxy in front of it.' },
  'robots-unreachable': {
    unreachable: ({ domain }) =>
      `Answer https://${domain}/robots.txt with 200 or 404: while it fails, no other request is allowed (RFC 9309).`,
  },

  'robots-forbidden': { declined: allowInRobots },
  gone: {
    declined: () =>
      'If the server is coming back, answer with anything but 410 Gone. If not, there is nothing to do: it is visited a few times a year.',
  },
  'rate-limited': {
    declined: ({ robotsToken }) =>
      `There is nothing to do: ${robotsToken} waits as long as the server asked. Or allow more requests: a visit makes about four.`,
  },
  'forbidden-address': {
    declined: ({ host }) =>
      `Give ${host} only public addresses: a single private or reserved address is enough for it not to be contacted. (For your own servers, use the setting network.allow.)`,
  },

  redirected: {
    alias: (context) =>
      `To be listed under this name too, answer ${config(context)} without a redirect. Otherwise there is nothing to do.`,
  },
};

/** The robots.txt lines that allow the forbidden paths. Lines for single paths do not list a server that a group closes to us by name. */
function allowInRobots({ domain, forbidden, robotsToken }: CureContext): string {
  const host = forbidden[0]?.host ?? domain;
  const group = `User-agent: ${robotsToken}`;
  if (forbidden[0]?.isNamed === true)
    return `Remove the group from https://${host}/robots.txt that names ${robotsToken}, or replace its rules.\n${group}\nAllow: /`;
  const paths = forbidden.filter((each) => each.host === host).map(({ path }) => `Allow: ${path}`);
  const lines =
    paths.length === 0 ? ['Allow: /api/v1/config', 'Allow: /.well-known/nodeinfo', 'Allow: /nodeinfo/'] : paths;
  return [`Add these lines to https://${host}/robots.txt.`, group, ...lines].join('\n');
}

/**
 * Advice to the operator on the outcome of a visit; null when there is nothing to do.
 *
 * @param verdict another one when the reason is only that of robots.txt.
 */
export function cureOf(verdict: Verdict, reason: Reason, context: CureContext): string | null {
  const row: Readonly<Partial<Record<Verdict, Cure>>> = CURES[reason];
  const cure = verdict in row ? row[verdict] : Object.values(row)[0];
  return cure?.(context) ?? null;
}

/** Advice to the operator on a flag, for the flags that have one cure. */
export const FLAG_CURES: Readonly<Partial<Record<InstanceFlag, (context: CureContext) => string>>> = {
  'software-mismatch': ({ softwareId }) =>
    `Name the same software in configuration and NodeInfo: app.software and software.name must both be exactly "${softwareId}".`,
  'version-mismatch': () =>
    'Report the same version in configuration and NodeInfo; often one of them is cached from before an upgrade, and clearing the cache helps.',
  'app-url-mismatch': ({ domain }) =>
    `Set app.url to https://${domain}, in the environment of the server: it currently names another host.`,
  'registration-mismatch': () =>
    'Report the same registration state in configuration (registration) and NodeInfo (openRegistrations).',
  'nodeinfo-http-href': ({ domain }) =>
    `In https://${domain}/.well-known/nodeinfo, link the NodeInfo document by its https address, not by http.`,
  'wrong-type-field': () => 'Correct the fields of the wrong type: until then their values are unknown.',
  outdated: () => 'Upgrade: a newer version is available.',
};
