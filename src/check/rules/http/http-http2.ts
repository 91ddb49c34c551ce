import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const LINE = '    http2 on;';

/** Whether HTTP/2 is spoken. */
export const httpHttp2: Rule = {
  id: 'http-http2',
  area: 'http',
  worst: 'info',
  title: 'The server speaks HTTP/2',
  checks: 'Notes a server that, offered `h2` and `http/1.1`, chooses `http/1.1`.',
  why: 'An app that loads a feed asks for many things at once. Over HTTP/2 they share one connection; over HTTP/1.1 they wait for each other.',
  sources: ['RFC 9113'],
  cure: `In nginx 1.25.1 or newer (before that, \`http2\` at the end of the \`listen\` line), and then reload it:\n\n${LINE}`,
  judge({ tls }) {
    const alpn = tls?.handshakes.find((handshake) => handshake.failure === null)?.alpn ?? null;
    if (alpn === null) return null;
    if (alpn === 'h2') return pass('The server speaks HTTP/2.');
    return info('The server speaks HTTP/1.1 alone. In nginx 1.25.1 or newer, `http2 on;` turns HTTP/2 on.');
  },
};
