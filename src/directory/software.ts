import type { Survey } from './survey.ts';

const MAX_NAMES = 100;

/** The most common software of the known domains, and the number of domains with other and with unknown software. */
export function softwareOf({ counts, software: countByName }: Survey) {
  const ranked = [...countByName]
    .map(([name, domains]) => ({ name, domains }))
    .sort((one, other) => other.domains - one.domains || (one.name < other.name ? -1 : 1));
  const sum = (rows: readonly { domains: number }[]) => rows.reduce((total, { domains }) => total + domains, 0);
  return {
    software: ranked.slice(0, MAX_NAMES),
    others: sum(ranked.slice(MAX_NAMES)),
    unknown: counts.domains - sum(ranked),
  };
}
