import { showText } from '../../documents/show-text.ts';
import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** Whether the version of HTTP is agreed upon in the handshake. */
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
