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
  /** How much was found and what it took, in one line. */
  summary: string;
  /** Why not everything was examined; null when everything was. */
  incomplete: string | null;
  /** What the subject was taken for; `problem` says in a clause why that is wrong, and is null when it is right. */
  verdict: { id: string; word: string; problem: string | null };
  /** What will be published of the subject; null when this is unknown. */
  facts: {
    title: string;
    rows: [label: string, value: string][] /** Why there are no rows. */;
    absent: string | null;
  } | null;
  clients: { title: string; rows: ClientLine[] };
  groups: FindingGroup[];
  /** Where a reader learns more of a finding. */
  hint: string;
  /** When and by what the report was made. */
  made: string;
  /** What was changed at the subject. */
  effect: string;
  badge: BadgeView;
}

export interface ClientLine {
  name: string;
  /** Whether it sees what it should. */
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
const MOST_IN_LINE = 300;

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
    title: proseLine(title, MOST_IN_LINE),
    detail: paragraphsOf(detail),
    brief: proseLine(detail, MOST_IN_LINE),
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
