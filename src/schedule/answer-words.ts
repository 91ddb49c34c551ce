import { REASONS, type Reason } from '../record/reason.ts';
import { isConclusive } from './is-conclusive.ts';

/** Those that are no clause of their own, or begin like one. */
const WORDS: Readonly<Partial<Record<Reason, string>>> = {
  'no-nodeinfo': 'it answers, but has no NodeInfo document',
  'nodeinfo-unavailable': 'it answers, but NodeInfo failed with a server error or gave no answer',
  'default-page': 'it answers, but with the page of a freshly installed web server, and nothing else',
  'maintenance-page': 'it answers, but with a page that speaks of maintenance where documents belong',
  'web-app': 'it answers, but every address with the page of a single-page web app, and has no NodeInfo',
  'rate-limited': 'it answers, but with 429 Too Many Requests',
};

/** What a host answered at a visit that did not fail, in words: `answered: the configuration endpoint names the software`. */
export function answerWords(reason: Reason): string {
  const { verdicts, means } = REASONS[reason];
  const isTold = verdicts.some(isConclusive);
  return isTold ? `answered: ${means}` : (WORDS[reason] ?? `it answers, but ${means}`);
}
