import type { X509Certificate } from 'node:crypto';
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import type { EpochMs } from '../model/time.ts';
import { type Certificate, certificateProblem, readCertificate } from './certificate.ts';
import type { Connector } from './connect-tcp.ts';
import { failureOf, type HttpFailure } from './failure.ts';
import type { HostAddress } from './resolver.ts';

/** The result of one TLS handshake with a server. */
export interface TlsProbe {
  /** Why the handshake failed, or why a visit rejects the certificate; null when a visit would continue. */
  failure: HttpFailure | null;
  /** Explains the failure. */
  detail: string | null;
  /** The protocol version: `TLSv1.3`; null without a handshake. */
  protocol: string | null;
  /** The protocol chosen by ALPN (RFC 7301); null without one. */
  alpn: string | null;
  certificate: SentCertificate | null;
  /** Number of certificates sent, including the server's own; null without a handshake. */
  chainLength: number | null;
}

export interface SentCertificate extends Certificate {
  /** Where to download the issuer's certificate (RFC 5280 section 4.2.2.1); null when not given. */
  issuerUrl: string | null;
  isSelfSigned: boolean;
}

export interface TlsProbeOptions {
  host: string;
  port: number;
  /** Must have passed the address guard. */
  address: HostAddress;
  secureContext: SecureContext;
  connector: Connector;
  /** Time limit of the TCP connection, and again of the handshake. */
  connectMs: number;
  /** For messages about dates. */
  now: () => EpochMs;
  signal: AbortSignal;
}

/** A server may send thousands of certificates; counting stops here. */
const MAX_CERTIFICATES = 20;

/**
 * Completes a TLS handshake with one address of a host, offering HTTP/2 and HTTP/1.1, and closes the connection without a request. A bad
 * certificate does not stop it, so that the certificate can be reported.
 */
export function probeTls(options: TlsProbeOptions): Promise<TlsProbe> {
  return handshake(options, options.secureContext, (secured) => {
    const sent = secured.getPeerX509Certificate();
    const certificate = readCertificate(sent);
    const problem = secured.authorizationError;
    const failure = problem == null ? null : (failureOf(asError(problem)) ?? 'tls-untrusted');
    return {
      failure,
      detail: certificate === null ? null : detailOf(failure, certificate, options.now()),
      protocol: secured.getProtocol(),
      alpn: secured.alpnProtocol === false ? null : secured.alpnProtocol,
      certificate:
        certificate === null || sent === undefined
          ? null
          : { ...certificate, issuerUrl: issuerUrlOf(sent), isSelfSigned: isSelfSigned(sent) },
      chainLength: chainLength(sent),
    };
  });
}

/** Whether a host also accepts TLS 1.1 or older, which RFC 8996 forbids; null when undecided. */
export async function speaksOldTls(options: TlsProbeOptions): Promise<boolean | null> {
  // OpenSSL allows these versions at security level 0 only.
  const old = createSecureContext({ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
  const { failure, protocol } = await handshake(options, old, (secured) => ({
    ...NO_HANDSHAKE,
    failure: null,
    protocol: secured.getProtocol(),
  }));
  if (protocol !== null) return true;
  return failure === 'tls-failed' || failure === 'connection-reset' ? false : null;
}

const NO_HANDSHAKE = { detail: null, protocol: null, alpn: null, certificate: null, chainLength: null };

function handshake(
  { host, port, address, connector, connectMs, signal }: TlsProbeOptions,
  secureContext: SecureContext,
  inspect: (secured: TLSSocket) => TlsProbe,
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
  const end = (result: TlsProbe) => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    resolve(result);
    secured.destroy();
    socket.destroy();
  };
  const fail = (failure: HttpFailure, detail: string | null = null) => end({ ...NO_HANDSHAKE, failure, detail });
  const onError = (error: Error) => fail(failureOf(error) ?? 'tls-failed', reasonOf(error));
  const onAbort = () => fail('visit-timeout');
  let timer = setTimeout(() => fail('connect-timeout'), connectMs);
  signal.addEventListener('abort', onAbort, { once: true });
  // These stay attached: a destroyed socket may still report its end.
  socket.on('error', onError);
  secured.on('error', onError);
  socket.once('connect', () => {
    clearTimeout(timer);
    timer = setTimeout(() => fail('tls-timeout'), connectMs);
  });
  secured.once('secureConnect', () => end(inspect(secured)));
  if (signal.aborted) onAbort();
  return promise;
}

/** Node may report a rejected certificate by its code alone. */
function asError(problem: Error | string): Error {
  return typeof problem === 'string' ? Object.assign(new Error(problem), { code: problem }) : problem;
}

/** OpenSSL's reason for a failed handshake, such as `tlsv1 alert protocol version`. */
function reasonOf(error: Error): string | null {
  return 'reason' in error && typeof error.reason === 'string' ? error.reason : null;
}

function detailOf(failure: HttpFailure | null, certificate: Certificate, now: number): string | null {
  if (failure !== 'tls-expired' && failure !== 'tls-wrong-name' && failure !== 'tls-untrusted') return null;
  return certificateProblem(failure, certificate, now);
}

function issuerUrlOf(certificate: X509Certificate): string | null {
  return certificate.toLegacyObject().infoAccess?.['CA Issuers - URI']?.[0]?.slice(0, 500) ?? null;
}

function isSelfSigned(certificate: X509Certificate): boolean {
  return certificate.checkIssued(certificate) && certificate.verify(certificate.publicKey);
}

/** Node links exactly the certificates that were sent, in their order. */
function chainLength(certificate: X509Certificate | undefined): number {
  let length = 0;
  for (let link = certificate; link !== undefined && length < MAX_CERTIFICATES; link = link.issuerCertificate)
    length += 1;
  return length;
}
