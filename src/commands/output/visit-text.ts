import { REASONS, type Visit } from '../../app/app.ts';

/** A visit as it ended, or as it was stored by another process; without its steps where they are no longer kept. */
export type ShownVisit = Omit<Visit, 'documents' | 'host' | 'robots' | 'steps'> & { steps: Visit['steps'] | null };

/** One visit for a person: what was decided and why, then each request it made. */
export function visitText(visit: ShownVisit): string {
  const { domain, verdict, reason, software, version, aliasOf, facts } = visit;
  const what = [
    verdict === 'other' ? `${software} ${version ?? '(version unknown)'}` : null,
    verdict === 'loops' ? `version ${version ?? 'unknown'}` : null,
    aliasOf === null ? null : `to ${aliasOf}`,
  ].filter((part) => part !== null);
  return [
    `${domain}: ${[verdict, ...what].join(', ')}`,
    `  ${reason}: ${REASONS[reason].means}`,
    ...(visit.steps ?? []).map((step) => `  ${stepText(step)}`),
    ...(facts === null || facts.flags.length === 0 ? [] : [`  flags: ${facts.flags.join(', ')}`]),
    ...(facts?.notes ?? []).map(({ field, problem }) => `  ${field}: ${problem}`),
  ].join('\n');
}

function stepText({ probe, url, status, ms, bytes, failure, note }: Visit['steps'][number]): string {
  const came = failure ?? (status === null ? '' : `${status}, ${bytes} bytes`);
  const parts = [came, note, came === '' ? undefined : `${ms} ms`].filter((part) => part !== undefined && part !== '');
  return `${probe.padEnd(9)} ${url}  ${probe === 'dns' && failure === null ? `${ms} ms` : parts.join(', ')}`;
}

/** One visit for a machine: everything but the raw documents. */
export function visitJson<Shown extends object>(visit: Shown): Omit<Shown, 'documents'> {
  if (!('documents' in visit)) return visit;
  const { documents: _, ...shown } = visit;
  return shown as Omit<Shown, 'documents'>;
}
