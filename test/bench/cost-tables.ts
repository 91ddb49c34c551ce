/**
 * Classes of domains, with the costs that `bench -- unit-costs` and `bench -- history` measured. Visits and disk bytes are per domain
 * and year, the other costs per visit.
 */
const CLASSES = {
  'Loops server': { share: 0.01, visits: 1_460, requests: 4, bytes: 6_785, cpuMs: 2.14, diskBytes: 344_678 },
  'other software': { share: 0.59, visits: 52, requests: 4, bytes: 5_745, cpuMs: 1.91, diskBytes: 12_714 },
  'dead domain': { share: 0.4, visits: 12, requests: 0, bytes: 260, cpuMs: 0.223, diskBytes: 2_130 },
};

/** Costs of a complete export, for each known domain and additionally for each listed instance. */
const EXPORT = { domain: { cpuMs: 0.0463, bytes: 970 }, instance: { cpuMs: 1.66, bytes: 12_435 } };

const SIZES = [10_000, 100_000, 1_000_000, 10_000_000];
const SECONDS_PER_YEAR = 365 * 86_400;

type UnitCost = Exclude<keyof (typeof CLASSES)['Loops server'], 'share'>;
const classes = Object.values(CLASSES);

/** The mean cost of a domain per year. */
function perDomainYear(cost: 'visits' | 'diskBytes'): number {
  return classes.reduce((sum, unit) => sum + unit.share * unit[cost], 0);
}

/** The mean cost of a domain per second. */
function perDomainSecond(cost: 'requests' | 'bytes' | 'cpuMs'): number {
  return classes.reduce((sum, unit) => sum + unit.share * unit.visits * unit[cost], 0) / SECONDS_PER_YEAR;
}

/** The mean cost of a domain in one export. */
function perDomainExported(cost: 'cpuMs' | 'bytes'): number {
  return EXPORT.domain[cost] + CLASSES['Loops server'].share * EXPORT.instance[cost];
}

/** Costs of one domain, in the units that the keys name. */
const COSTS = {
  'visits per second': perDomainYear('visits') / SECONDS_PER_YEAR,
  'requests per second': perDomainSecond('requests'),
  'network, Mbit/s': (perDomainSecond('bytes') * 8) / 1e6,
  'CPU of the crawl, cores': perDomainSecond('cpuMs') / 1_000,
  'CPU of an export, seconds': perDomainExported('cpuMs') / 1_000,
  'exported files, MB': perDomainExported('bytes') / 1e6,
  'database after a year, GB': perDomainYear('diskBytes') / 1e9,
};

/** Limits of one machine. */
const LIMITS: readonly (readonly [cost: keyof typeof COSTS, limit: number, words: string])[] = [
  ['CPU of an export, seconds', 900, 'one export in 15 minutes, the default interval'],
  ['database after a year, GB', 100, '100 GB of disk'],
  ['visits per second', 20, '20 visits per second, the default of `queue.visitsPerSecond`'],
  ['CPU of the crawl, cores', 1, 'one core, because one thread crawls'],
  ['network, Mbit/s', 100, '100 Mbit/s'],
];

const figure = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(2)));
const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [row(head), row(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(row)].join('\n');

const UNIT_ROWS: readonly (readonly [cost: UnitCost, words: string])[] = [
  ['visits', 'visits per year'],
  ['requests', 'requests per visit'],
  ['bytes', 'bytes sent and received per visit'],
  ['cpuMs', 'CPU ms per visit'],
  ['diskBytes', 'database bytes per year'],
];

/** The tables of docs/cost-model.md, as Markdown. */
export function costTables(): { units: string; exported: string; sizes: string; limits: string } {
  return {
    units: table(
      ['', ...Object.keys(CLASSES)],
      [
        ['share of all domains', ...classes.map(({ share }) => `${100 * share} %`)],
        ...UNIT_ROWS.map(([cost, words]) => [words, ...classes.map((unit) => figure(unit[cost]))]),
      ],
    ),
    exported: table(
      ['', 'each domain', 'each listed instance, in addition'],
      [
        ['CPU ms', figure(EXPORT.domain.cpuMs), figure(EXPORT.instance.cpuMs)],
        ['bytes of files', figure(EXPORT.domain.bytes), figure(EXPORT.instance.bytes)],
      ],
    ),
    sizes: table(
      ['domains', ...SIZES.map((size) => size.toLocaleString('en'))],
      Object.entries(COSTS).map(([words, cost]) => [words, ...SIZES.map((size) => figure(cost * size))]),
    ),
    limits: table(
      ['limit of one machine', 'reached at, domains'],
      LIMITS.map(([cost, limit, words]) => ({ words, domains: limit / COSTS[cost] }))
        .sort((one, other) => one.domains - other.domains)
        .map(({ words, domains }) => [words, Number(domains.toPrecision(2)).toLocaleString('en')]),
    ),
  };
}
