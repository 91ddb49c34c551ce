import type { IncomingHttpHeaders } from 'node:http';
import type { DnsFailure } from '../http/dns-failure.ts';
import type { CaaRecord } from '../http/dns-questions.ts';
import type { HttpFailure } from '../http/failure.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { Visit } from '../model/visit.ts';

/** Every request that a check can make, by what it is for. At most one of each is sent. */
export const REQUEST_NAMES = [
  /** `GET /`. */
  'home',
  /** `GET http://DOMAIN/api/v1/config` on port 80, so that it shows whether a redirect keeps the path; not made for a domain that names a port. */
  'home-http',
  /** `GET https://www.DOMAIN/`, or that of the name without `www.`; not made for a domain that names a port. */
  'home-www',
  'robots',
  /** `GET /api/v1/config` with an `Origin` of another site. */
  'config',
  /** The same to the first IPv4 address alone, and to the first IPv6 address alone; made only where the host has both. */
  'config-ipv4',
  'config-ipv6',
  /** `OPTIONS /api/v1/config` as a browser sends it before a request of another site. */
  'config-preflight',
  'discovery',
  /** The href of the discovery document's 2.0 entry, as given; at whichever host it is. */
  'nodeinfo',
  /** The href of the entry with the highest schema version, where that is not 2.0; as given, at whichever host it is. */
  'nodeinfo-latest',
  /** `GET` of a page, and of an API route, whose names are drawn at random. */
  'unknown-page',
  'unknown-api-route',
  /** `GET /api/v1/account/info/self` without a token. */
  'self-without-token',
  /** `GET /api/v1/video/0`: no snowflake identifier is 0. */
  'unknown-video',
  /** `GET /oauth/authorize` with a client that is not registered. */
  'authorize',
  /** `POST` of an empty JSON object: there is nothing in it to act upon. */
  'token',
  'revoke',
  'apps',
  /** WebFinger of the instance actor, `acct:DOMAIN@DOMAIN`; and of an account whose name is drawn at random. */
  'webfinger',
  'webfinger-unknown',
  /** `GET /ap/actor`, or what WebFinger says of the instance actor, as ActivityPub. */
  'actor',
] as const;

export type RequestName = (typeof REQUEST_NAMES)[number];

/**
 * One request of a check, and what came of it. Redirects are not followed, but for those of a document within the host: of these, it is
 * the last answer. Where a redirect leads is in its `location`.
 */
export interface Exchange {
  method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  url: string;
  /** Null when no answer began. */
  status: number | null;
  /** Empty when no answer began. */
  headers: IncomingHttpHeaders;
  /** Decompressed; empty when none came. */
  body: Uint8Array;
  /** The whole request with its connection, in milliseconds. */
  ms: number;
  /** Why there is no usable answer; null when there is one, whatever its status. */
  failure: HttpFailure | null;
  /** What the failure alone does not say. */
  detail: string | null;
  /** The addresses that redirected to this one, in order; empty when it was asked for at once. */
  followed: readonly string[];
}

/** The site that a check says it asks from, to see whether the scripts of other sites may read an answer. */
export const FOREIGN_ORIGIN = 'https://client.example';

/** All that a check learnt, before anything is judged. Rules see this and nothing else. */
export interface Evidence {
  domain: Domain;
  /** When the check began, milliseconds since the epoch. */
  at: number;
  /** What a server of the service calls itself. */
  softwareId: string;
  /** The identification as a crawl does it. */
  visit: Visit;
  own: OwnNetwork;
  dns: DnsEvidence;
  /** Null when there is no address that may be connected to. */
  tls: TlsEvidence | null;
  /** Null for a request that was not made, as there was no need or no way. */
  answers: Readonly<Record<RequestName, Exchange | null>>;
  /** The newest release of the software that is known, from whoever asks for the check; null when none is. */
  newestVersion: string | null;
  /** Why not everything could be asked: the time or the number of requests was used up. Null when everything was. */
  cutShort: string | null;
}

/** What works of the network of the machine that checks: what fails there is held against nobody. True where there was no cause to doubt it. */
export interface OwnNetwork {
  /** Whether it has a route to the public addresses of the family. */
  ipv4: boolean;
  ipv6: boolean;
  /** Whether its name servers answer. */
  dns: boolean;
}

export interface DnsEvidence {
  /** The name looked up. */
  name: string;
  ipv4: AddressAnswer;
  ipv6: AddressAnswer;
  /** The CAA records of the nearest name that has any (RFC 8659); null when the question was not answered. */
  caa: { name: string; records: readonly CaaRecord[] } | null;
}

export interface AddressAnswer {
  addresses: readonly string[];
  /** Null when the question was answered with addresses. */
  failure: DnsFailure | null;
  /** Those of the addresses that are not public, with what they are and its source. */
  forbidden: readonly { address: string; what: string; source: string }[];
}

export interface TlsEvidence {
  /** One for the first address of each family, IPv4 first; each offered `h2` and `http/1.1`. */
  handshakes: readonly Handshake[];
  /** Whether TLS 1.1 or older is spoken too; null when that could not be told. */
  speaksOldTls: boolean | null;
}

export interface Handshake {
  address: string;
  family: 4 | 6;
  /** Why it failed or the certificate is refused; null when a crawl would go on. */
  failure: HttpFailure | null;
  detail: string | null;
  /** As TLS names it, `TLSv1.3`; null when none was agreed upon. */
  protocol: string | null;
  /** What ALPN agreed upon; null when nothing. */
  alpn: string | null;
  certificate: SentCertificate | null;
  /** How many certificates were sent, the server's own included. */
  chainLength: number | null;
}

export interface SentCertificate {
  names: readonly string[];
  /** Milliseconds since the epoch. */
  validFrom: number;
  validTo: number;
  issuer: string | null;
  /** Where the certificate of the issuer is to be had (RFC 5280 section 4.2.2.1); null when it does not say. */
  issuerUrl: string | null;
  isSelfSigned: boolean;
}
