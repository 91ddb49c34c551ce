import { nameAll } from '../../documents/name-all.ts';
import { nodeInfoOf } from '../../documents/nodeinfo-of.ts';
import { valueAt } from '../../documents/value-at.ts';
import { info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const ACTIVE = ['usage.users.activeMonth', 'usage.users.activeHalfyear'] as const;

export const nodeInfoUsage: Rule = {
  id: 'nodeinfo-usage',
  area: 'nodeinfo',
  worst: 'info',
  title: 'NodeInfo counts active users',
  checks:
    'Whether `usage.users.activeMonth` and `usage.users.activeHalfyear` are there. The standard leaves them to the server.',
  why: 'Directories sort by active users. A server that does not count them stands at the end.',
  sources: ['NodeInfo 2.0 schema (usage.users)'],
  cure: 'Releases of Loops that count them do so by themselves; update where they do not.',
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    if (document === null || valueAt(document, 'usage.users.total') === undefined) return null;
    const missing = ACTIVE.filter((path) => valueAt(document, path) === undefined);
    return missing.length === 0 ? pass('It does.') : info(`Not there: ${nameAll(missing)}.`);
  },
};
