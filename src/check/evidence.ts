import type { Domain } from '../domain/domain.ts';
import type { DnsFailure } from '../http/dns-failure.ts';
import type { CaaRecord } from '../http/dns-questions.ts';
import type { HttpFailure } from '../http/failure.ts';
import type { Visit } from '../record/visit.ts';
import type { Exchange } from './exchange.ts';
import type { RequestName } from './request-name.ts';

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
