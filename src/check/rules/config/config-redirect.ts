import { REASONS } from '../../../record/reason.ts';
import { circleOf } from '../../documents/circle-of.ts';
import { documentOf } from '../../documents/document-of.ts';
import { failsAsConfig } from '../../documents/fails-as-config.ts';
import { mayBeService } from '../../documents/may-be-service.ts';
import { movedAway } from '../../documents/moved-away.ts';
import { showText } from '../../documents/show-text.ts';
import type { Evidence } from '../../evidence.ts';
import { fail, pass, warn } from '../../judgement.ts';
import { LOOP_CURE } from '../../loop-cure.ts';
import type { Rule } from '../../rule.ts';

const PATH = '/api/v1/config';

const cure = `Let Loops answer it where it is asked for: take the API out of the redirects of the site. This finds them in nginx:

    grep -rnE 'return 30|rewrite ' /etc/nginx/

In the server block, a place of its own comes before them:

    location ^~ /api/ { try_files $uri /index.php?$query_string; }`;

export const configRedirect: Rule = {
  id: 'config-redirect',
  area: 'config',
  worst: 'fail',
  title: 'The configuration is answered where it is asked for',
  checks:
    'Whether `GET /api/v1/config` redirects. One redirect or more within the host warns, and the other rules judge what they lead to; a loop, more than three, another host and plain http fail.',
  why: 'Apps and directories identify a server by this one answer. Not all of them follow redirects, and none takes the answer of another host for that of yours.',
  sources: ['Interface specification 4 (endpoint 7) and 4.4', 'RFC 9110 section 15.4'],
  cure,
  judge(evidence) {
    const { answers, domain } = evidence;
    const reading = documentOf(answers.config);
    if (movedAway(evidence)) return ofMove(evidence);
    if (!mayBeService(evidence)) return null;
    if (reading.kind === 'object' && answers.config?.followed.length === 0) return pass('It is.');
    const circle = circleOf(answers.config);
    if (circle !== null) {
      const too = failsAsConfig(evidence) ? ' So does /.well-known/nodeinfo.' : '';
      return fail(`${PATH} ${circle}.${too}`, LOOP_CURE);
    }
    if (answers.config !== null && answers.config.followed.length > 0 && reading.kind !== 'redirect') {
      const said = `${PATH} redirects to ${pathOf(new URL(answers.config.url))}`;
      return reading.kind === 'status' && reading.status < 500
        ? fail(`${said}, which answers ${reading.status}.`, cure)
        : warn(`${said}.`, cure);
    }
    if (reading.kind !== 'redirect') return null;
    const { to, location } = reading;
    if (to === null) return fail(`${PATH} redirects to no address: ${showText(location)}.`, cure);
    if (to.protocol !== 'https:') return fail(`${PATH} redirects to ${showText(to.href)}, which is not https.`, cure);
    if (to.host !== domain) return fail(`${PATH} redirects to another host: ${showText(to.href)}.`, cure);
    return warn(`${PATH} redirects to ${pathOf(to)}.`, cure);
  },
};

function pathOf({ pathname, search }: URL): string {
  return showText(pathname + search);
}

/** The whole host redirects to another: meant, or a fault that leaves nothing of this one. */
function ofMove({ visit, answers, domain }: Evidence) {
  const config = documentOf(answers.config);
  const to = visit.aliasOf ?? (config.kind === 'redirect' ? config.to?.host : undefined) ?? 'another host';
  const answering =
    visit.aliasOf === null
      ? `, and that leads nowhere: ${REASONS[visit.reason].means}`
      : ', which is then the server that directories list; this name is an alias of it';
  return fail(
    `The host redirects to ${showText(to)}${answering}.`,
    `If that is meant, check the other name instead, and there is nothing to do here. If it is not, answer on this one, and take it out of the \`server_name\` of the block that redirects:\n\n    server_name ${domain};`,
  );
}
