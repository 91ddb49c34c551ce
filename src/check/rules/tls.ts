import type { HttpFailure } from '../../http/failure.ts';
import { portOf } from '../../model/domain/domain.ts';
import { REASONS } from '../../model/reason.ts';
import type { Handshake } from '../evidence.ts';
import { sharedTlsFailure, whyOffline } from '../reachability.ts';
import { fail, info, type Judgement, nameAll, pass, type Rule, showText, warn } from '../rule.ts';

const SEE_LISTENING = (port: number) => `    ss -tlnp | grep ':${port} '`;
const SEE_HANDSHAKE = (domain: string, port: number) =>
  `    openssl s_client -connect ${domain}:${port} -servername ${domain}`;
const PLAIN =
  'The port must speak TLS itself. In nginx the word `ssl` belongs into the line, and the certificate below it:';
const LISTEN = (port: number) => `    listen ${port} ssl;\n    listen [::]:${port} ssl;`;

/** Cures for failed connections; other rules report certificates. */
const CURES: Partial<Record<HttpFailure, (name: string, port: number) => string>> = {
  'connect-refused': (_name, port) =>
    `Nothing listens on port ${port}, or a firewall refuses it. See on the server whether the web server runs and where it listens, and start it:\n\n${SEE_LISTENING(port)}\n    systemctl status nginx`,
  'connect-timeout': (_name, port) =>
    `A firewall drops the packets, or the machine is off. Let port ${port} in, on the machine and at the hosting provider (security group, router), and see whether the address in the DNS is still that of the machine:\n\n    ufw allow ${port}/tcp`,
  'no-route': () =>
    'No network leads to the address. See whether the address in the DNS is still that of the machine, and whether the machine is connected.',
  'connection-reset': (name, port) =>
    `Connections are closed before TLS is agreed upon: by a firewall or a protection against attacks, or by a web server that has no certificate for this name. See what it says:\n\n${SEE_HANDSHAKE(name, port)}\n    tail /var/log/nginx/error.log`,
  'tls-failed': (name, port) =>
    `${PLAIN}\n\n${LISTEN(port)}\n\nSee what the server says instead:\n\n${SEE_HANDSHAKE(name, port)}`,
  'tls-timeout': (name, port) =>
    `Connections stand, but the server does not take part in TLS. Restart the web server; see whether its workers are used up, and whether a proxy in front waits for something else:\n\n${SEE_HANDSHAKE(name, port)}`,
};

export const tlsConnects: Rule = {
  id: 'tls-connects',
  area: 'tls',
  worst: 'fail',
  title: 'The server takes TLS connections',
  checks:
    'Connects to the first address of each family, on port 443 or the one that the domain names, and agrees on TLS. Fails when that works for neither, and tells a closed port, a firewall, a reset and a port without TLS apart.',
  why: 'Everything about a Loops server goes over https. Without it the server is down, for everybody.',
  sources: ['RFC 9110 section 4.2.2', 'RFC 8446'],
  cure: 'Start the web server, let port 443 in, and let it speak TLS there:\n\n    listen 443 ssl;\n    listen [::]:443 ssl;',
  judge(evidence) {
    const { tls, domain, dns } = evidence;
    if (tls === null || tls.handshakes.length === 0) return null;
    const offline = whyOffline(evidence);
    if (offline !== null) return info(`Not tried, as ${offline}. This says nothing of the server.`);
    const shared = sharedTlsFailure(tls);
    if (shared === null) return pass('TLS connections succeed.');
    const { failure, handshake } = shared;
    const cure = CURES[failure];
    // Another rule reports a server with old protocols only.
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
  area: 'tls',
  worst: 'fail',
  title: 'The certificate is signed by a trusted authority',
  checks:
    'Verifies the certificate as a client does, against the public authorities. Fails for one that is self-signed or of an authority that is not among them.',
  why: 'Apps, browsers and other servers refuse the connection. A visitor who once accepted the certificate manually does not notice.',
  sources: ['RFC 5280 section 6', 'RFC 9110 section 4.3.4'],
  cure: 'Take a certificate from a public authority; it costs nothing:\n\n    certbot --nginx -d loops.example',
  judge({ tls, dns }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    if (shared === null) {
      const issuer = tls.handshakes.find(({ certificate }) => certificate !== null)?.certificate?.issuer ?? null;
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
        `Take a certificate from a public authority; it costs nothing. The self-signed one is often the default of the web server or the hosting panel, shown because the site has none:\n\n${CERTBOT(dns.name)}`,
      );
    }
    const issuer = certificate?.issuer ?? null;
    const by = issuer === null ? 'an authority that is not named' : `"${showText(issuer)}"`;
    return fail(
      `The certificate is signed by ${by}, which is not among the authorities that clients trust.`,
      `Take a certificate from a public authority. One of a test run (staging), of your own authority, or of a proxy (Cloudflare Origin CA) is only good between machines of yours:\n\n${CERTBOT(dns.name)}`,
    );
  },
};

const tlsChain: Rule = {
  id: 'tls-chain',
  area: 'tls',
  worst: 'fail',
  title: 'The server sends its whole certificate chain',
  checks:
    'Fails when the certificate cannot be verified because the server sends it alone, without that of the intermediate authority who signed it.',
  why: 'Browsers fetch or remember the missing certificate and show nothing. The official app, other servers, crawlers and `curl` do not, and refuse the connection: the site looks well to its operator, and is down to the fediverse.',
  sources: ['RFC 8446 section 4.4.2', 'RFC 5280 section 6.1'],
  cure: 'Point the web server at the full chain, and not at the certificate alone:\n\n    ssl_certificate /etc/letsencrypt/live/loops.example/fullchain.pem;',
  judge({ tls, dns }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    if (shared === null) {
      const sent = tls.handshakes.find(({ chainLength }) => chainLength !== null)?.chainLength ?? null;
      return sent === null
        ? null
        : pass(
            `${sent === 1 ? '1 certificate is' : `${sent} certificates are`} sent, and they lead to a trusted authority.`,
          );
    }
    if (!isChainIncomplete(shared.handshake)) return null;
    const issuer = shared.handshake.certificate?.issuer ?? null;
    const who = issuer === null ? 'the authority' : `"${showText(issuer)}"`;
    return fail(
      `The server sends its own certificate alone, without the one of ${who} who signed it. Browsers may work all the same; apps and other servers do not.`,
      `Point the web server at the full chain, and not at \`cert.pem\`, and reload it:\n\n    ssl_certificate /etc/letsencrypt/live/${dns.name}/fullchain.pem;\n\nWith files of another authority, put the intermediate below the certificate, into one file:\n\n    cat certificate.pem intermediate.pem > fullchain.pem`,
    );
  },
};

const tlsNames: Rule = {
  id: 'tls-names',
  area: 'tls',
  worst: 'fail',
  title: 'The certificate is for this host',
  checks:
    'Fails when the host is not among the names of the certificate (subject alternative names, wildcards included).',
  why: 'Apps, browsers and other servers refuse the connection. It mostly means that another site of the same machine answers for this name.',
  sources: ['RFC 9525 section 6', 'RFC 9110 section 4.3.4'],
  cure: 'Get a certificate for the name, and let the site with that name use it:\n\n    certbot --nginx -d loops.example',
  judge({ tls, dns }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    const names = tls.handshakes.find(({ certificate }) => certificate !== null)?.certificate?.names ?? null;
    const listed = names === null || names.length === 0 ? 'no host at all' : nameAll(names.map(showText));
    if (shared === null) return names === null ? null : pass(`The certificate is for ${listed}.`);
    if (shared.failure !== 'tls-wrong-name') return null;
    return fail(
      `The certificate is for ${listed}, and not for ${dns.name}.`,
      `Get a certificate for the name:\n\n    certbot --nginx -d ${dns.name}\n\nIf there is one already, another site answers: see that \`server_name\` of the right one is exact, and that it listens on the same addresses as the others:\n\n    server_name ${dns.name};`,
    );
  },
};

const DAY_MS = 86_400_000;
const WARN_DAYS = 14;

const RENEW =
  'Renew it, and reload the web server, which goes on showing the old one until then:\n\n    certbot renew\n    systemctl reload nginx\n\nSee why the renewal did not run by itself:\n\n    systemctl list-timers | grep -i -E "certbot|acme"\n    certbot renew --dry-run';

export const tlsExpiry: Rule = {
  id: 'tls-expiry',
  area: 'tls',
  worst: 'fail',
  title: 'The certificate is valid, and for two weeks more',
  checks:
    'Fails for a certificate that has expired or is not valid yet, warns when fewer than 14 days are left. Of a certificate made for a shorter time, a third of that counts.',
  why: 'An expired certificate takes the server off the fediverse from one minute to the next. Automatic renewal begins weeks before, so that a certificate this near its end means that it has stopped.',
  sources: ['RFC 5280 section 4.1.2.5', 'RFC 9110 section 4.3.4'],
  cure: RENEW,
  judge({ tls, at }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    if (shared !== null) return shared.failure === 'tls-expired' ? refused(shared.handshake, at) : null;
    const [first] = tls.handshakes
      .flatMap(({ failure, certificate, address }) =>
        failure === null && certificate !== null ? [{ ...certificate, address }] : [],
      )
      .sort((a, b) => a.validTo - b.validTo);
    if (first === undefined) return null;
    const leftMs = first.validTo - at;
    const days = Math.floor(leftMs / DAY_MS);
    const until = `The certificate is valid until ${dayOf(first.validTo)}: ${days === 1 ? '1 day' : `${days} days`} more`;
    if (leftMs >= Math.min(WARN_DAYS * DAY_MS, (first.validTo - first.validFrom) / 3)) return pass(`${until}.`);
    const isOnOne = tls.handshakes.some(
      ({ certificate }) => certificate !== null && certificate.validTo > first.validTo,
    );
    return warn(`${until}${isOnOne ? `, at ${first.address} (the other address has a later one)` : ''}.`, RENEW);
  },
};

function refused({ certificate }: Handshake, at: number): Judgement {
  if (certificate === null) return fail('The certificate has expired, or is not valid yet.', RENEW);
  const { validFrom, validTo } = certificate;
  if (at > validTo) return fail(`The certificate expired on ${dayOf(validTo)}.`, RENEW);
  if (at < validFrom) {
    return fail(
      `The certificate is valid from ${dayOf(validFrom)} on, which is yet to come.`,
      `Set the clock of the machine that made it, and renew the certificate:\n\n    timedatectl set-ntp true\n    certbot renew --force-renewal\n    systemctl reload nginx`,
    );
  }
  return fail(
    `The certificate itself is valid until ${dayOf(validTo)}, but another one that is sent with it has expired.`,
    'Send the chain that came with the certificate, and no older one; in nginx, and then reload it:\n\n    ssl_certificate /etc/letsencrypt/live/YOUR-NAME/fullchain.pem;',
  );
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

const LINE = '    ssl_protocols TLSv1.2 TLSv1.3;';

export const tlsProtocol: Rule = {
  id: 'tls-protocol',
  area: 'tls',
  worst: 'fail',
  title: 'The server speaks TLS 1.2 and 1.3, and nothing older',
  checks:
    'Fails when only TLS 1.1 or older is spoken, warns when it is spoken too, and notes a server without TLS 1.3. The old versions are tried with one handshake of their own.',
  why: 'Apps and other servers of today do not speak TLS 1.1 any more. Versions that old are broken, and being offered lets an attacker press for them.',
  sources: ['RFC 8996', 'RFC 9325 section 3.1.1', 'RFC 8446'],
  cure: `In nginx, and then reload it:\n\n${LINE}`,
  judge({ tls }) {
    if (tls === null) return null;
    const shared = sharedTlsFailure(tls);
    if (shared?.failure === 'tls-failed' && tls.speaksOldTls === true) {
      return fail(
        'The server speaks TLS 1.1 or older alone: clients of today cannot connect.',
        `Update the web server and its OpenSSL, and name the versions of today in nginx:\n\n${LINE}`,
      );
    }
    const protocol = tls.handshakes.find((handshake) => handshake.protocol !== null)?.protocol ?? null;
    if (protocol === null) return null;
    if (/^(SSL|TLSv1$|TLSv1\.1$)/.test(protocol)) {
      return fail(
        `The server agrees on ${showText(protocol)}, which is broken.`,
        `Update the web server and its OpenSSL, and name the versions of today in nginx:\n\n${LINE}`,
      );
    }
    if (tls.speaksOldTls === true) {
      return warn(
        `The server speaks ${showText(protocol)}, and TLS 1.1 or older as well.`,
        `Name the versions of today alone. In nginx the line must stand once, for all sites (the first one on an address holds), and then reload it:\n\n${LINE}`,
      );
    }
    const old = tls.speaksOldTls === null ? ' It is unknown whether older versions are accepted.' : '';
    if (protocol === 'TLSv1.2')
      return info(`The server speaks TLS 1.2, and not 1.3, which is faster by a round trip.${old}`);
    return pass(`The server speaks ${showText(protocol)}.${old}`);
  },
};

export const tlsAlpn: Rule = {
  id: 'tls-alpn',
  area: 'tls',
  worst: 'info',
  title: 'The server chooses the version of HTTP by ALPN',
  checks: 'Offers `h2` and `http/1.1` in the handshake, and notes a server that chooses neither.',
  why: 'Without ALPN clients must take HTTP/1.1, with a connection for each request at a time.',
  sources: ['RFC 7301', 'RFC 9113 section 3.2'],
  cure: 'In nginx 1.25.1 or newer, and then reload it:\n\n    http2 on;',
  judge({ tls }) {
    const handshake = tls?.handshakes.find(({ failure, protocol }) => failure === null && protocol !== null);
    if (handshake === undefined) return null;
    const { alpn } = handshake;
    if (alpn === null) return info('The server does not take part in ALPN: every client is given HTTP/1.1.');
    return pass(`The server chooses ${showText(alpn)} of h2 and http/1.1.`);
  },
};

/** The rules of TLS, in the order of a report. */
export const tlsRules: readonly Rule[] = [tlsConnects, tlsTrusted, tlsChain, tlsNames, tlsExpiry, tlsProtocol, tlsAlpn];

/**
 * Whether the certificate is refused because the intermediate certificate was not sent: it names the address of its issuer's
 * certificate, as public authorities do and private ones rarely do.
 */
function isChainIncomplete({ failure, certificate, chainLength }: Handshake): boolean {
  if (failure !== 'tls-untrusted' || certificate === null || certificate.isSelfSigned) return false;
  return chainLength === 1 && certificate.issuerUrl !== null;
}
