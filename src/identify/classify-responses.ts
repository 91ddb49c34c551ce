import type { Reason } from '../model/reason.ts';
import type { Step } from '../model/step.ts';
import { type Decision, unidentified } from './decision.ts';
import type { Page, PageClass } from './page-class.ts';

/** What came for a document that was asked for, and the step that asked. */
export interface ReceivedPage {
  page: Page;
  step: Step;
}

/** Reasons that a page explains better. */
const VAGUE: ReadonlySet<Reason> = new Set<Reason>(['no-nodeinfo', 'discovery-not-json', 'nodeinfo-unavailable']);

/**
 * Says what the pages are that came instead of documents: as a note on the step, and as the reason where the decision was only
 * that there is no document. A server error with a challenge page is no failure of the host: it answers, to browsers.
 */
export async function classifyResponses(decision: Decision, answers: readonly ReceivedPage[]): Promise<Decision> {
  const isFailure = decision.verdict === 'unreachable' && decision.reason === 'http-5xx';
  if (!isFailure && !VAGUE.has(decision.reason)) return decision;
  // The parser of pages takes 16 MB, and many a crawl meets none.
  const { classifyPage } = await import('./page-class.ts');
  const told = answers.flatMap(({ page, step }) => {
    const found = classifyPage(page);
    if (found === null) return [];
    if (step.note === undefined) Object.assign(step, pageNote(found));
    return [found.class];
  });
  const [first] = told.toReversed();
  if (first === undefined || (isFailure && first !== 'challenge-page')) return decision;
  return unidentified(first, decision.retryAfterMs);
}

function pageNote({ class: code, by }: PageClass): Pick<Step, 'code' | 'note'> {
  const page = code === 'web-app' ? 'the page of a web app' : `a ${code.replace('-', ' ')}`;
  return { code, note: `${page}${by === null ? '' : ` of ${by}`}, not a document` };
}
