import type { BadgeView } from './badge.ts';
import { type Severity, WORST_FIRST } from './severity.ts';
import { paragraphsOf, proseLine, type TextBlock, textBlocks } from './text-blocks.ts';

/** A list of findings about one subject, in words; every format is made of it. No text in it has a control or bidi character or a hidden one. */
export interface ReportView {
  /** The command that made it: `loopscout check`. */
  command: string;
  /** What was examined: `loops.example`. */
  subject: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  durationMs: number;
  /** The report in one sentence; the severity is that of the whole. */
  headline: { severity: Severity; text: string };
  /** The numbers of findings and requests, in one line. */
  summary: string;
  /** Why not everything was examined; null when everything was. */
  incomplete: string | null;
  /** The verdict on the subject; `problem` is a clause that says what is wrong with it, null when nothing is. */
  verdict: { id: string; word: string; problem: string | null };
  /** The facts that will be published; null when they are unknown. */
  facts: {
    title: string;
    rows: [label: string, value: string][];
    /** Why there are no rows. */
    absent: string | null;
  } | null;
  clients: { title: string; rows: ClientLine[] };
  groups: FindingGroup[];
  /** Where to read more about a finding. */
  hint: string;
  /** The time of the report and the version of the tool. */
  made: string;
  /** The effects of the check on the subject. */
  effect: string;
  badge: BadgeView;
}

export interface ClientLine {
  name: string;
  /** Whether the client sees what it should. */
  isRight: boolean;
  sees: string;
  why: string;
}

export interface FindingGroup {
  id: string;
  name: string;
  /** Never empty; worst first. */
  findings: FindingView[];
}

export interface FindingView {
  id: string;
  severity: Severity;
  /** What was wanted. */
  title: string;
  /** What was found, in paragraphs. */
  detail: string[];
  /** The same in one line. */
  brief: string;
  /** Null when there is nothing to cure. */
  cure: TextBlock[] | null;
}

/** Characters of a title, and of a detail in one line. */
const MAX_IN_LINE = 300;

/** The texts of a finding as they came, made safe to show. */
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
    title: proseLine(title, MAX_IN_LINE),
    detail: paragraphsOf(detail),
    brief: proseLine(detail, MAX_IN_LINE),
    cure: cure === null ? null : textBlocks(cure),
  };
}

export function allFindings({ groups }: Pick<ReportView, 'groups'>): FindingView[] {
  return groups.flatMap(({ findings }) => findings);
}

/** The findings of one severity, group by group. */
export function findingsOf(view: Pick<ReportView, 'groups'>, severity: Severity): FindingView[] {
  return allFindings(view).filter((finding) => finding.severity === severity);
}

/** How many findings of a group passed, and the worst of them. */
export function tallyOf({ findings }: FindingGroup): { passed: number; worst: Severity } {
  const has = (severity: Severity) => findings.some((finding) => finding.severity === severity);
  const passed = findings.filter(({ severity }) => severity === 'pass').length;
  return { passed, worst: WORST_FIRST.find(has) ?? 'pass' };
}
