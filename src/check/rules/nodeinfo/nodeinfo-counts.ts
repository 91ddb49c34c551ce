import { parseNodeInfo } from '../../../identify/parse-nodeinfo.ts';
import type { InstanceFlag } from '../../../record/instance-flag.ts';
import { usageFlags } from '../../../record/usage-flags.ts';
import { nodeInfoOf } from '../../documents/nodeinfo-of.ts';
import { info, pass, warn } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const MEANS: Partial<Record<InstanceFlag, string>> = {
  'users-without-posts': 'more than a thousand users, and not one post',
  'counts-contradict': 'more active users than users, or more in a month than in half a year',
};

const cure = `Let Loops count anew:

    php artisan cache:clear

See that its scheduled work runs: this line belongs into the crontab of the user of the web server (\`sudo crontab -u www-data -e\`):

    * * * * * cd /var/www/loops && php artisan schedule:run >> /dev/null 2>&1`;

export const nodeInfoCounts: Rule = {
  id: 'nodeinfo-counts',
  area: 'nodeinfo',
  worst: 'warn',
  title: 'The counts of NodeInfo are plausible',
  checks:
    'Users, active users and posts against each other: not more active users than users, posts where there are many users, users where there are posts, no count over a billion. All 0 is worth knowing.',
  why: 'Directories flag implausible counts, or leave such servers out of their sums, as they are the mark of spam and of broken caches.',
  sources: ['Interface specification 2.7', 'NodeInfo 2.0 schema (usage)'],
  cure,
  judge(evidence) {
    const document = nodeInfoOf(evidence);
    const counts = document === null ? null : parseNodeInfo(document);
    if (counts === null) return null;
    const { users, activeMonth, activeHalfyear, posts } = counts.usage;
    if (users === null && posts === null) return null;
    const flags = usageFlags([{ at: evidence.at, users, activeMonth, activeHalfyear, posts }]);
    const problems = flags.flatMap((flag) => MEANS[flag] ?? []);
    if (users === 0 && (posts ?? 0) > 0) problems.push('posts, and not one user');
    const shown = `users ${users ?? 'unknown'}, active in half a year ${activeHalfyear ?? 'unknown'}, in a month ${activeMonth ?? 'unknown'}, posts ${posts ?? 'unknown'}`;
    if (flags.includes('counts-absurd'))
      return warn(`${absurd({ users, activeMonth, activeHalfyear, posts })} cannot be right.`, cure);
    if (problems.length > 0) return warn(`It counts ${problems.join('; ')} (${shown}).`, cure);
    return users === 0 && posts === 0 ? info(`All are 0 (${shown}).`) : pass(`They are (${shown}).`);
  },
};

/** More than this, no server of the fediverse has. */
const MOST = 1_000_000_000;
const NUMBERS = new Intl.NumberFormat('en');

/** "8,830,041,223 users and 4,871,000,345 posts". */
function absurd(counts: {
  users: number | null;
  activeMonth: number | null;
  activeHalfyear: number | null;
  posts: number | null;
}): string {
  const { users, activeMonth, activeHalfyear, posts } = counts;
  const named = [
    [users, 'users'],
    [activeHalfyear, 'active in half a year'],
    [activeMonth, 'active in a month'],
    [posts, 'posts'],
  ] as const;
  const large = named.filter(([count]) => (count ?? 0) > MOST);
  return (large.length > 0 ? large : named)
    .flatMap(([count, what]) => (count === null ? [] : [`${NUMBERS.format(count)} ${what}`]))
    .join(' and ');
}
