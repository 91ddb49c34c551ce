import type { X509Certificate } from 'node:crypto';
import { connect, createSecureContext, type PeerCertificate, type SecureContext, type TLSSocket } from 'node:tls';
import { type Certificate, certificateProblem, readCertificate } from './certificate.ts';
import type { Connector } from './connect-tcp.ts';
import { failureOf, type HttpFailure } from './failure.ts';
import type { HostAddress } from './resolver.ts';

/** How a server greets who connects to it. */
export interface TlsProbe {
  /** Why there was no handshake, or why a visit refuses the certificate; null when a visit would go on. */
  failure: HttpFailure | null;
  /** What the failure alone does not say. */
  detail: string | null;
  /** As TLS names it, `TLSv1.3`; null when there was no handshake. */
  protocol: string | null;
  /** What ALPN (RFC 7301) agreed upon; null when nothing. */
  alpn: string | null;
  certificate: SentCertificate | null;
  /** How many certificates were sent, the server's own included; null when there was no handshake. */
  chainLength: number | null;
}

export interface SentCertificate extends Certificate {
  /** Where the certificate of the issuer is to be had (RFC 5280 section 4.2.2.1); null when it does not say. */
  issuerUrl: string | null;
  isSelfSigned: boolean;
}

export interface TlsProbeOptions {
  host: string;
  port: number;
  /** Judged already. */
  address: HostAddress;
  secureContext: SecureContext;
  connector: Connector;
  /** For the connection to stand, and as long again for the handshake. */
  connectMs: number;
  /** Milliseconds since the epoch, for words about dates. */
  now: () => number;
  signal: AbortSignal;
}

/** Certificates of a chain are counted so far: one may be sent thousands. */
const MOST_CERTIFICATES = 20;

/**
 * Shakes hands with one address of a host, offering HTTP/2 and HTTP/1.1, and hangs up; nothing is sent. It goes on where the
 * certificate is bad, to see it.
 */
export function probeTls(options: TlsProbeOptions): Promise<TlsProbe> {
  return shakeHands(options, options.secureContext, (secured) => {
    const peer = secured.getPeerCertificate();
    const certificate = readCertificate(peer);
    const problem = secured.authorizationError;
    const failure = problem == null ? null : (failureOf(asError(problem)) ?? 'tls-untrusted');
    const sent = secured.getPeerX509Certificate();
    return {
      failure,
      detail: certificate === null ? null : detailOf(failure, certificate, options.now()),
      protocol: secured.getProtocol(),
      alpn: secured.alpnProtocol === false ? null : secured.alpnProtocol,
      certificate:
        certificate === null || sent === undefined
          ? null
          : { ...certificate, issuerUrl: issuerUrlOf(peer), isSelfSigned: signsItself(sent) },
      chainLength: lengthOf(sent),
    };
  });
}

/** Whether a host shakes hands in TLS 1.1 or older too, which RFC 8996 forbids; null when it could not be told. */
export async function speaksOldTls(options: TlsProbeOptions): Promise<boolean | null> {
  // OpenSSL speaks these at security level 0 only.
  const old = createSecureContext({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
  const { failure, protocol } = await shakeHands(options, old, (secured) => ({
    ...NO_HANDSHAKE,
    failure: null,
    protocol: secured.getProtocol(),
  }));
  if (protocol !== null) return true;
  return failure === 'tls-failed' || failure === 'connection-reset' ? false : null;
}

const NO_HANDSHAKE = { detail: null, protocol: null, alpn: null, certificate: null, chainLength: null };

function shakeHands(
  { host, port, address, connector, connectMs, signal }: TlsProbeOptions,
  secureContext: SecureContext,
  look: (secured: TLSSocket) => TlsProbe,
): Promise<TlsProbe> {
  const { promise, resolve } = Promise.withResolvers<TlsProbe>();
  const socket = connector([address], port);
  const secured = connect({
    socket,
    servername: host,
    secureContext,
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: false,
  });
  const end = (greeting: TlsProbe) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    resolve(greeting);
    secured.destroy();
    socket.destroy();
  };
  const fail = (failure: HttpFailure, detail: string | null = null) => end({ ...NO_HANDSHAKE, failure, detail });
  const onError = (error: Error) => fail(failureOf(error) ?? 'tls-failed', reasonOf(error));
  const onAbort = () => fail('visit-timeout');
  let timer = setTimeout(() => fail('connect-timeout'), connectMs);
  signal.addEventListener('abort', onAbort, { once: true });
  // These stay attached: a socket that was destroyed here may still report its own end.
  socket.on('error', onError);
  secured.on('error', onError);
  socket.once('connect', () => {
    clearTimeout(timer);
    timer = setTimeout(() => fail('tls-timeout'), connectMs);
  });
  secured.once('secureConnect', () => end(look(secured)));
  if (signal.aborted) onAbort();
  return promise;
}

/** Node tells a refused certificate by its code alone. */
function asError(problem: Error | string): Error {
  return typeof problem === 'string' ? Object.assign(new Error(problem), { code: problem }) : problem;
}

/** What OpenSSL says of a handshake that failed: `tlsv1 alert protocol version`. */
function reasonOf(error: Error): string | null {
  return 'reason' in error && typeof error.reason === 'string' ? error.reason : null;
}

function detailOf(failure: HttpFailure | null, certificate: Certificate, now: number): string | null {
  if (failure !== 'tls-expired' && failure !== 'tls-wrong-name' && failure !== 'tls-untrusted') return null;
  return certificateProblem(failure, certificate, now);
}

function issuerUrlOf({ infoAccess }: PeerCertificate): string | null {
  return infoAccess?.['CA Issuers - URI']?.[0]?.slice(0, 500) ?? null;
}

function signsItself(certificate: X509Certificate): boolean {
  return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
}

/** Node links the certificates that were sent, in their order, and no others. */
function lengthOf(certificate: X509Certificate | undefined): number {
  let length = 0;
  for (let at = certificate; at !== undefined && length < MOST_CERTIFICATES; at = at.issuerCertificate) length += 1;
  return length;
}
