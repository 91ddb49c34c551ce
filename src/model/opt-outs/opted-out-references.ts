import type { ChangedField, FactChange } from '../change.ts';
import type { DomainRecord } from '../domain-record.ts';
import type { FactValue } from '../facts/fact-value.ts';
import type { Visit } from '../visit.ts';
import { namesOptedOutHost, type OptOutSet } from './opt-out-names.ts';

/** Whether a visit leads to a host that has opted out: by its result, a step, or a link of its NodeInfo discovery. */
export function leadsToOptedOut(visit: Visit, optedOut: OptOutSet): boolean {
  if (optedOut.size === 0) return false;
  const { steps, documents } = visit;
  const discovery = documents.discovery === undefined ? '' : Buffer.from(documents.discovery).toString('latin1');
  return (
    refersToOptedOut(visit, optedOut) ||
    namesOptedOutHost(JSON.stringify(steps), optedOut) ||
    namesOptedOutHost(discovery, optedOut)
  );
}

/** Whether the alias or the canonical host of a record or a visit has opted out. */
export function refersToOptedOut(
  { aliasOf, host }: Pick<DomainRecord, 'aliasOf' | 'host'>,
  optedOut: OptOutSet,
): boolean {
  return [aliasOf, host.canonicalHost].some((name) => name !== null && optedOut.has(name));
}

/** A visit without the references to hosts that have opted out, and without its documents if it has any. */
export function withoutOptedOut(visit: Visit, optedOut: OptOutSet): Visit {
  if (!leadsToOptedOut(visit, optedOut)) return visit;
  const isHidden = (name: string) => optedOut.has(name);
  return {
    ...visit,
    aliasOf: unlessHidden(visit.aliasOf, isHidden),
    host: { ...visit.host, canonicalHost: unlessHidden(visit.host.canonicalHost, isHidden) },
    steps: visit.steps.filter((step) => !namesOptedOutHost(JSON.stringify(step), optedOut)),
    documents: {},
    robots: null,
  };
}

/** Whether a domain must not be published, not even as the alias or canonical host of another: it opted out or asks not to be published. */
export type IsHidden = (domain: string) => boolean;

/** A domain to which another one refers; null if it must not be published. */
export function unlessHidden<Name extends string>(domain: Name | null, isHidden: IsHidden): Name | null {
  return domain !== null && isHidden(domain) ? null : domain;
}

/** The fields whose values are domains. */
export const DOMAIN_FIELDS = ['aliasOf', 'pointsTo'] as const satisfies readonly ChangedField[];

/** {@link unlessHidden} for the values of a change. */
export function hideInChange<Changed extends Pick<FactChange, 'field' | 'from' | 'to'>>(
  change: Changed,
  isHidden: IsHidden,
): Changed {
  if (!DOMAIN_FIELDS.some((field) => field === change.field)) return change;
  const hide = (value: FactValue) => (typeof value === 'string' ? unlessHidden(value, isHidden) : value);
  return { ...change, from: hide(change.from), to: hide(change.to) };
}
