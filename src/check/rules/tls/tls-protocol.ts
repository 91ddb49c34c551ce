import { showText } from '../../documents/show-text.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { sharedTlsFailure } from '../../shared-tls-failure.ts';

const LINE = '    ssl_protocols TLSv1.2 TLSv1.3;';

/** Whether the versions of TLS are those of today. */
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
    const old = tls.speaksOldTls === null ? ' Whether older versions are spoken could not be told.' : '';
    if (protocol === 'TLSv1.2')
      return info(`The server speaks TLS 1.2, and not 1.3, which is faster by a round trip.${old}`);
    return pass(`The server speaks ${showText(protocol)}.${old}`);
  },
};
