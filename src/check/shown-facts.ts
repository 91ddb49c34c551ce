import { FACT_LEAVES, FEATURES } from '../record/facts/fact-leaves.ts';
import { labelOf, UNITS } from '../record/facts/fact-meta.ts';
import { proseLine } from '../report/text-blocks.ts';
import type { Report } from './report.ts';

type Instance = NonNullable<Report['instance']>;

const LIMITS = FACT_LEAVES.filter(({ parent }) => parent === 'limits');

/** What a directory will show of an instance, as names and values; what is unknown says so. */
export function shownFacts(instance: Instance): [label: string, value: string][] {
  const { registration, federation, flags } = instance;
  const mode = registration.mode === null ? '' : ` (mode ${proseLine(registration.mode, 60)})`;
  return [
    ['name', textOf(instance.name, 200)],
    ['description', textOf(instance.description, 400)],
    ['version', textOf(instance.version, 60)],
    ['registration', `${stateOf(registration.open, 'open', 'closed')}${mode}`],
    ['federation', stateOf(federation, 'on', 'off')],
    ['users', usersOf(instance.usage)],
    ['posts', numberOf(instance.usage.posts)],
    ['features', featuresOf(instance.features)],
    ['limits', limitsOf(instance.limits)],
    ...(flags.length === 0 ? [] : [['flags', flags.join(', ')] satisfies [string, string]]),
  ];
}

function textOf(text: string | null, most: number): string {
  if (text === null) return 'unknown';
  return proseLine(text, most) || '(empty)';
}

function stateOf(state: boolean | null, yes: string, no: string): string {
  return state === null ? 'unknown' : state ? yes : no;
}

function numberOf(count: number | null): string {
  return count === null ? 'unknown' : String(count);
}

function usersOf({ users, activeMonth, activeHalfyear }: Instance['usage']): string {
  const known = [
    activeMonth === null ? null : `${activeMonth} active in a month`,
    activeHalfyear === null ? null : `${activeHalfyear} in half a year`,
  ].filter((part) => part !== null);
  return [numberOf(users), ...known].join(', ');
}

/** Those switched on, then those off, then the unknown ones. */
function featuresOf(features: Instance['features']): string {
  const being = (state: boolean | null) =>
    FEATURES.filter(({ key }) => features[key] === state).map(({ meta }) => labelOf(meta));
  const groups: [string, string[]][] = [
    ['', being(true)],
    ['off: ', being(false)],
    ['unknown: ', being(null)],
  ];
  return groups
    .filter(([, members]) => members.length > 0)
    .map(([head, members]) => `${head}${members.join(', ')}`)
    .join('; ');
}

/** Those that are known: "largest video 40 MB, video formats mp4/mov". */
function limitsOf(limits: Instance['limits']): string {
  const known = LIMITS.flatMap(({ of, meta: { label, unit } }) => {
    const value = of({ limits });
    if (value === null) return [];
    const shown = Array.isArray(value) ? value.slice(0, 10).map((item) => proseLine(item, 20)) : [String(value)];
    return [`${label} ${shown.join('/') || 'none'}${unit === undefined ? '' : ` ${UNITS[unit].short}`}`];
  });
  return known.join(', ') || 'unknown';
}
