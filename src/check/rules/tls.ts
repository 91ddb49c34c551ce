import type { HttpFailure } from '../../http/failure.ts';
import { portOf } from '../../model/domain/domain.ts';
import { REASONS } from '../../model/reason.ts';
import { DAY_MS, utcText } from '../../model/time.ts';
import type { Handshake } from '../evidence.ts';
import { sharedTlsFailure, whyOffline } from '../reachability.ts';
import { fail, info, type Judgement, listItems, pass, type Rule, showText, warn } from '../rule.ts';

const SEE_LISTENING = (port: number) => `    ss -tlnp | grep ':${port} '`;
const SEE_HANDSHAKE = (domain: string, port: number) =>
  `    openssl s_client -connect ${domain}:${port} -servername ${domain}`;
const NOT_TLS_CURE =
  'The port must speak TLS itself. In nginx, add `ssl` to the `listen` line, and the certificate below it:';
const LISTEN = (port: number) => `    listen ${port} ssl;\n    listen [::]:${port} ssl;`;

/** Cures for failed connections; other rules report problems of the certificate. */
const CURES: Partial<Record<HttpFailure, (name: string, port: number) => string>> = {
  'connect-refused': (name, port) =>
    `Nothing listens on port ${port}, or a firewall refuses it. Check on the server whether the web server runs and where it listens, and start it:\n\n${SEE_LISTENING(port)}\n    systemctl status nginx\n\nIf the site has no certificate yet, get one:\n\n${CERTBOT(name)}`,
  'connect-timeout': (_name, port) =>
    `A firewall drops the packets, or the machine is off. Open port ${port} on the machine and at the hosting provider (security group, router), and check whether the DNS still has the address of the machine:\n\n    ufw allow ${port}/tcp`,
  'no-route': () =>
    'There is no route to the address. Check whether the DNS still has the address of the machine, and whether the machine is connected.',
  'connection-reset': (name, port) =>
    `Connections are closed during the TLS handshake, by a firewall, by attack protection, or by a web server without a certificate for this name. This shows the handshake and the log:\n\n${SEE_HANDSHAKE(name, port)}\n    tail /var/log/nginx/error.log`,
  'tls-failed': (name, port) =>
    `${NOT_TLS_CURE}\n\n${LISTEN(port)}\n\nThis shows what the server sends instead:\n\n${SEE_HANDSHAKE(name, port)}`,
  'tls-timeout': (name, port) =>
    `The server accepts connections, but does not answer the TLS handshake. Restart the web server; check whether all its workers are busy, and whether a proxy in front expects another protocol:\n\n${SEE_HANDSHAKE(name, port)}`,
};

/** Whether a handshake succeeded with a certificate that a crawl accepts. */
function isVerified({ failure, certificate }: Handshake): boolean {
  return failure === null && certificate !== null;
}

/**
 * Whether verification fails because the intermediate certificate was not sent. The certificate then contains the URL of
 * its issuer's certificate; public authorities include it, private ones rarely do.
 */
function isChainIncomplete({ failure, certificate, chainLength }: Handshake): boolean {
  if (failure !== 'tls-untrusted' || certificate === null || certificate.isSelfSigned) return false;
  return chainLength === 1 && certificate.issuerUrl !== null;
}

export const tlsConnects: Rule = {
  id: 'tls-connects',
  worst: 'fail',
  title: 'The server accepts TLS connections',
  checks:
    'Connects to the first address of each family, on port 443 or the port of the domain, and performs a TLS handshake. Fails when neither works, and distinguishes a closed port, a firewall, a reset and a port without TLS.',
  why: 'A Loops server works only over https. Without it, the server is down for everybody.',
  sources: ['RFC 9110 section 4.2.2', 'RFC 8446'],
  cure: 'Start the web server, open port 443, and enable TLS on it:\n\n    listen 443 ssl;\n    listen [::]:443 ssl;',
  judge(evidence) {
    const { tls, domain, dns } = evidence;
    if (tls === null || tls.handshakes.length === 0) return null;
    const offline = whyOffline(evidence);
    if (offline !== null) return info(`Not tried, because ${offline}. The result does not concern the server.`);
    const shared = sharedTlsFailure(tls);
    if (shared === null) return pass('TLS connections succeed.');
    const { failure, handshake } = shared;
    const cure = CURES[failure];
    // `tls-protocol` reports a server that speaks only old protocols.
    if (cure === undefined || (failure === 'tls-failed' && tls.speaksOldTls === true)) return null;
    const port = portOf(domain);
    const detail = handshake.detail === null ? '' : ` (${showText(handshake.detail)})`;
    const where = tls.handshakes
      .filter(({ failure: own }) => own === failure)
      .map(({ address }) => address)
      .join(' and ');
    return fail(
      `No TLS connection to port ${port} of ${where}: ${REASONS[failure].means}${detail}.`,
      cure(dns.name, port),
    );
  },
};

const CERTBOT = (name: string) => `    certbot --nginx -d ${name}`;

const tlsTrusted: Rule = {
  id: 'tls-trusted',
  worst: 'fail',
  title: 'The certificate is signed by a trusted authority',
  checks:
    'Verifies the certificate as a client does, against the public authorities. Fails for a self-signed certificate and for one from an authority that is not public.',
  why: 'Apps, browsers and other servers refuse the connection. A visitor who once accepted the certificate manually does not notice.',
  sources: ['RFC 5280 section 6', 'RFC 9110 section 4.3.4'],
  cure: 'Get a certificate from a public authority; it is free:\n\n    certbot --nginx -d loops.example',
  judge({ tls, dns }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    if (shared === null) {
      const issuer = tls.handshakes.find(isVerified)?.certificate?.issuer ?? null;
      return pass(
        issuer === null ? 'The certificate is trusted.' : `The certificate is signed by ${showText(issuer)}.`,
      );
    }
    const { failure, handshake } = shared;
    if (failure !== 'tls-untrusted' || isChainIncomplete(handshake)) return null;
    const { certificate } = handshake;
    if (certificate?.isSelfSigned === true) {
      return fail(
        'The certificate is self-signed: the server vouches for itself.',
        `Get a certificate from a public authority; it is free. The self-signed one is often the default of the web server or the hosting panel, sent because the site has none:\n\n${CERTBOT(dns.name)}`,
      );
    }
    const issuer = certificate?.issuer ?? null;
    const by = issuer === null ? 'an unnamed authority' : `"${showText(issuer)}"`;
    return fail(
      `The certificate is signed by ${by}, which is not among the authorities that clients trust.`,
      `Get a certificate from a public authority. A certificate from a staging authority, from your own authority, or from a proxy (Cloudflare Origin CA) is only valid between your own machines:\n\n${CERTBOT(dns.name)}`,
    );
  },
};

const tlsChain: Rule = {
  id: 'tls-chain',
  worst: 'fail',
  title: 'The server sends the complete certificate chain',
  checks:
    'Fails when the certificate cannot be verified because the server sends it without the certificate of the intermediate authority that signed it.',
  why: 'Browsers fetch or cache the missing certificate and show no error. The official app, other servers, crawlers and `curl` do not, and refuse the connection: the site works for its operator, but is down for the fediverse.',
  sources: ['RFC 8446 section 4.4.2', 'RFC 5280 section 6.1'],
  cure: 'Point the web server at the full chain instead of the certificate alone:\n\n    ssl_certificate /etc/letsencrypt/live/loops.example/fullchain.pem;',
  judge({ tls, dns }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    if (shared === null) {
      const sent = tls.handshakes.find(isVerified)?.chainLength ?? null;
      return sent === null
        ? null
        : pass(
            `The server sends ${sent === 1 ? '1 certificate' : `${sent} certificates`}, and the chain leads to a trusted authority.`,
          );
    }
    if (!isChainIncomplete(shared.handshake)) return null;
    const issuer = shared.handshake.certificate?.issuer ?? null;
    const signer = issuer === null ? 'the authority' : `"${showText(issuer)}"`;
    return fail(
      `The server sends only its own certificate, without the certificate of ${signer} that signed it. Browsers may still work; apps and other servers do not.`,
      `Point the web server at the full chain instead of \`cert.pem\`, and reload it:\n\n    ssl_certificate /etc/letsencrypt/live/${dns.name}/fullchain.pem;\n\nWith files from another authority, put the intermediate below the certificate in one file:\n\n    cat certificate.pem intermediate.pem > fullchain.pem`,
    );
  },
};

const tlsNames: Rule = {
  id: 'tls-names',
  worst: 'fail',
  title: 'The certificate is for this host',
  checks:
    'Fails when the host is not among the names of the certificate (subject alternative names, wildcards included).',
  why: 'Apps, browsers and other servers refuse the connection. Usually, another site on the same machine answers for this name.',
  sources: ['RFC 9525 section 6', 'RFC 9110 section 4.3.4'],
  cure: 'Get a certificate for the name, and use it in the site with that name:\n\n    certbot --nginx -d loops.example',
  judge({ tls, dns }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    const names = (shared?.handshake ?? tls.handshakes.find(isVerified))?.certificate?.names ?? null;
    const hosts = names === null || names.length === 0 ? 'no host' : listItems(names.map(showText));
    if (shared === null) return names === null ? null : pass(`The certificate is for ${hosts}.`);
    if (shared.failure !== 'tls-wrong-name') return null;
    return fail(
      `The certificate is for ${hosts}, not for ${dns.name}.`,
      `Get a certificate for the name:\n\n    certbot --nginx -d ${dns.name}\n\nIf there is one already, another site answers: check that \`server_name\` of the right site is exact, and that the site listens on the same addresses as the others:\n\n    server_name ${dns.name};`,
    );
  },
};

const WARN_DAYS = 14;

const RENEW =
  'Renew it, and reload the web server, which sends the old one until then:\n\n    certbot renew\n    systemctl reload nginx\n\nCheck why the automatic renewal did not run:\n\n    systemctl list-timers | grep -i -E "certbot|acme"\n    certbot renew --dry-run';

export const tlsExpiry: Rule = {
  id: 'tls-expiry',
  worst: 'fail',
  title: 'The certificate is not about to expire',
  checks:
    'Fails for a certificate that has expired or is not valid yet; warns when fewer than 14 days are left, or less than a third of its lifetime if that is shorter.',
  why: 'An expired certificate disconnects the server from the fediverse at once. Automatic renewal starts earlier, so a certificate this close to expiry means that renewal has stopped.',
  sources: ['RFC 5280 section 4.1.2.5', 'RFC 9110 section 4.3.4'],
  cure: RENEW,
  judge({ tls, at }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    if (shared !== null) return shared.failure === 'tls-expired' ? judgeExpired(shared.handshake, at) : null;
    const [soonest] = tls.handshakes
      .flatMap(({ failure, certificate, address }) =>
        failure === null && certificate !== null ? [{ ...certificate, address }] : [],
      )
      .sort((a, b) => a.validTo - b.validTo);
    if (soonest === undefined) return null;
    const leftMs = soonest.validTo - at;
    const days = Math.floor(leftMs / DAY_MS);
    const until = `The certificate is valid until ${dayOf(soonest.validTo)}, for ${days === 1 ? '1 more day' : `${days} more days`}`;
    if (leftMs >= Math.min(WARN_DAYS * DAY_MS, (soonest.validTo - soonest.validFrom) / 3)) return pass(`${until}.`);
    const hasLaterExpiry = tls.handshakes.some(
      ({ certificate }) => certificate !== null && certificate.validTo > soonest.validTo,
    );
    return warn(
      `${until}${hasLaterExpiry ? `, at ${soonest.address} (the certificate at the other address expires later)` : ''}.`,
    );
  },
};

function judgeExpired({ certificate }: Handshake, at: number): Judgement {
  if (certificate === null) return fail('The certificate has expired, or is not valid yet.', RENEW);
  const { validFrom, validTo } = certificate;
  if (at > validTo) return fail(`The certificate expired on ${dayOf(validTo)}.`, RENEW);
  if (at < validFrom) {
    return fail(
      `The certificate is not valid before ${utcText(validFrom)}, and the clock of this machine says ${utcText(at)}.`,
      `If the clock of this machine is right, correct that of the machine that created the certificate, and renew it:\n\n    timedatectl set-ntp true\n    certbot renew --force-renewal\n    systemctl reload nginx`,
    );
  }
  return fail(
    `The certificate itself is valid until ${dayOf(validTo)}, but another certificate sent with it has expired.`,
    'Send the chain that came with the certificate, not an older one. Set this in nginx, then reload it:\n\n    ssl_certificate /etc/letsencrypt/live/YOUR-NAME/fullchain.pem;',
  );
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const PROTOCOLS_LINE = '    ssl_protocols TLSv1.2 TLSv1.3;';

export const tlsProtocol: Rule = {
  id: 'tls-protocol',
  worst: 'fail',
  title: 'The server speaks TLS 1.2 and 1.3 only',
  checks:
    'Fails when the server speaks only TLS 1.1 or older, warns when it accepts these versions too, and reports a missing TLS 1.3 as info. A separate handshake tries the old versions.',
  why: 'Current apps and servers no longer speak TLS 1.1. The old versions are broken, and a server that accepts them allows a downgrade attack.',
  sources: ['RFC 8996', 'RFC 9325 section 3.1.1', 'RFC 8446'],
  cure: `Set this in nginx, then reload it:\n\n${PROTOCOLS_LINE}`,
  judge({ tls }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    if (shared?.failure === 'tls-failed' && tls.speaksOldTls === true) {
      return fail(
        'The server speaks only TLS 1.1 or older, so current clients cannot connect.',
        `Update the web server and its OpenSSL, and set the current versions in nginx:\n\n${PROTOCOLS_LINE}`,
      );
    }
    const protocol = tls.handshakes.find((handshake) => handshake.protocol !== null)?.protocol ?? null;
    if (protocol === null) return null;
    if (/^(SSL|TLSv1$|TLSv1\.1$)/.test(protocol)) {
      return fail(
        `The server agrees on ${showText(protocol)}, which is broken.`,
        `Update the web server and its OpenSSL, and set the current versions in nginx:\n\n${PROTOCOLS_LINE}`,
      );
    }
    if (tls.speaksOldTls === true) {
      return warn(
        `The server speaks ${showText(protocol)}, and also TLS 1.1 or older.`,
        `Allow only the current versions. In nginx, set the line once for all sites (the first site on an address decides), then reload it:\n\n${PROTOCOLS_LINE}`,
      );
    }
    const caveat = tls.speaksOldTls === null ? ' It is unknown whether older versions are accepted.' : '';
    if (protocol === 'TLSv1.2')
      return info(`The server speaks TLS 1.2 but not 1.3, which would save a round trip.${caveat}`);
    return pass(`The server speaks ${showText(protocol)}.${caveat}`);
  },
};

export const tlsAlpn: Rule = {
  id: 'tls-alpn',
  worst: 'info',
  title: 'The server selects the HTTP version by ALPN',
  checks: 'Offers `h2` and `http/1.1` in the handshake. Reports a server that selects neither as info.',
  why: 'Without ALPN, clients must use HTTP/1.1, with one request at a time on each connection.',
  sources: ['RFC 7301', 'RFC 9113 section 3.2'],
  cure: 'Set this in nginx 1.25.1 or newer, then reload it:\n\n    http2 on;',
  judge({ tls }) {
    const handshake = tls?.handshakes.find(({ failure, protocol }) => failure === null && protocol !== null);
    if (handshake === undefined) return null;
    const { alpn } = handshake;
    if (alpn === null) return info('The server does not support ALPN, so every client uses HTTP/1.1.');
    return pass(`The server selects ${showText(alpn)} from h2 and http/1.1.`);
  },
};

export const tlsRules: readonly Rule[] = [tlsConnects, tlsTrusted, tlsChain, tlsNames, tlsExpiry, tlsProtocol, tlsAlpn];
