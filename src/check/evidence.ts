import type { IncomingHttpHeaders } from 'node:http';
import type { DnsFailure } from '../http/dns-failure.ts';
import type { CaaRecord } from '../http/dns-queries.ts';
import type { HttpFailure, StrictError } from '../http/failure.ts';
import type { Domain } from '../model/domain/domain.ts';
import type { EpochMs } from '../model/time.ts';
import type { Visit } from '../model/visit.ts';

/** Every request that a check can make; each is sent at most once. */
export const REQUEST_NAMES = [
  /** `GET /`. */
  'home',
  /** `GET http://DOMAIN/api/v1/config` on port 80, to see whether a redirect keeps the path; not sent to a domain with a port. */
  'config-http',
  /** `GET https://www.DOMAIN/`, or without `www.` if the domain has it; not sent to a domain with a port. */
  'home-www',
  'robots',
  /** `GET /api/v1/config` with the `Origin` of another site. */
  'config',
  /** The next two: the request `config` to the first IPv4 and to the first IPv6 address; sent only to a host that has both. */
  'config-ipv4',
  'config-ipv6',
  /** `OPTIONS /api/v1/config`, the CORS preflight of a browser. */
  'config-preflight',
  'discovery',
  /** The href of the 2.0 entry of the discovery document, unchanged, on any host. */
  'nodeinfo',
  /** The href of the entry with the highest schema version, if that is not 2.0; unchanged, on any host. */
  'nodeinfo-latest',
  /** The next two: `GET` of a page and of an API route with random names. */
  'unknown-page',
  'unknown-api-route',
  /** `GET /api/v1/account/info/self` without a token. */
  'self-without-token',
  /** `GET /api/v1/video/0`: no snowflake identifier is 0. */
  'unknown-video',
  /** `GET /oauth/authorize` with a client that is not registered. */
  'authorize',
  /** The next three: `POST` of an empty JSON object, on which the server cannot act. */
  'token',
  'revoke',
  'apps',
  /** The next two: WebFinger of the instance actor, `acct:DOMAIN@DOMAIN`, and of an account with a random name. */
  'webfinger',
  'webfinger-unknown',
  /** `GET` of the instance actor as ActivityPub: the URL that WebFinger names, or `/ap/actor`. */
  'actor',
  /** `GET /storage/avatars/default.jpg`, a file that Loops ships. */
  'storage',
  /** The next two: `GET` of the first script and the first style sheet of the home page, if they are on the host. */
  'web-script',
  'web-style',
  /** The headers of a `POST` to the upload endpoint that announce a video of the permitted size, without a body. Sent only for an operator. */
  'upload',
  /** `POST` of an empty JSON object to the shared inbox, without a signature. Sent only for an operator. */
  'inbox',
] as const;

export type RequestName = (typeof REQUEST_NAMES)[number];

/**
 * One request of a check with its answer. Redirects are followed only for config, discovery and NodeInfo, and only within the host; the
 * last answer is then recorded. A redirect that was not followed has its target in the header `location`.
 */
export interface CheckExchange {
  method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  url: string;
  /** Null without an answer. */
  status: number | null;
  /** Empty without an answer. */
  headers: IncomingHttpHeaders;
  /** Decompressed; empty without an answer. */
  body: Uint8Array;
  /** Duration of connection, request and answer, in milliseconds. */
  ms: number;
  /** Why there is no complete answer; null when there is one, with any status. */
  failure: HttpFailure | null;
  /** More about the failure. */
  detail: string | null;
  /** Why the answer could only be read leniently; missing when it was read strictly. */
  strictError?: StrictError;
  /** The URLs that redirected to this one, in order. */
  followed: readonly string[];
}

/** The `Origin` of cross-origin requests, to test whether scripts of other sites may read an answer. */
export const FOREIGN_ORIGIN = 'https://client.example';

/** Everything that a check gathers. The rules read nothing else. */
export interface Evidence {
  domain: Domain;
  /** Start of the check. */
  at: EpochMs;
  /** The software name that identifies a Loops server. */
  softwareId: string;
  /** The identification as a crawl does it. */
  visit: Visit;
  localNetwork: LocalNetwork;
  dns: DnsEvidence;
  /** Null without a permitted address, and for a local server. */
  tls: TlsEvidence | null;
  /** Null for a request that was not sent. */
  answers: Readonly<Record<RequestName, CheckExchange | null>>;
  /** The newest release of the software; null when unknown. */
  newestVersion: string | null;
  /** Why some requests were not sent; null when all were. */
  incompleteReason: string | null;
}

/** What works in the network of the checking machine; faults of that network are not findings. Each field is true unless a fault was found. */
export interface LocalNetwork {
  /** Whether the machine has a route to public IPv4 addresses. */
  ipv4: boolean;
  /** Whether the machine has a route to public IPv6 addresses. */
  ipv6: boolean;
  /** Whether the name servers of the machine work. */
  dns: boolean;
}

export interface DnsEvidence {
  /** The name looked up. */
  name: string;
  ipv4: AddressAnswer;
  ipv6: AddressAnswer;
  /** The CAA records in force (RFC 8659) and the name that has them; null when a query was not answered, or none was sent. */
  caa: { name: string; records: readonly CaaRecord[] } | null;
}

export interface AddressAnswer {
  addresses: readonly string[];
  /** Null when there are addresses. */
  failure: DnsFailure | null;
  /** The addresses that are not public, each with the use of its block (`what`) and the document that reserves the block. */
  forbidden: readonly { address: string; what: string; source: string }[];
}

export interface TlsEvidence {
  /** One for the first address of each family, IPv4 first; each offered `h2` and `http/1.1`. */
  handshakes: readonly Handshake[];
  /** Whether TLS 1.1 or older is accepted; null when unknown. */
  speaksOldTls: boolean | null;
}

export interface Handshake {
  address: string;
  family: 4 | 6;
  /** Why it failed, or why a crawl would refuse the certificate; null when neither applies. */
  failure: HttpFailure | null;
  detail: string | null;
  /** The negotiated version, such as `TLSv1.3`; null when none was negotiated. */
  protocol: string | null;
  /** The protocol negotiated by ALPN; null when none was negotiated. */
  alpn: string | null;
  certificate: SentCertificate | null;
  /** Number of certificates sent, including that of the server. */
  chainLength: number | null;
}

export interface SentCertificate {
  names: readonly string[];
  validFrom: EpochMs;
  validTo: number;
  issuer: string | null;
  /** The URL of the issuer's certificate (RFC 5280 section 4.2.2.1); null when it is not given. */
  issuerUrl: string | null;
  isSelfSigned: boolean;
}
