import type { Evidence } from '../evidence.ts';
import type { Judgement, Rule } from '../rule.ts';

/** What is of Loops and of how it is installed. */
const OF_THE_SERVICE = /\bLoops\b|artisan|laravel|index\.php|php-fpm|APP_(?:URL|NAME|ENV)|storage\/logs/i;

const GENERAL =
  'This server runs another software than Loops, so there are no lines to paste here: its documentation, or that of the proxy in front of it, tells where this is set.';

/** The same rule, whose cures for a server that names another software speak of nothing that is of Loops alone. */
export function forOtherSoftware(rule: Rule): Rule {
  return { ...rule, judge: (evidence) => withGeneralCure(rule.judge(evidence), evidence) };
}

function withGeneralCure(judgement: Judgement | null, { visit, softwareId }: Evidence): Judgement | null {
  if (judgement === null || visit.verdict !== 'other' || !('cure' in judgement)) return judgement;
  // A name that is misspelt is still that of Loops.
  if (visit.software?.trim().toLowerCase() === softwareId.toLowerCase()) return judgement;
  return OF_THE_SERVICE.test(judgement.cure) ? { ...judgement, cure: GENERAL } : judgement;
}
