import { documentOf } from '../../documents/document-of.ts';
import { showText } from '../../documents/show-text.ts';
import type { Exchange } from '../../exchange.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const DAY_SECONDS = 86_400;

const cure = `Let it be kept for minutes, not days; settings change. In nginx, in the block \`http\`:

    map $request_uri $keep_for {
        default off;
        "~^/api/v1/config$" 5m;
    }

Then in the server block, where it holds for PHP as well:

    expires $keep_for;

If a CDN keeps it, purge the address there once.`;

export const configCache: Rule = {
  id: 'config-cache',
  area: 'config',
  worst: 'warn',
  title: 'The configuration is not kept for days',
  checks:
    '`Cache-Control`, `Expires` and `Age` of the answer: more than a day, or `immutable`, warns. `private`, `no-cache` and `no-store`, as Laravel sends them by itself, are worth knowing.',
  why: 'From a copy that is days old, apps offer a registration that is closed and limits that have changed. Where nothing may be kept, every look at the server reaches PHP.',
  sources: ['RFC 9111'],
  cure,
  judge(evidence) {
    const { config } = evidence.answers;
    if (config === null || documentOf(config).kind !== 'object') return null;
    const control = config.headers['cache-control']?.toLowerCase() ?? '';
    const age = Number(config.headers.age ?? 0);
    if (age > DAY_SECONDS)
      return warn(`What came is a copy that was kept for ${Math.floor(age / 3_600)} hours (Age).`, cure);
    if (/\bimmutable\b/.test(control)) return warn(`Cache-Control is ${showText(control)}: it may never change.`, cure);
    const seconds = keptSeconds(config, control, evidence.at);
    if (seconds > DAY_SECONDS)
      return warn(
        `It may be kept for ${Math.round(seconds / 3_600)} hours${control === '' ? ' (Expires)' : `: Cache-Control is ${showText(control)}`}.`,
        cure,
      );
    if (/\b(?:private|no-store|no-cache)\b/.test(control))
      return info(`Cache-Control is ${showText(control)}: no proxy may keep it, and each request reaches the server.`);
    return pass(seconds > 0 ? `It may be kept for ${seconds} s.` : 'It does not say how long it may be kept.');
  },
};

/** How long anybody may keep it, in seconds; 0 where nothing is said. */
function keptSeconds({ headers }: Exchange, control: string, at: number): number {
  const ages = [...control.matchAll(/\b(?:s-maxage|max-age)\s*=\s*"?(\d+)/g)].map(([, seconds]) => Number(seconds));
  if (ages.length > 0) return Math.max(...ages);
  if (control.includes('no-cache') || control.includes('no-store')) return 0;
  const expires = Date.parse(headers.expires ?? '');
  return Number.isNaN(expires) ? 0 : Math.max(0, Math.round((expires - at) / 1_000));
}
