import { counted, wrapLines } from '../../report/text-blocks.ts';
import type { Clause, ServerClause } from '../clauses/clause.ts';
import { SECTION_TITLES } from '../clauses/section-titles.ts';
import { PROBE_NEEDS, type ProbeId } from '../probes/probe-ids.ts';
import { PLANS } from '../probes/probes.ts';
import { missingFor, type RunOptions, withPrerequisites } from '../probes/run-probes.ts';

/** The clauses by section, for `--list`. */
export function clauseList(clauses: readonly Clause[], columns: number): string {
  const sections = Map.groupBy(clauses, ({ section }) => section);
  const blocks = [...sections].map(([section, inSection]) =>
    [
      `${section} ${SECTION_TITLES[section] ?? ''}`,
      ...inSection.flatMap(({ id, level, rfc, sentence }) => [
        `  ${id} (${level}${rfc === undefined ? '' : `, ${rfc}`})`,
        ...wrapLines(sentence, columns, { first: '      ' }),
      ]),
    ].join('\n'),
  );
  return `${blocks.join('\n\n')}\n`;
}

/** A probe of a run. `missing` says why its request would not be sent; null when it would. */
export type PlannedProbe = { probe: ProbeId; request: string; missing: string | null };

export function plannedProbes(
  clauses: readonly ServerClause[],
  options: Pick<RunOptions, 'writes' | 'user' | 'token' | 'video' | 'apps'>,
): PlannedProbe[] {
  return withPrerequisites(clauses.flatMap(({ probes }) => probes)).map((probe) => ({
    probe,
    request: PLANS[probe].line,
    missing: missingFor(PROBE_NEEDS[probe], options),
  }));
}

/** The requests of a run, for `--dry-run`. */
export function planText(planned: readonly PlannedProbe[], base: string, columns: number): string {
  const sent = planned.filter(({ missing }) => missing === null);
  const omitted = Map.groupBy(
    planned.filter(({ missing }) => missing !== null),
    ({ missing }) => missing,
  );
  return `${[
    `To ${base}, in this order:`,
    ...sent.flatMap(({ request }) => wrapLines(request, columns, { first: '  ' })),
    ...[...omitted].flatMap(([missing, probes]) => [
      '',
      ...wrapLines(`Not sent, because ${missing}: ${counted(probes.length, 'request')}`, columns),
    ]),
  ].join('\n')}\n`;
}
