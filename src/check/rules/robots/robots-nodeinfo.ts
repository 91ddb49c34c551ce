import { documentOf } from '../../documents/document-of.ts';
import { nameAll } from '../../documents/name-all.ts';
import { robotsOf } from '../../documents/robots-of.ts';
import { showText } from '../../documents/show-text.ts';
import { wantedTargets } from '../../documents/wanted-targets.ts';
import { fail, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

/** What Loops serves; an address of the server's own making is never a line to paste. */
const USUAL: ReadonlySet<string> = new Set(['/.well-known/nodeinfo', '/nodeinfo/2.0']);

function cureFor(isUsual: boolean): string {
  const lines =
    'Add to the `User-agent: *` group of robots.txt:\n\n    Allow: /.well-known/nodeinfo\n    Allow: /nodeinfo/2.0';
  return isUsual ? lines : `${lines}\n\nand an \`Allow\` line for the path that discovery names.`;
}

export const robotsNodeInfo: Rule = {
  id: 'robots-nodeinfo',
  area: 'robots',
  worst: 'fail',
  title: 'robots.txt lets every crawler read NodeInfo',
  checks:
    'Whether the `*` group allows NodeInfo discovery and the document that it advertises. Forbidding them warns while config tells what the server is, and fails when nothing else does.',
  why: 'Every directory of the fediverse reads NodeInfo, and most read nothing else. Without it a server has no user counts, or is not listed at all.',
  sources: ['RFC 9309 section 2.2.2', 'NodeInfo protocol 2.0'],
  cure: cureFor(true),
  judge(evidence) {
    const robots = robotsOf(evidence);
    if (robots === null) return null;
    const { rules } = robots.robotsFor();
    const targets = wantedTargets(evidence).filter(({ name }) => name !== 'config');
    if (targets.some(({ target }) => rules(target) === 'ours')) return null;
    const forbidden = targets.filter(({ target }) => rules(target) === 'everyone').map(({ target }) => target);
    if (forbidden.length === 0) return pass('Nothing of NodeInfo is forbidden.');
    const cure = cureFor(forbidden.every((target) => USUAL.has(target)));
    const detail = `The group for every crawler forbids ${nameAll(forbidden.map(showText))}.`;
    return documentOf(evidence.answers.config).kind === 'object'
      ? warn(`${detail} Config still says what the server is, but its users and posts stay unknown.`, cure)
      : fail(`${detail} As config does not say what the server is, nothing does.`, cure);
  },
};
