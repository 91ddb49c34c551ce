import type { Handshake } from '../../evidence.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { Judgement, Rule } from '../../rule.ts';
import { sharedTlsFailure } from '../../shared-tls-failure.ts';

const DAY_MS = 86_400_000;
const WARN_DAYS = 14;

const RENEW =
  'Renew it, and reload the web server, which goes on showing the old one until then:\n\n    certbot renew\n    systemctl reload nginx\n\nSee why the renewal did not run by itself:\n\n    systemctl list-timers | grep -i -E "certbot|acme"\n    certbot renew --dry-run';

/** Whether the certificate is valid, and for some time to come. */
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
      .sort((one, other) => one.validTo - other.validTo);
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
      `Set the clock of the machine that made it, and make it anew:\n\n    timedatectl set-ntp true\n    certbot renew --force-renewal\n    systemctl reload nginx`,
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
