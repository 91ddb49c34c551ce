import type { DnsFailure } from '../../http/dns-failure.ts';
import type { CaaRecord } from '../../http/dns-queries.ts';
import { asObject, parseJsonObject, property } from '../../identify/field-reader.ts';
import { REASONS } from '../../model/reason.ts';
import { answerWords } from '../answers.ts';
import type { CheckExchange, DnsEvidence, Evidence, Handshake } from '../evidence.ts';
import { fail, info, type Judgement, listItems, pass, type Rule, showText, warn } from '../rule.ts';

/** The detail and cure of a finding, by failure. */
const FAILURES: Readonly<Record<DnsFailure, { detail: (name: string) => string; cure: (name: string) => string }>> = {
  'dns-nxdomain': {
    detail: (name) => `The name ${name} does not exist in the DNS.`,
    cure: (name) =>
      `Check whether the domain registration has expired, and whether the registrar lists its name servers. If both are in order, the zone has no record for this name; add one with the address of the server:\n\n    ${name}.  3600  IN  A  YOUR-IPV4-ADDRESS`,
  },
  'dns-no-address': {
    detail: (name) => `The name ${name} exists in the DNS, but has neither an A nor an AAAA record.`,
    cure: (name) =>
      `Add the address of the server to the zone:\n\n    ${name}.  3600  IN  A  YOUR-IPV4-ADDRESS\n    ${name}.  3600  IN  AAAA  YOUR-IPV6-ADDRESS`,
  },
  'dns-servfail': {
    detail: (name) => `The lookup of ${name} ends in SERVFAIL: its name servers fail, or DNSSEC validation fails.`,
    cure: (name) =>
      `Usually, a DS record at the registrar is left over from former name servers, or signatures have expired. Compare the two answers. If the second one has an address, DNSSEC is the cause: remove the DS record at the registrar, or sign the zone again. If both fail, the name servers do not serve the zone.\n\n    dig ${name}\n    dig +cd ${name}`,
  },
  'dns-refused': {
    detail: (name) => `The name servers refuse to answer for ${name}.`,
    cure: (name) =>
      `The domain points at name servers that do not serve its zone. Set the name servers of your DNS provider at the registrar, or add the zone at the provider that is set there:\n\n    dig +trace ${name}`,
  },
  'dns-timeout': {
    detail: (name) => `The name servers of ${name} do not answer in time.`,
    cure: (name) =>
      `Check that the name servers run and that port 53 is open for UDP and TCP; every listed name server must answer:\n\n    dig +trace ${name}`,
  },
};

const FAILURE_PRECEDENCE: readonly DnsFailure[] = ['dns-nxdomain', 'dns-timeout', 'dns-refused', 'dns-servfail'];

export const dnsResolves: Rule = {
  id: 'dns-resolves',
  worst: 'fail',
  title: 'The name has an address in the DNS',
  checks:
    'Looks up the A and AAAA records of the name. Fails when neither lookup returns an address, and reports the cause; info if this machine is offline.',
  why: 'Without an address, no client, server or directory can connect.',
  sources: ['RFC 1034', 'RFC 1035', 'RFC 3596'],
  cure: 'Add the address of the server to the zone of the domain:\n\n    loops.example.  3600  IN  A  YOUR-IPV4-ADDRESS',
  judge({ dns, localNetwork }) {
    const addresses = [...dns.ipv4.addresses, ...dns.ipv6.addresses];
    if (addresses.length > 0)
      return pass(
        `${dns.name} has ${addresses.length === 1 ? 'the address' : 'the addresses'} ${addresses.slice(0, 6).join(', ')}.`,
      );
    if (!localNetwork.dns)
      return info(
        `This machine is offline: its name servers do not resolve other names either. The result does not concern ${dns.name}; check again when this machine is online.`,
      );
    const { detail, cure } = FAILURES[failureOf(dns)];
    return fail(detail(dns.name), cure(dns.name));
  },
};

/** The failure to report when the name has no address of either family. */
function failureOf({ ipv4, ipv6 }: DnsEvidence): DnsFailure {
  return FAILURE_PRECEDENCE.find((failure) => failure === ipv4.failure || failure === ipv6.failure) ?? 'dns-no-address';
}

export const dnsPublic: Rule = {
  id: 'dns-public',
  worst: 'fail',
  title: 'Every address in the DNS is public',
  checks:
    'Compares the addresses with the blocks outside the public internet: private, carrier-grade NAT (CGNAT), loopback, documentation and others. Fails for a single match.',
  why: 'Nobody outside can connect to such an address. Directories and other servers reject the whole name because of a single one, as it could lead them into their own network.',
  sources: ['RFC 1918', 'RFC 6598', 'RFC 6890', 'RFC 4193', 'IANA special-purpose address registries'],
  cure: 'Put the public address of the server into the zone, and remove the other one. Behind a home router or CGNAT, a tunnel or a small rented server in front provides a public address.',
  judge({ dns }) {
    const addresses = [...dns.ipv4.addresses, ...dns.ipv6.addresses];
    if (addresses.length === 0) return null;
    const forbidden = [...dns.ipv4.forbidden, ...dns.ipv6.forbidden];
    if (forbidden.length === 0) return pass('All addresses are public.');
    const named = forbidden.map(({ address, what, source }) => `${address} (${what}, ${source})`);
    const records = forbidden.map(
      ({ address }) => `    ${dns.name}.  IN  ${address.includes(':') ? 'AAAA' : 'A'}  ${address}`,
    );
    return fail(
      `${forbidden.length === addresses.length ? 'No address is public' : 'Not every address is public'}: ${listItems(named)}.`,
      [
        `Remove ${forbidden.length === 1 ? 'this record' : 'these records'} from the public zone, and add the public address of the server instead. A name server for your own network may keep ${forbidden.length === 1 ? 'it' : 'them'}.`,
        '',
        ...records.slice(0, 10),
        ...(forbidden.some(({ source }) => source === 'RFC 6598' || source === 'RFC 1918')
          ? [
              '',
              'If the connection has no public address of its own (a home router, CGNAT), forward port 443 from a machine that has one: a small rented server, or a tunnel.',
            ]
          : []),
      ].join('\n'),
    );
  },
};

export const dnsIpv4: Rule = {
  id: 'dns-ipv4',
  worst: 'warn',
  title: 'The name has an IPv4 address',
  checks: 'Warns when the name has IPv6 addresses, and no A record or an A lookup that fails.',
  why: 'More than half of the networks of clients and other servers have no IPv6. An IPv6-only server is unreachable from them.',
  sources: ['RFC 1035 section 3.4.1', 'RFC 6555'],
  cure: 'Add an A record with the IPv4 address of the server:\n\n    loops.example.  3600  IN  A  YOUR-IPV4-ADDRESS',
  judge({ dns: { name, ipv4, ipv6 } }) {
    if (ipv4.addresses.length > 0) return pass(`IPv4: ${ipv4.addresses.slice(0, 4).join(', ')}.`);
    if (ipv6.addresses.length === 0) return null;
    if (ipv4.failure === 'dns-no-address' || ipv4.failure === null) {
      return warn(
        `${name} has only IPv6 addresses, so IPv4-only networks cannot reach it.`,
        `Add an A record:\n\n    ${name}.  3600  IN  A  YOUR-IPV4-ADDRESS\n\nIf the server has no IPv4 address, put a proxy or a small rented server that has both in front of it.`,
      );
    }
    return warn(
      `The lookup of the A record of ${name} fails (${REASONS[ipv4.failure].means}), but the AAAA lookup succeeds.`,
      `The name servers must answer both lookups. Compare their answers, and ask the DNS provider for the cause:\n\n    dig +trace A ${name}`,
    );
  },
};

export const dnsIpv6: Rule = {
  id: 'dns-ipv6',
  worst: 'warn',
  title: 'The name has an IPv6 address',
  checks: 'Reports a name without an AAAA record as info. Warns when the AAAA lookup fails, but the A lookup succeeds.',
  why: 'Many mobile networks use IPv6 internally, and reach IPv4 only through a slower translator. An unanswered lookup costs every visitor seconds.',
  sources: ['RFC 3596', 'RFC 4074'],
  cure: 'Add an AAAA record, once the server listens on IPv6:\n\n    loops.example.  3600  IN  AAAA  YOUR-IPV6-ADDRESS',
  judge({ dns: { name, ipv4, ipv6 } }) {
    if (ipv6.addresses.length > 0) return pass(`IPv6: ${ipv6.addresses.slice(0, 4).join(', ')}.`);
    if (ipv4.addresses.length === 0) return null;
    if (ipv6.failure === 'dns-no-address' || ipv6.failure === null)
      return info(`${name} has no AAAA record, so it is reachable only over IPv4.`);
    return warn(
      `The lookup of the AAAA record of ${name} fails (${REASONS[ipv6.failure].means}), but the A lookup succeeds.`,
      `Without an AAAA record, name servers must return an empty answer instead of an error. Compare their answers, and ask the DNS provider for the cause:\n\n    dig +trace AAAA ${name}`,
    );
  },
};

const FAMILY_NAMES = { 4: 'IPv4', 6: 'IPv6' } as const;

export const dnsFamiliesAlike: Rule = {
  id: 'dns-families-alike',
  worst: 'fail',
  title: 'IPv4 and IPv6 lead to the same server',
  checks:
    'Connects to the first address of each family, and compares the TLS results and the answers to `GET /api/v1/config`. Fails when one of them is unreachable, has a rejected certificate, gives another kind of answer, or belongs to another server; warns when only other settings differ. Compares no answers while the server limits requests (429), and nothing if this machine lacks a family. Skipped when the name has only one family, or neither gives a complete answer.',
  why: 'Each client chooses the family itself; mobile clients often choose IPv6. If one family is broken, the server works for some and is down for others, and the operator may not notice.',
  sources: ['RFC 8305', 'RFC 6724'],
  cure: 'Make the web server listen on both families with the same site, open port 443 in the firewall for both, or remove the record of the broken family from the zone:\n\n    listen 443 ssl;\n    listen [::]:443 ssl;',
  judge(evidence) {
    const v4 = evidence.tls?.handshakes.find(({ family }) => family === 4);
    const v6 = evidence.tls?.handshakes.find(({ family }) => family === 6);
    if (v4 === undefined || v6 === undefined) return null;
    const missing = [...(evidence.localNetwork.ipv4 ? [] : ['IPv4']), ...(evidence.localNetwork.ipv6 ? [] : ['IPv6'])];
    if (missing.length > 0) return info(`This machine has no ${missing.join(' and no ')}; not compared.`);
    if (v4.failure !== null && v6.failure !== null) return null;
    if (v4.failure !== null) return judgeBrokenFamily(evidence, v4, v6);
    if (v6.failure !== null) return judgeBrokenFamily(evidence, v6, v4);
    return compareAnswers(evidence, v4, v6);
  },
};

function judgeBrokenFamily(evidence: Evidence, broken: Handshake, working: Handshake): Judgement {
  const { name } = evidence.dns;
  const [bad, good] = [FAMILY_NAMES[broken.family], FAMILY_NAMES[working.family]];
  const why = broken.failure === null ? '' : REASONS[broken.failure].means;
  const detail = broken.detail === null ? '' : ` (${showText(broken.detail)})`;
  const isCertificateFault = broken.certificate !== null && (broken.failure ?? '').startsWith('tls-');
  const record = `    ${name}.  IN  ${broken.family === 4 ? 'A' : 'AAAA'}  ${broken.address}`;
  const listen = broken.family === 4 ? '    listen 443 ssl;' : '    listen [::]:443 ssl;';
  const advice = isCertificateFault
    ? `Either ${broken.address} is not the same machine as ${working.address}, or another site answers there. Set the record to the right address; in nginx the site must listen on both:`
    : `Make the web server listen on ${bad} as well (nginx below), and open port 443 in the firewall for ${bad}:`;
  return fail(
    `The server answers over ${good} (${working.address}), but not over ${bad} (${broken.address}): ${why}${detail}.`,
    `${advice}\n\n${listen}\n\nUntil ${bad} works, remove its record from the zone:\n\n${record}`,
  );
}

function compareAnswers(evidence: Evidence, v4: Handshake, v6: Handshake): Judgement | null {
  const overIpv4 = evidence.answers['config-ipv4'];
  const overIpv6 = evidence.answers['config-ipv6'];
  if (overIpv4 === null || overIpv6 === null) return null;
  const where = `over IPv4 (${v4.address}) and over IPv6 (${v6.address})`;
  const result = `GET /api/v1/config gives ${answerWords(overIpv4)} over IPv4 (${v4.address}), and ${answerWords(overIpv6)} over IPv6 (${v6.address})`;
  const sameSiteCure =
    'Make both addresses lead to the same server and the same site. In nginx, one `server` block for both:\n\n    listen 443 ssl;\n    listen [::]:443 ssl;';
  if (overIpv4.status === 429 || overIpv6.status === 429) return info(`Not compared: ${result}.`);
  if (overIpv4.status !== overIpv6.status || (overIpv4.failure === null) !== (overIpv6.failure === null))
    return fail(`${result}.`, sameSiteCure);
  if (overIpv4.failure !== null && overIpv6.failure !== null) return null;
  const fields = differingFields(overIpv4, overIpv6);
  if (fields === null || fields.length > 0) {
    const difference = fields === null ? 'different documents' : `different values of ${listItems(fields)}`;
    const areTwoServers = fields === null || isOtherServer(overIpv4, overIpv6);
    return areTwoServers
      ? fail(`GET /api/v1/config returns ${difference} ${where}: these are two servers, or two sites.`, sameSiteCure)
      : warn(
          `GET /api/v1/config returns ${difference} ${where}.`,
          `${sameSiteCure}\n\nIf several servers share the name, one of them has old settings in its cache:\n\n    php artisan config:clear && php artisan cache:clear`,
        );
  }
  return pass(`The server answers alike ${where}.`);
}

/** The top-level fields that differ between two answers; null when only one of them is an object, and none when neither is. */
function differingFields(a: CheckExchange, b: CheckExchange): string[] | null {
  if (Buffer.compare(a.body, b.body) === 0) return [];
  const [left, right] = [parseJsonObject(a.body), parseJsonObject(b.body)];
  // Pages differ between requests: form tokens, times.
  if (left === null && right === null) return [];
  if (left === null || right === null) return null;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys]
    .filter((key) => JSON.stringify(property(left, key)) !== JSON.stringify(property(right, key)))
    .map(showText);
}

/** Whether the two documents differ in `app.software` or `app.url`. */
function isOtherServer(a: CheckExchange, b: CheckExchange): boolean {
  const [left, right] = [a, b].map(({ body }) => asObject(property(parseJsonObject(body), 'app')) ?? {});
  return ['software', 'url'].some((key) => property(left ?? {}, key) !== property(right ?? {}, key));
}

/** Well-known authorities: their issuer names in certificates and their names in CAA records. */
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

/** Standard properties. Any other property, if marked critical, forbids every authority to issue (RFC 8659 section 4.1). */
const KNOWN_TAGS: ReadonlySet<string> = new Set([
  'issue',
  'issuewild',
  'iodef',
  'issuemail',
  'issuevmc',
  'contactemail',
  'contactphone',
]);

export const dnsCaa: Rule = {
  id: 'dns-caa',
  worst: 'warn',
  title: 'CAA records name the authority of the certificate',
  checks:
    'Looks up the CAA records of the name, or of its nearest parent that has any. Warns when they forbid the authority that signed the certificate, if that is a well-known one, or contain an unknown critical property; reports missing records and a failed lookup as info.',
  why: 'CAA prevents other authorities from issuing a certificate to an attacker. But an authority that the records do not name refuses to renew, and the site goes down on the day the certificate expires.',
  sources: ['RFC 8659', 'CA/Browser Forum Baseline Requirements, section 3.2.2.8'],
  cure: 'Name the authority that signs your certificates in the zone:\n\n    loops.example.  3600  IN  CAA  0 issue "letsencrypt.org"',
  judge({ dns, tls }) {
    if (dns.ipv4.addresses.length + dns.ipv6.addresses.length === 0) return null;
    const { caa } = dns;
    if (caa === null)
      return info('The CAA lookup failed. If it fails for everybody, no authority issues a certificate.');
    if (caa.records.length === 0)
      return info('The name has no CAA records, so every authority may issue certificates for it.');
    const unknownCritical = caa.records.find(({ critical, tag }) => critical && !KNOWN_TAGS.has(tag.toLowerCase()));
    if (unknownCritical !== undefined) {
      return warn(
        `The CAA records of ${caa.name} contain an unknown critical property, ${showText(unknownCritical.tag)}, so no authority may issue a certificate.`,
        'Remove that record, or set its flag to 0.',
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
    const named = allowed.length === 0 ? 'nobody' : listItems(allowed.map(showText));
    if (authority === undefined || issuer === null) return pass(`The CAA records of ${caa.name} allow ${named}.`);
    if (authority.names.some((name) => allowed.includes(name)))
      return pass(`The CAA records of ${caa.name} allow ${named}; the certificate is signed by ${showText(issuer)}.`);
    return warn(
      `The CAA records of ${caa.name} allow ${named}, but the certificate is signed by ${showText(issuer)}: it will not be renewed.`,
      `Add the authority, or get the certificate from an allowed one:\n\n    ${caa.name}.  3600  IN  CAA  0 ${isWildcard ? 'issuewild' : 'issue'} "${authority.names[0]}"`,
    );
  },
};

/** The names of the authorities that may issue the certificate; null when no record restricts them. */
function allowedBy(records: readonly CaaRecord[], isWildcard: boolean): string[] | null {
  const recordsWithTag = (wanted: string) => records.filter(({ tag }) => tag.toLowerCase() === wanted);
  const wild = recordsWithTag('issuewild');
  const relevant = isWildcard && wild.length > 0 ? wild : recordsWithTag('issue');
  if (relevant.length === 0) return null;
  return relevant.map(({ value }) => value.split(';', 1)[0]?.trim().toLowerCase() ?? '').filter((name) => name !== '');
}

export const dnsRules: readonly Rule[] = [dnsResolves, dnsPublic, dnsIpv4, dnsIpv6, dnsFamiliesAlike, dnsCaa];
