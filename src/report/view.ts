import type { BadgeView } from './badge.ts';
import { type Severity, WORST_FIRST } from './severity.ts';
import { paragraphsOf, proseLine, type TextBlock, textBlocks } from './text-blocks.ts';

/** A list of findings about one subject, as text; every output format is made from it. Its texts contain no control, bidi or hidden characters. */
export interface ReportView {
  /** The command that created it: `loopscout check`. */
  command: string;
  /** What was examined: `loops.example`. */
  subject: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  durationMs: number;
  /** The report in one sentence, with its overall severity. */
  headline: { severity: Severity; text: string };
  /** The numbers of findings and requests, in one line. */
  summary: string;
  /** Why the examination is incomplete; null when it is complete. */
  incomplete: string | null;
  /** The verdict on the subject. `problem` is a phrase that describes what is wrong with it; null when nothing is. */
  verdict: { id: string; word: string; problem: string | null };
  /** The facts that will be published; null when nothing was examined. */
  facts: {
    title: string;
    rows: [label: string, value: string][];
    /** Why there are no rows; null when there are some. */
    absent: string | null;
  } | null;
  /** What each kind of client sees of the subject. */
  clients: { title: string; rows: ClientLine[] };
  groups: FindingGroup[];
  /** Where to read more about a finding. */
  hint: string;
  /** The time of the report and the version of the tool. */
  generatedBy: string;
  /** The effects of the check on the subject. */
  effect: string;
  badge: BadgeView;
}

export interface ClientLine {
  name: string;
  /** Whether the client sees the server as intended. */
  isRight: boolean;
  sees: string;
  why: string;
}

export interface FindingGroup {
  id: string;
  name: string;
  /** Worst first. */
  findings: FindingView[];
  /** The ids of rules without a finding. */
  skipped?: readonly string[];
}

export interface FindingView {
  id: string;
  severity: Severity;
  /** The expected state. */
  title: string;
  /** The actual state, in paragraphs. */
  detail: string[];
  /** `detail` in one line. */
  brief: string;
  /** Null when no cure is needed. */
  cure: TextBlock[] | null;
}

/** Maximum characters of a title and of `brief`. */
const MAX_LINE_LENGTH = 300;

/** Makes the texts of a finding safe to show. */
export function findingView(finding: {
  id: string;
  severity: Severity;
  title: string;
  detail: string;
  cure: string | null;
}): FindingView {
  const { id, severity, title, detail, cure } = finding;
  return {
    id,
    severity,
    title: proseLine(title, MAX_LINE_LENGTH),
    detail: paragraphsOf(detail),
    brief: proseLine(detail, MAX_LINE_LENGTH),
    cure: cure === null ? null : textBlocks(cure),
  };
}

export function allFindings({ groups }: ReportView): FindingView[] {
  return groups.flatMap(({ findings }) => findings);
}

/** The findings of one severity, group by group. */
export function findingsOf(view: ReportView, severity: Severity): FindingView[] {
  return allFindings(view).filter((finding) => finding.severity === severity);
}

/** The number of passed findings of a group, and its worst severity. */
export function tallyOf({ findings }: FindingGroup): { passed: number; worst: Severity } {
  const has = (severity: Severity) => findings.some((finding) => finding.severity === severity);
  const passed = findings.filter(({ severity }) => severity === 'pass').length;
  return { passed, worst: WORST_FIRST.find(has) ?? 'pass' };
}
