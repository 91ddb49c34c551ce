import { isDown } from '../../documents/is-down.ts';
import { showText } from '../../documents/show-text.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const LINE = '    add_header Strict-Transport-Security "max-age=31536000" always;';
const CURE = `In nginx, in the server of port 443, and then reload it. Begin with a small number if you are not sure that https stays:\n\n${LINE}`;
const HALF_YEAR_SECONDS = 15_768_000;

/** Whether browsers are told to come by https alone. */
export const httpHsts: Rule = {
  id: 'http-hsts',
  area: 'http',
  worst: 'warn',
  title: 'Browsers are told to use https from now on (HSTS)',
  checks:
    'Reads `Strict-Transport-Security` of the home page, or of the configuration. Warns when it is missing, malformed or has `max-age=0`, notes one of less than half a year.',
  why: 'Without it, each visit that begins with http:// can be turned elsewhere before the redirect. With it, only the first one.',
  sources: ['RFC 6797'],
  cure: CURE,
  judge(evidence) {
    if (isDown(evidence)) return null;
    const { answers } = evidence;
    const answer = [answers.home, answers.config].find(
      (each) => each !== null && each.failure === null && (each.status ?? 500) < 500,
    );
    if (answer == null) return null;
    const value = answer.headers['strict-transport-security'];
    if (value === undefined) return warn('The header Strict-Transport-Security is missing.', CURE);
    const text = String(value);
    const seconds = /(?:^|;)\s*max-age\s*=\s*"?(\d+)"?\s*(?:;|$|,)/i.exec(text)?.[1];
    if (seconds === undefined)
      return warn(
        `Strict-Transport-Security is ${showText(text)}, which has no max-age in seconds: browsers ignore it.`,
        CURE,
      );
    if (Number(seconds) === 0)
      return warn('Strict-Transport-Security has max-age=0: browsers are told to forget it.', CURE);
    if (Number(seconds) < HALF_YEAR_SECONDS) {
      return info(
        `Strict-Transport-Security holds for ${seconds} seconds; half a year (${HALF_YEAR_SECONDS}) or more is usual.`,
      );
    }
    return pass(`Strict-Transport-Security: ${showText(text)}.`);
  },
};
