import { chainIsCutOff } from '../../chain-is-cut-off.ts';
import { showText } from '../../documents/show-text.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { sharedTlsFailure } from '../../shared-tls-failure.ts';

/** Whether the intermediate certificates are sent. */
export const tlsChain: Rule = {
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
    if (!chainIsCutOff(shared.handshake)) return null;
    const issuer = shared.handshake.certificate?.issuer ?? null;
    const who = issuer === null ? 'the authority' : `"${showText(issuer)}"`;
    return fail(
      `The server sends its own certificate alone, without the one of ${who} who signed it. Browsers may work all the same; apps and other servers do not.`,
      `Point the web server at the full chain, and not at \`cert.pem\`, and reload it:\n\n    ssl_certificate /etc/letsencrypt/live/${dns.name}/fullchain.pem;\n\nWith files of another authority, put the intermediate below the certificate, into one file:\n\n    cat certificate.pem intermediate.pem > fullchain.pem`,
    );
  },
};
