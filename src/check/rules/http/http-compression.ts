import { originOf } from '../../../domain/domain.ts';
import { contentTypeOf } from '../../documents/content-type-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { info, pass, warn } from '../../judgement.ts';
import { ownAnswers } from '../../own-answers.ts';
import { requestWords } from '../../request-words.ts';
import type { Rule } from '../../rule.ts';

const LINES =
  '    gzip on;\n    gzip_vary on;\n    gzip_proxied any;\n    gzip_min_length 1000;\n    gzip_types application/json application/activity+json application/jrd+json application/javascript text/css image/svg+xml;';
const CURE = `In nginx, in the block \`http\`, and then reload it; without \`gzip_types\` it compresses HTML alone:\n\n${LINES}`;

/** Below this, compressing saves no packet. */
const NOTED_BYTES = 1_000;
const LARGE_BYTES = 10_000;

/** Whether JSON is compressed. */
export const httpCompression: Rule = {
  id: 'http-compression',
  area: 'http',
  worst: 'warn',
  title: 'JSON is compressed',
  checks:
    'Every request says that it takes gzip, brotli and zstd. Notes answers in JSON of 1,000 bytes and more that come without, warns from 10,000 bytes on.',
  why: 'JSON shrinks to a fifth. Feeds are tens of kilobytes each, over mobile networks.',
  sources: ['RFC 9110 section 8.4'],
  cure: CURE,
  judge(evidence) {
    const json = ownAnswers(evidence).filter(
      ({ exchange }) =>
        exchange.status !== null && exchange.failure === null && /[/+]json$/.test(contentTypeOf(exchange) ?? ''),
    );
    if (json.length === 0) return null;
    const plain = json.filter(
      ({ name, exchange }) =>
        exchange.headers['content-encoding'] === undefined &&
        exchange.body.length >= NOTED_BYTES &&
        !name.startsWith('config-'),
    );
    if (plain.length === 0) {
      const isAny = json.some(({ exchange }) => exchange.headers['content-encoding'] !== undefined);
      return isAny ? pass('JSON is compressed.') : null;
    }
    const named = plain.map(
      ({ exchange }) => `${requestWords(exchange, originOf(evidence.domain))} (${exchange.body.length} bytes)`,
    );
    const detail = `Not compressed: ${nameAll(named)}.`;
    return plain.some(({ exchange }) => exchange.body.length >= LARGE_BYTES) ? warn(detail, CURE) : info(detail);
  },
};
