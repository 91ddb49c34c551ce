import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { type CrawlReport, crawlAndExport } from '../app/crawl-and-export.ts';
import { shellWord } from '../report/shell-word.ts';
import { counted } from '../report/text-blocks.ts';
import { nearest } from '../settings/keys.ts';
import { contactForm, isContact, isExampleContact } from '../settings/schema.ts';
import { loadSettings } from '../settings/settings.ts';
import { SiteName } from '../settings/site-settings.ts';
import { abortOnSignal } from '../shutdown.ts';
import { type Help, type Run, type Terminal, UsageError } from './command.ts';
import { type Catalogue, type CatalogueSource, readCatalogue, readServiceUnit } from './init/catalogue.ts';
import { explainError, isExpected } from './input/explain-error.ts';
import { type CommandLine, openApp, settingsOf } from './input/open-app.ts';
import { createProblems, type Problems } from './input/problems.ts';
import { programCall } from './input/started-by.ts';
import { progressOn } from './output/crawl-progress.ts';
import { type OutputFile, prepareOutput } from './output/output-file.ts';
import { sourceLine } from './output/source-tables.ts';
import { tableWidth, wrappedText } from './output/table.ts';

export const help: Help = {
  argument: 'the folder to write to (default: the current folder)',
  options: [
    ['--contact <contact>', 'https URL or mail address at which operators of visited servers can reach you'],
    ['--name <name>', 'the name of the directory (default: Loopscout)'],
    ['--sources <ids>', 'the remote sources to read, such as fediverse-observer,minoru; or none'],
    ['--service', 'also write loopscout.service, a unit file for systemd'],
    ['--no-crawl', 'do not crawl yet'],
    ['--force', 'replace existing files'],
  ],
  refusesSettings: true,
  more: `Without --contact, asks on a terminal for it, a name and the sources. With it,
the default of --sources is fediverse-observer. All sources are in the file,
with a note about each: those that were not chosen are switched off. seeds.txt
lists known Loops servers and is always read. A first crawl follows and says how
many Loops servers it found and, if there are few, why; offline, it is skipped.`,
  examples: ['loopscout init', 'loopscout init directory --contact https://your.site/bot --sources none'],
};

interface InitOptions {
  contact?: string;
  name?: string;
  sources?: string;
  service?: boolean;
  /** False with --no-crawl. */
  crawl?: boolean;
  force?: boolean;
}

const SETTINGS_FILE = 'crawler.config.json';
const SEEDS_FILE = 'seeds.txt';
const SERVICE_FILE = 'loopscout.service';
const NO_SOURCES = 'none';

/**
 * `init [DIR]`: writes the settings, the seeds and, on request, a unit file of systemd, and crawls for the first time. Nothing is written if an
 * answer is missing.
 */
export const run: Run<InitOptions> = async ({ args, options, terminal }) => {
  const folder = resolve(terminal.cwd, args[0] ?? '.');
  const catalogue = readCatalogue();
  const problems = createProblems();
  if (options.config !== undefined || options.set !== undefined)
    problems.add(`init uses neither --config nor --set: it writes ${SETTINGS_FILE}, which you can edit`);
  if (options.contact !== undefined) {
    const problem = contactProblem(options.contact);
    if (problem !== null) problems.add(`--contact is ${options.contact}; ${problem}`);
  } else if (!isInteractive(terminal)) {
    problems.add('init needs --contact URL-OR-MAIL: operators of visited servers must be able to reach you');
  }
  const fault = options.name === undefined ? null : nameProblem(options.name);
  if (fault !== null) problems.add(`--name is ${JSON.stringify(options.name)}; ${fault}`);
  const chosen = chosenSources(options.sources, catalogue, problems);
  const names = [SETTINGS_FILE, SEEDS_FILE, ...(options.service === true ? [SERVICE_FILE] : [])];
  const existing = names.filter((name) => existsSync(join(folder, name)));
  if (existing.length > 0 && options.force !== true)
    problems.add(`${folder} already has ${existing.join(' and ')}: name another folder, or replace with --force`);
  problems.throwIfAny();
  const files: [path: string, file: OutputFile][] = [];
  for (const name of names) files.push([join(folder, name), await prepareOutput('init', join(folder, name))]);

  const answers = {
    contact: options.contact,
    name: options.name,
    chosen,
    crawls: options.crawl === false ? false : undefined,
  };
  const { contact, name, sources, crawls } = await completeAnswers(answers, catalogue, terminal);
  const settings = {
    contact,
    database: 'data/loopscout.sqlite',
    sources: [{ type: 'file', path: SEEDS_FILE }, ...sources],
    export: { dir: 'data/export' },
    ...countryDatabaseIn(folder),
    ...(name === undefined ? {} : { site: { name } }),
  };
  loadSettings({ file: null, env: {}, flags: settings, cwd: folder });
  const contents = [`${JSON.stringify(settings, null, 2)}\n`, catalogue.seeds, readServiceUnit()];
  for (const [index, [, file]] of files.entries()) await file.write(contents[index] ?? '');

  const next = nextCommands(folder, terminal.cwd);
  const written = files.map(([path]) => path);
  if (options.json !== true)
    terminal.stdout.write(
      writtenText(written, sources) + wrappedText(hostingOffer(folder), tableWidth(terminal.stdout)),
    );
  const commandLine = { options: { ...options, config: join(folder, SETTINGS_FILE) }, terminal };
  const crawl: FirstCrawl = crawls ? await firstCrawl(commandLine, SETTINGS_FILE) : { skipped: 'it was declined' };
  terminal.stdout.write(
    options.json === true
      ? `${JSON.stringify({ folder, files: written, settings, firstCrawl: crawl, next }, null, 2)}\n`
      : wrappedText(firstCrawlText(crawl).join('\n'), tableWidth(terminal.stdout)) + nextText(next),
  );
  return 0;
};

function contactProblem(contact: string): string | null {
  if (!isContact(contact)) return `allowed: ${contactForm}`;
  return isExampleContact(contact) ? 'that is an example: name your own page or mail address' : null;
}

function nameProblem(name: string): string | null {
  return SiteName.safeParse(name).error?.issues[0]?.message ?? null;
}

/** The ids of the chosen sources; undefined when the option is missing. */
function chosenSources(text: string | undefined, { sources }: Catalogue, problems: Problems): string[] | undefined {
  if (text === undefined) return undefined;
  const ids = sources.map(({ id }) => id);
  const chosen = text.split(/[\s,]+/).filter((id) => id !== '');
  if (chosen.length === 0) problems.add(`--sources is empty; allowed: ${NO_SOURCES}, or ids of ${ids.join(', ')}`);
  if (chosen.length === 1 && chosen[0] === NO_SOURCES) return [];
  for (const id of chosen.filter((one) => !ids.includes(one))) {
    const similar = nearest(id, ids);
    const hint = similar === null ? '' : `did you mean ${similar}? `;
    problems.add(`--sources: there is no source ${id}; ${hint}Known sources: ${ids.join(', ')}`);
  }
  return chosen;
}

interface Answers {
  contact: string;
  name: string | undefined;
  sources: CatalogueSource[];
  crawls: boolean;
}

/** Without a contact, asks for it and for missing choices. With one, a missing choice means the default: the sources of the catalogue, and a crawl. */
async function completeAnswers(
  given: { [Key in 'contact' | 'name']: string | undefined } & {
    chosen: string[] | undefined;
    crawls: boolean | undefined;
  },
  catalogue: Catalogue,
  terminal: Terminal,
): Promise<Answers> {
  const { contact, name, chosen, crawls } = given;
  const isChosen = (source: CatalogueSource) => chosen?.includes(source.id) ?? source.enabled;
  const sources = catalogue.sources.map((source) => ({ ...source, enabled: isChosen(source) }));
  if (contact !== undefined) return { contact, name, sources, crawls: crawls ?? true };
  if (terminal.stdin === undefined) throw new UsageError('init needs --contact');
  const { Questions } = await import('./init/questions.ts');
  using questions = new Questions(terminal.stdin, terminal.stderr);
  const answer = await questions.text(
    'Your https URL or mail address, for operators of visited servers:',
    contactProblem,
  );
  const ownName =
    name ??
    (await questions.text('The name of your directory (Enter: Loopscout):', (text) =>
      text === '' ? null : nameProblem(text),
    ));
  if (chosen === undefined) {
    terminal.stderr.write(`\n${SEEDS_FILE} lists known Loops servers. Other lists can be read from the web:\n`);
    for (const source of sources) source.enabled = await questions.source(source);
  }
  const question = 'Crawl now, to find the first Loops servers?';
  return {
    contact: answer,
    name: ownName === '' ? undefined : ownName,
    sources,
    crawls: crawls ?? (await questions.confirm(question, true)),
  };
}

function isInteractive({ stdin, stderr }: Terminal): boolean {
  return stdin?.isTTY === true && stderr.isTTY === true;
}

function nextCommands(folder: string, cwd: string): string[] {
  const path = relative(cwd, folder);
  const call = programCall(folder);
  return [...(path === '' ? [] : [`cd ${shellWord(path)}`]), `${call} run`];
}

function writtenText(written: readonly string[], sources: readonly CatalogueSource[]): string {
  const idsOf = (enabled: boolean) => sources.filter((source) => source.enabled === enabled).map(({ id }) => id);
  const off = idsOf(false);
  return [
    ...written.map((path) => `Wrote ${path}`),
    `Sources: ${[SEEDS_FILE, ...idsOf(true)].join(', ')}.${off.length === 0 ? '' : ` Switched off: ${off.join(', ')}.`}`,
    '',
  ].join('\n');
}

function nextText(next: readonly string[]): string {
  return [
    'Choose a licence for your data in export.licence, such as CC0-1.0: without one, others may not be allowed to reuse it.',
    'Next, start the service, which crawls and serves the directory:',
    ...next.map((command) => `  ${command}`),
    '',
  ].join('\n');
}

/** An npm package, free of rights (CC0), whose database of countries has 8 MB. */
const PACKAGE = '@ip-location-db/geo-whois-asn-country-mmdb';
const FILE = `node_modules/${PACKAGE}/geo-whois-asn-country.mmdb`;

/** The setting for the database of countries, when its package is installed in the folder. */
function countryDatabaseIn(folder: string): { network?: { countryDatabase: string } } {
  return existsSync(join(folder, FILE)) ? { network: { countryDatabase: FILE } } : {};
}

/** How the directory learns in which countries and networks servers are. */
function hostingOffer(folder: string): string {
  const countries = existsSync(join(folder, FILE))
    ? `The country of each server is looked up in ${FILE}.`
    : `To learn the country of each server, run npm install ${PACKAGE} (CC0, 8 MB) in that folder, and set network.countryDatabase to ${FILE}.`;
  return `${countries} For the networks of servers, set network.asnDatabase to GeoLite2-ASN.mmdb (maxmind.com, GeoLite licence) or the DB-IP ASN Lite database (db-ip.com, CC BY 4.0). No look-up leaves this machine.\n`;
}

/** The first crawl of a new directory, or why there was none. */
type FirstCrawl =
  | { readonly skipped: string }
  | {
      /** Loops servers found. */
      readonly loops: number;
      readonly visited: number;
      /** Why there are few, and what to do; empty when there are enough. */
      readonly why: readonly string[];
    };

/** A directory with fewer servers looks broken, so the reasons are given. */
const ENOUGH_SERVERS = 5;

/** Runs one pass with the new settings. @param settingsFile its name, for messages. */
async function firstCrawl(commandLine: CommandLine, settingsFile: string): Promise<FirstCrawl> {
  const { options, terminal } = commandLine;
  using interrupt = abortOnSignal();
  try {
    await using app = await openApp(commandLine, settingsOf(commandLine));
    using _crawling = app.startCrawling('init');
    const { signal } = interrupt;
    const { report, fault } = await crawlAndExport(app, { signal, ...progressOn(terminal.stderr, options) });
    if (fault !== null) throw fault;
    if (report.end === 'offline') return { skipped: 'this machine is offline: no name could be resolved' };
    if (report.end === 'stopped') return { skipped: 'it was stopped' };
    const off = app.settings.sources.filter(({ enabled }) => !enabled).map(({ id, type }) => id ?? type);
    return {
      loops: report.domains.listed,
      visited: report.visited,
      why: report.domains.listed < ENOUGH_SERVERS ? reasonsFor(report, off, settingsFile) : [],
    };
  } catch (error) {
    if (!isExpected(error)) throw error;
    return { skipped: explainError(error) };
  }
}

function reasonsFor({ visited, byVerdict, sources }: CrawlReport, off: readonly string[], file: string): string[] {
  const others = byVerdict.filter(({ name }) => name !== 'loops').map(({ name, count }) => `${count} ${name}`);
  const incomplete = sources.filter(({ outcome }) => outcome !== 'complete' && outcome !== 'unchanged');
  return [
    ...incomplete.map(sourceLine),
    visited === 0
      ? 'No source listed a domain that could be visited.'
      : `Of ${counted(visited, 'domain')} visited, ${others.length === 0 ? 'all run Loops' : others.join(', ')}; explain DOMAIN gives the reason of one.`,
    off.length === 0
      ? 'Every source is switched on; add domains to seeds.txt.'
      : `These sources are switched off: ${off.join(', ')}. To read one, follow its note in ${file} and set "enabled": true.`,
  ];
}

function firstCrawlText(crawl: FirstCrawl): string[] {
  if ('skipped' in crawl) return [`No first crawl: ${crawl.skipped}. Run it later with the command crawl.`];
  const { loops, visited, why } = crawl;
  const found = `First crawl: ${counted(loops, 'Loops server')} found, ${counted(visited, 'domain')} visited.`;
  return why.length === 0 ? [found] : [`${found} These are few, because:`, ...why.map((reason) => `  - ${reason}`)];
}
