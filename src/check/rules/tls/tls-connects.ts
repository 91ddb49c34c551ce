import { portOf } from '../../../domain/domain.ts';
import type { HttpFailure } from '../../../http/failure.ts';
import { REASONS } from '../../../record/reason.ts';
import { showText } from '../../documents/show-text.ts';
import { fail, info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { sharedTlsFailure } from '../../shared-tls-failure.ts';
import { whyOffline } from '../../why-offline.ts';

const SEE_LISTENING = (port: number) => `    ss -tlnp | grep ':${port} '`;
const SEE_HANDSHAKE = (domain: string, port: number) =>
  `    openssl s_client -connect ${domain}:${port} -servername ${domain}`;
const PLAIN =
  'The port must speak TLS itself. In nginx the word `ssl` belongs into the line, and the certificate below it:';
const LISTEN = (port: number) => `    listen ${port} ssl;\n    listen [::]:${port} ssl;`;

/** What to do where no connection comes about; what is wrong with certificates is told by other rules. */
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

/** Whether a TLS connection comes about, whatever its certificate. */
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
    if (shared === null) return pass('TLS connections come about.');
    const { failure, handshake } = shared;
    const cure = CURES[failure];
    // A server of old protocols alone is told by another rule.
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
