import type { CaaRecord } from '../../../http/dns-questions.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showText } from '../../documents/show-text.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** What well-known authorities call themselves in certificates, and the names that they look for in CAA records. */
const AUTHORITIES: readonly { issuer: RegExp; names: readonly string[] }[] = [
  { issuer: /let'?s encrypt|^isrg/i, names: ['letsencrypt.org'] },
  {
    issuer: /zerossl|sectigo|comodo|usertrust/i,
    names: ['sectigo.com', 'comodoca.com', 'comodo.com', 'usertrust.com', 'trust-provider.com', 'zerossl.com'],
  },
  { issuer: /google trust services/i, names: ['pki.goog', 'google.com'] },
  {
    issuer: /digicert|geotrust|rapidssl|thawte/i,
    names: ['digicert.com', 'geotrust.com', 'rapidssl.com', 'thawte.com', 'symantec.com', 'digicert.ne.jp'],
  },
  { issuer: /globalsign/i, names: ['globalsign.com'] },
  { issuer: /^amazon/i, names: ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'] },
  { issuer: /buypass/i, names: ['buypass.com', 'buypass.no'] },
  { issuer: /ssl\.com|ssl corp/i, names: ['ssl.com'] },
  { issuer: /actalis/i, names: ['actalis.it'] },
  { issuer: /certum|asseco/i, names: ['certum.pl', 'certum.eu'] },
  { issuer: /harica|hellenic academic/i, names: ['harica.gr'] },
];

/** Properties that every authority knows; another that is critical stops them all (RFC 8659 section 4.1). */
const KNOWN_TAGS: ReadonlySet<string> = new Set([
  'issue',
  'issuewild',
  'iodef',
  'issuemail',
  'issuevmc',
  'contactemail',
  'contactphone',
]);

/** Whether the CAA records let the certificate be renewed. */
export const dnsCaa: Rule = {
  id: 'dns-caa',
  area: 'dns',
  worst: 'warn',
  title: 'CAA records name the authority of the certificate',
  checks:
    'Looks up the CAA records of the name, or of the nearest one above it that has any. Warns when they forbid the authority that signed the certificate, as far as that is one of the well-known ones; notes when there are none.',
  why: 'With CAA, nobody else can get a certificate for the name by a trick. But an authority that is not named refuses to renew: the site goes down on the day the certificate expires.',
  sources: ['RFC 8659', 'CA/Browser Forum Baseline Requirements, section 3.2.2.8'],
  cure: 'Name the authority that signs your certificates in the zone:\n\n    loops.example.  3600  IN  CAA  0 issue "letsencrypt.org"',
  judge({ dns, tls }) {
    if (dns.ipv4.addresses.length + dns.ipv6.addresses.length === 0) return null;
    const { caa } = dns;
    if (caa === null)
      return info(
        'The question for CAA records was not answered. If the name servers answer nobody, no authority issues a certificate.',
      );
    if (caa.records.length === 0)
      return info('There are no CAA records: every authority may issue certificates for the name.');
    const critical = caa.records.find(({ critical, tag }) => critical && !KNOWN_TAGS.has(tag.toLowerCase()));
    if (critical !== undefined) {
      return warn(
        `The CAA records of ${caa.name} hold a critical property that nobody knows, ${showText(critical.tag)}: no authority may issue.`,
        'Take that record away, or set its flag to 0.',
      );
    }
    const certificate = tls?.handshakes.find((handshake) => handshake.certificate !== null)?.certificate ?? null;
    const issuer = certificate?.issuer ?? null;
    const isWildcard =
      certificate !== null &&
      !certificate.names.includes(dns.name) &&
      certificate.names.some((name) => name.startsWith('*.'));
    const allowed = allowedBy(caa.records, isWildcard);
    if (allowed === null) return pass(`The CAA records of ${caa.name} restrict no authority.`);
    const authority = AUTHORITIES.find((row) => issuer !== null && row.issuer.test(issuer));
    const named = allowed.length === 0 ? 'nobody' : nameAll(allowed.map(showText));
    if (authority === undefined || issuer === null) return pass(`The CAA records of ${caa.name} allow ${named}.`);
    if (authority.names.some((name) => allowed.includes(name)))
      return pass(`The CAA records of ${caa.name} allow ${named}; the certificate is signed by ${showText(issuer)}.`);
    return warn(
      `The CAA records of ${caa.name} allow ${named}, but the certificate is signed by ${showText(issuer)}: it will not be renewed.`,
      `Add the authority, or take the certificate from one that is allowed:\n\n    ${caa.name}.  3600  IN  CAA  0 ${isWildcard ? 'issuewild' : 'issue'} "${authority.names[0]}"`,
    );
  },
};

/** The authorities that may issue; null when no record says anything of that. */
function allowedBy(records: readonly CaaRecord[], isWildcard: boolean): string[] | null {
  const of = (wanted: string) => records.filter(({ tag }) => tag.toLowerCase() === wanted);
  const wild = of('issuewild');
  const relevant = isWildcard && wild.length > 0 ? wild : of('issue');
  if (relevant.length === 0) return null;
  return relevant.map(({ value }) => value.split(';', 1)[0]?.trim().toLowerCase() ?? '').filter((name) => name !== '');
}
