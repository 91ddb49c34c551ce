import { ROBOTS_TOKEN } from '../../../http/robots.ts';
import { readRobotsGroup } from '../../../http/robots-group.ts';
import { nameAll } from '../../documents/name-all.ts';
import { robotsOf } from '../../documents/robots-of.ts';
import { wantedTargets } from '../../documents/wanted-targets.ts';
import { fail, info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const cure = `If the server is to be listed, take the group out of robots.txt, or give it what it needs:

    User-agent: ${ROBOTS_TOKEN}
    Allow: /api/v1/config
    Allow: /.well-known/nodeinfo
    Allow: /nodeinfo/2.0

If it is not to be listed, all is as it should be, and nothing needs to be done.`;

export const robotsNamesLoopscout: Rule = {
  id: 'robots-names-loopscout',
  area: 'robots',
  worst: 'fail',
  title: `No group of robots.txt shuts out ${ROBOTS_TOKEN}`,
  checks: `Whether a group names \`${ROBOTS_TOKEN}\`, and what it forbids of config, NodeInfo discovery and the NodeInfo document. Such a group is obeyed for everything, in every mode.`,
  why: 'A group that names a crawler is the way to refuse it, and is obeyed: the server is then not identified and not listed.',
  sources: ['RFC 9309 section 2.2.1'],
  cure,
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    if (readRobotsGroup(robots.text, ROBOTS_TOKEN).by !== 'ours') return pass('None names it.');
    const { rules } = robots.robotsFor();
    const forbidden = wantedTargets(evidence).filter(({ target }) => rules(target) !== null);
    if (forbidden.length === 0) return info(`A group names ${ROBOTS_TOKEN}, and allows all that it asks for.`);
    return fail(
      `A group names ${ROBOTS_TOKEN} and forbids it ${nameAll(forbidden.map(({ target }) => target))}.`,
      cure,
    );
  },
};
