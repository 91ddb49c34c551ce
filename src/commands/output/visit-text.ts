import { REASONS } from '../../model/reason.ts';
import type { Visit } from '../../model/visit.ts';

/** A finished or stored visit; `steps` is null when they were deleted by the retention. */
export type ShownVisit = Omit<Visit, 'documents' | 'host' | 'retryAfterMs' | 'robots' | 'steps'> & {
  steps: Visit['steps'] | null;
};

/** A visit as text: the verdict and its reason, then each request. */
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
  const response = failure ?? (status === null ? '' : `${status}, ${bytes} bytes`);
  const parts = [response, note, response === '' ? undefined : `${ms} ms`].filter(
    (part) => part !== undefined && part !== '',
  );
  return `${probe.padEnd(9)} ${url}  ${probe === 'dns' && failure === null ? `${ms} ms` : parts.join(', ')}`;
}

/** A visit as JSON, without the raw documents. */
export function visitJson<Shown extends object>(visit: Shown): Omit<Shown, 'documents'> {
  if (!('documents' in visit)) return visit;
  const { documents: _, ...shown } = visit;
  return shown as Omit<Shown, 'documents'>;
}
