import type { Page, PageClass } from '../http/page-class.ts';
import type { Reason } from '../model/reason.ts';
import type { Step } from '../model/step.ts';
import { type Decision, unidentified } from './decision.ts';

/** The answer to a document request, and its step. */
export interface ReceivedPage {
  page: Page;
  step: Step;
}

/** Reasons that the class of a page replaces. */
const VAGUE: ReadonlySet<Reason> = new Set<Reason>([
  'no-nodeinfo',
  'access-refused',
  'discovery-not-json',
  'nodeinfo-unavailable',
]);

/**
 * Classifies the pages received instead of documents. The class becomes a note on the step, and replaces a reason that says only that
 * there is no document. A challenge page sent as a server error is not a failure of the host, because browsers get an answer.
 */
export async function classifyResponses(decision: Decision, answers: readonly ReceivedPage[]): Promise<Decision> {
  const isFailure = decision.verdict === 'unreachable' && decision.reason === 'http-5xx';
  if (!isFailure && !VAGUE.has(decision.reason)) return decision;
  // The HTML parser takes 16 MB, and many crawls never need it.
  const { classifyPage } = await import('../http/page-class.ts');
  const classes = answers.flatMap(({ page, step }) => {
    const pageClass = classifyPage(page);
    if (pageClass === null) return [];
    if (step.note === undefined) Object.assign(step, pageNote(pageClass));
    return [pageClass.class];
  });
  const [last] = classes.toReversed();
  if (last === undefined || (isFailure && last !== 'challenge-page')) return decision;
  return unidentified(last, decision.retryAfterMs);
}

function pageNote({ class: code, by }: PageClass): Pick<Step, 'code' | 'note'> {
  const page = code === 'web-app' ? 'the page of a web app' : `a ${code.replace('-', ' ')}`;
  return { code, note: `${page}${by === null ? '' : ` of ${by}`}, not a document` };
}
