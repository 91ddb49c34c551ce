import { REASONS } from '../model/reason.ts';
import type { Probe, Step } from '../model/step.ts';
import type { ExplainedStep } from './explanation.ts';

const WHAT: Readonly<Record<Probe, string>> = {
  dns: 'name look-up',
  robots: 'robots.txt',
  config: 'configuration',
  discovery: 'NodeInfo link',
  nodeinfo: 'NodeInfo',
};

/** A step with what it asked, and what came, in words that a person understands. */
export function explainStep(step: Step): ExplainedStep {
  return { ...step, what: WHAT[step.probe], came: cameWords(step) };
}

function cameWords(step: Step): string {
  const { probe, status, failure, code, note } = step;
  if (failure !== null) return withNote(REASONS[failure].means, note);
  if (status === null) return probe === 'dns' ? withNote('found', note) : (note ?? 'not asked');
  // Of a redirect or a page, the note says it all.
  return code !== undefined && note !== undefined ? `${note} (${status})` : withNote(statusWords(step, status), note);
}

function withNote(words: string, note: string | undefined): string {
  return note === undefined ? words : `${words}: ${note}`;
}

function statusWords({ probe, bytes }: Step, status: number): string {
  const of = `(${status}${bytes > 0 ? `, ${bytes} bytes` : ''})`;
  if (status >= 200 && status < 300) return `answered ${of}`;
  if (status === 410) return `gone for good ${of}`;
  if (status === 429) return `too many requests, come back later ${of}`;
  if (status >= 500) return `server error ${of}`;
  if (probe === 'robots')
    return status === 404 ? `there is none, so all is allowed ${of}` : `not to be had, so all is allowed ${of}`;
  if (status === 404) return `there is none ${of}`;
  if (status === 401 || status === 403) return `not for us ${of}`;
  return `no usable answer ${of}`;
}
