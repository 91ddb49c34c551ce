import { ROBOTS_TOKEN } from '../../../http/robots.ts';
import { asksNoindex } from '../../../identify/noindex.ts';
import { isDown } from '../../documents/is-down.ts';
import { nameAll } from '../../documents/name-all.ts';
import { fail, info, pass } from '../../judgement.ts';
import type { Rule } from '../../rule.ts';

const DOCUMENTS = ['config', 'discovery', 'nodeinfo'] as const;

const cure = `If the server is to be listed, take the header off these answers. In nginx it often comes from a line for the whole API:

    # add_header X-Robots-Tag "noindex";

To keep pages out of search engines and stay in directories, name the search engines:

    add_header X-Robots-Tag "googlebot: noindex, bingbot: noindex";`;

export const robotsNoindex: Rule = {
  id: 'robots-noindex',
  area: 'robots',
  worst: 'fail',
  title: 'Config and NodeInfo do not ask to be left out',
  checks: `Whether the answers of config, NodeInfo discovery and NodeInfo carry \`X-Robots-Tag: noindex\` or \`none\`, said to everyone or to \`${ROBOTS_TOKEN}\`. On other pages it does nothing here.`,
  why: 'Loopscout takes the header at its word: a server that sends it with these documents is visited, but never published, neither now nor in what is published of the past.',
  sources: ['robots meta tag and X-Robots-Tag (Google Search Central)'],
  cure,
  judge(evidence) {
    if (isDown(evidence)) return null;
    const { answers } = evidence;
    const answered = DOCUMENTS.filter((name) => {
      const status = answers[name]?.status ?? 500;
      return status < 500;
    });
    if (answered.length === 0) return null;
    const asking = answered.filter((name) => asksNoindex(answers[name]?.headers['x-robots-tag'], ROBOTS_TOKEN));
    if (asking.length > 0)
      return fail(`X-Robots-Tag asks not to be published, on ${nameAll(asking)}, and so this server is not.`, cure);
    if (asksNoindex(answers.home?.headers['x-robots-tag'], ROBOTS_TOKEN))
      return info(
        'The home page asks search engines not to list it (X-Robots-Tag). Config and NodeInfo do not, and they are what counts here.',
      );
    return pass('None does.');
  },
};
