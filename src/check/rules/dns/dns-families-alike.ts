import { asObject, parseJsonObject, property } from '../../../identify/json.ts';
import { REASONS } from '../../../record/reason.ts';
import { answerWords } from '../../answer-words.ts';
import { nameAll } from '../../documents/name-all.ts';
import { showText } from '../../documents/show-text.ts';
import type { Evidence, Handshake } from '../../evidence.ts';
import type { Exchange } from '../../exchange.ts';
import { fail, info, pass, warn } from '../../judgement.ts';
import type { Judgement, Rule } from '../../rule.ts';

const WORDS = { 4: 'IPv4', 6: 'IPv6' } as const;

/** Whether the host is the same over IPv4 and over IPv6. */
export const dnsFamiliesAlike: Rule = {
  id: 'dns-families-alike',
  area: 'dns',
  worst: 'fail',
  title: 'IPv4 and IPv6 lead to the same server',
  checks:
    'Connects to the first address of each family, compares whether TLS holds, and what `GET /api/v1/config` answers. Fails when one of them is dead, has a certificate that is refused, or answers otherwise; warns when the configuration differs. Does not concern a name that has one family alone.',
  why: 'Clients choose the family by themselves, mobile ones often IPv6. When one of the two is broken the server works for some and is down for others, and the operator does not see it from home.',
  sources: ['RFC 8305', 'RFC 6724'],
  cure: 'Let the web server listen on both families with the same site, open port 443 in the firewall of both, or take the record of the family that does not work out of the zone:\n\n    listen 443 ssl;\n    listen [::]:443 ssl;',
  judge(evidence) {
    const v4 = evidence.tls?.handshakes.find(({ family }) => family === 4);
    const v6 = evidence.tls?.handshakes.find(({ family }) => family === 6);
    if (v4 === undefined || v6 === undefined) return null;
    const missing = [...(evidence.own.ipv4 ? [] : ['IPv4']), ...(evidence.own.ipv6 ? [] : ['IPv6'])];
    if (missing.length > 0) return info(`This machine has no ${missing.join(' and no ')}; not compared.`);
    if (v4.failure !== null && v6.failure !== null) return null;
    if (v4.failure !== null) return oneBroken(evidence, v4, v6);
    if (v6.failure !== null) return oneBroken(evidence, v6, v4);
    return compared(evidence, v4, v6);
  },
};

function oneBroken(evidence: Evidence, broken: Handshake, working: Handshake): Judgement {
  const { name } = evidence.dns;
  const [bad, good] = [WORDS[broken.family], WORDS[working.family]];
  const why = broken.failure === null ? '' : REASONS[broken.failure].means;
  const detail = broken.detail === null ? '' : ` (${showText(broken.detail)})`;
  const isCertificate = broken.certificate !== null && (broken.failure ?? '').startsWith('tls-');
  const record = `    ${name}.  IN  ${broken.family === 4 ? 'A' : 'AAAA'}  ${broken.address}`;
  const listen = broken.family === 4 ? '    listen 443 ssl;' : '    listen [::]:443 ssl;';
  const first = isCertificate
    ? `Either ${broken.address} is another machine than ${working.address}, or another site answers there. Set the record to the right address; in nginx the site must listen on both:`
    : `Let the web server listen on ${bad} as well (nginx below), and let port 443 through the firewall for ${bad}:`;
  return fail(
    `Over ${good} (${working.address}) the server answers; over ${bad} (${broken.address}) not: ${why}${detail}.`,
    `${first}\n\n${listen}\n\nUntil ${bad} works, take its record out of the zone:\n\n${record}`,
  );
}

function compared(evidence: Evidence, v4: Handshake, v6: Handshake): Judgement | null {
  const one = evidence.answers['config-ipv4'];
  const other = evidence.answers['config-ipv6'];
  if (one === null || other === null) return null;
  const where = `over IPv4 (${v4.address}) and over IPv6 (${v6.address})`;
  const said = `GET /api/v1/config is answered over IPv4 (${v4.address}) with ${answerWords(one)}, and over IPv6 (${v6.address}) with ${answerWords(other)}`;
  const sameSite =
    'Let both addresses lead to the same server and the same site. In nginx, one `server` block for both:\n\n    listen 443 ssl;\n    listen [::]:443 ssl;';
  if (one.status === 429 || other.status === 429) return info(`Not compared: ${said}.`);
  if (one.status !== other.status || (one.failure === null) !== (other.failure === null))
    return fail(`${said}.`, sameSite);
  const fields = differingFields(one, other);
  if (fields === null || fields.length > 0) {
    const what = fields === null ? 'different documents' : `different values of ${nameAll(fields)}`;
    const isOther = fields === null || isOtherServer(one, other);
    return isOther
      ? fail(`GET /api/v1/config is answered ${where} with ${what}: these are two servers, or two sites.`, sameSite)
      : warn(
          `GET /api/v1/config is answered ${where} with ${what}.`,
          `${sameSite}\n\nWhere several servers stand behind the name, one of them has old settings in its cache:\n\n    php artisan config:clear && php artisan cache:clear`,
        );
  }
  return pass(`The server answers the same ${where}.`);
}

/** The top-level fields that differ between two answers; null when these are not both objects, and not the same. */
function differingFields(one: Exchange, other: Exchange): string[] | null {
  if (Buffer.compare(one.body, other.body) === 0) return [];
  const [left, right] = [parseJsonObject(one.body), parseJsonObject(other.body)];
  // Pages differ from one request to the next: tokens for forms, times.
  if (left === null && right === null) return [];
  if (left === null || right === null) return null;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys]
    .filter((key) => JSON.stringify(property(left, key)) !== JSON.stringify(property(right, key)))
    .map(showText);
}

/** Whether the two documents name different software, or different addresses of the server. */
function isOtherServer(one: Exchange, other: Exchange): boolean {
  const [left, right] = [one, other].map(({ body }) => asObject(property(parseJsonObject(body), 'app')) ?? {});
  return ['software', 'url'].some((key) => property(left ?? {}, key) !== property(right ?? {}, key));
}
