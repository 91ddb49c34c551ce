import { property } from '../../../identify/json.ts';
import { isShared } from '../../../identify/shared-failure.ts';
import { REASONS } from '../../../record/reason.ts';
import { answerCure } from '../../answer-cure.ts';
import { circleOf } from '../../documents/circle-of.ts';
import { documentOf } from '../../documents/document-of.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { nodeInfoConcerns } from '../../documents/nodeinfo-concerns.ts';
import { showText } from '../../documents/show-text.ts';
import { fail, info, pass } from '../../judgement.ts';
import { LOOP_CURE } from '../../loop-cure.ts';
import { RATE_LIMIT_CURE, rateLimitWords } from '../../rate-limit-words.ts';
import type { Rule } from '../../rule.ts';

const PATH = '/.well-known/nodeinfo';

const cure = `Let the address through to Loops. A rule of nginx against files that begin with a dot, or one for certificates, often takes it first. In the server block of nginx, above such rules:

    location ^~ /.well-known/nodeinfo { try_files $uri /index.php?$query_string; }`;

const redirectCure = `Answer it where it is asked for: take /.well-known/ out of the redirects of the site. This finds them in nginx:

    grep -rnE 'return 30|rewrite ' /etc/nginx/

In the server block, a place of its own comes before them:

    location ^~ /.well-known/nodeinfo { try_files $uri /index.php?$query_string; }`;

export const nodeInfoDiscovery: Rule = {
  id: 'nodeinfo-discovery',
  area: 'nodeinfo',
  worst: 'fail',
  title: 'NodeInfo discovery answers',
  checks:
    '`GET /.well-known/nodeinfo` answers 200 on the host itself. 404 is no fault while federation is off. A redirect within the host is worth knowing; one that never ends fails.',
  why: 'Every directory and server of the fediverse begins here to learn what a server runs. Most know no other way.',
  sources: ['Interface specification 2.6 and 4.4', 'NodeInfo protocol 2.0'],
  cure,
  judge(evidence) {
    if (!nodeInfoConcerns(evidence)) return null;
    const reading = documentOf(evidence.answers.discovery);
    switch (reading.kind) {
      case 'unasked':
      case 'challenge':
        return null;
      case 'failure':
        if (isShared(reading.failure)) return null;
        return fail(
          `${PATH} gave no usable answer: ${REASONS[reading.failure].means}.`,
          answerCure(reading, evidence.domain, PATH) ?? cure,
        );
      case 'redirect': {
        const circle = circleOf(evidence.answers.discovery);
        if (circle !== null) return fail(`${PATH} ${circle}.`, LOOP_CURE);
        if (reading.to?.host === evidence.domain && reading.to.protocol === 'https:')
          return info(`${PATH} redirects to ${showText(reading.to.pathname)}; most clients follow.`);
        return fail(`${PATH} redirects to ${showText(reading.to?.href ?? reading.location)}.`, redirectCure);
      }
      case 'status': {
        const config = documentOf(evidence.answers.config);
        const isUnsaid = config.kind !== 'object' || property(config.document, 'federation') !== true;
        const hint =
          reading.status === 404 && isUnsaid && mayBeService(evidence)
            ? ' Loops also answers so while federation is off.'
            : '';
        if (reading.status === 429)
          return fail(
            `${PATH} answers 429 Too Many Requests. ${rateLimitWords(evidence.answers.discovery, evidence)}`,
            RATE_LIMIT_CURE,
          );
        return fail(`${PATH} answers ${reading.status}.${hint}`, answerCure(reading, evidence.domain, PATH) ?? cure);
      }
      default: {
        const { discovery } = evidence.answers;
        if (discovery === null || discovery.followed.length === 0) return pass('It does.');
        return info(`${PATH} redirects to ${showText(new URL(discovery.url).pathname)}; most clients follow.`);
      }
    }
  },
};
