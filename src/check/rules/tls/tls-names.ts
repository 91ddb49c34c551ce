import { nameAll } from '../../documents/name-all.ts';
import { showText } from '../../documents/show-text.ts';
import { fail, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';
import { sharedTlsFailure } from '../../shared-tls-failure.ts';

/** Whether the certificate is for the host. */
export const tlsNames: Rule = {
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
