import { mayBeService } from '../../documents/may-be-service.ts';
import { robotsOf } from '../../documents/robots-of.ts';
import { pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `Add one line to the \`User-agent: *\` group of \`public/robots.txt\`; the longest match wins, so \`Disallow: /api/\` may stay:

    Allow: /api/v1/config`;

const closedCure = `\`Disallow: /\` in the \`User-agent: *\` group of \`public/robots.txt\` closes everything. If that is not meant, take the line out. If it is, these lines below it still let directories see the server:

    Allow: /api/v1/config
    Allow: /.well-known/nodeinfo
    Allow: /nodeinfo/2.0`;

export const robotsConfig: Rule = {
  id: 'robots-config',
  area: 'robots',
  worst: 'warn',
  title: 'robots.txt lets every crawler read the configuration',
  checks:
    'Whether the `*` group allows `/api/v1/config`. The file that Loops ships has `Disallow: /api/` and does not: Loopscout reads config all the same in its mode `standard`, as it is documented to be public, and does not in its mode `strict`.',
  why: 'Config is the one place that tells limits, features and how registration works. Crawlers that keep to the letter of robots.txt show the server without them, and one with federation off not at all.',
  sources: ['RFC 9309 section 2.2.2', 'Interface specification 4 (endpoint 7) and 4.4'],
  cure,
  judge(evidence) {
    if (!mayBeService(evidence)) return null;
    const by = robotsOf(evidence)?.robotsFor().rules('/api/v1/config');
    if (by === undefined || by === 'ours') return null;
    if (by === null) return pass('/api/v1/config is allowed, to Loopscout in every mode.');
    const isAll = robotsOf(evidence)?.robotsFor().rules('/') === 'everyone';
    return isAll
      ? warn(
          'The group for every crawler forbids the whole server, /api/v1/config too. Loopscout reads it anyway; stricter crawlers will not.',
          closedCure,
        )
      : warn(
          'The group for every crawler forbids /api/v1/config, as the file that Loops ships does with "Disallow: /api/". Loopscout reads it anyway; stricter crawlers will not.',
          cure,
        );
  },
};
