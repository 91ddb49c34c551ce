import { chainIsCutOff } from '../../chain-is-cut-off.ts';
import { showText } from '../../documents/show-text.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { sharedTlsFailure } from '../../shared-tls-failure.ts';

const CERTBOT = (name: string) => `    certbot --nginx -d ${name}`;

/** Whether the certificate is of an authority that everybody trusts. */
export const tlsTrusted: Rule = {
  id: 'tls-trusted',
  area: 'tls',
  worst: 'fail',
  title: 'The certificate is signed by a trusted authority',
  checks:
    'Verifies the certificate as a client does, against the public authorities. Fails for one that is self-signed or of an authority that is not among them.',
  why: 'Apps, browsers and other servers refuse the connection. Who has accepted the certificate once by hand does not see that.',
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
    if (failure !== 'tls-untrusted' || chainIsCutOff(handshake)) return null;
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
