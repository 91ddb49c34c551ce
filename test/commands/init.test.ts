import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { programCall, userFolder } from '../../src/commands/input/started-by.ts';
import { main } from '../../src/commands/main.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { mmdbBytes } from '../identify/hosting/mmdb-bytes.ts';
import { repository } from '../process/run-cli.ts';
import { runCommand } from './run-command.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const contact = ['--contact', 'https://clips.dev/about'];
/** Without a crawl, which would contact the servers of the seeds. */
const init = (...args: string[]) => runCommand(['init', '--no-crawl', ...args], folder);
const settingsIn = (dir = '.') => loadSettings({ cwd: join(folder, dir), env: {} });
const enabledIds = (dir = '.') => settingsIn(dir).sources.flatMap(({ enabled, id }) => (enabled && id) || []);

/** Runs `init` on a terminal: gives the next answer at each question; ends the input after the last. */
async function runWithAnswers(args: readonly string[], answers: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const remainingAnswers = [...answers];
  let asked = '';
  let printed = '';
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      asked += chunk;
      // The questions for texts end with a colon, the others with `[y/N] ` or `[Y/n] `.
      const next = /(?:servers:|Loopscout\):|[Nn]\]) /.test(String(chunk)) ? remainingAnswers.shift() : null;
      if (next === undefined) stdin.end();
      else if (next !== null) stdin.write(`${next}\n`);
      done();
    },
  });
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      printed += chunk;
      done();
    },
  });
  const code = await main(['init', ...args], {
    stdin,
    stdout,
    stderr: Object.assign(stderr, { isTTY: true }),
    cwd: folder,
  });
  return { code, asked, stdout: printed };
}

describe('init', () => {
  it('writes usable settings and the seeds of the package, and names the next command', async () => {
    const { code, stdout, stderr } = await init('my directory', ...contact);
    expect([code, stderr]).toEqual([0, '']);
    const written = join(folder, 'my directory');
    expect(readdirSync(written).sort()).toEqual(['crawler.config.json', 'seeds.txt']);
    const seeds = readFileSync(join(repository, 'data/seeds.txt'), 'utf8');
    expect(readFileSync(join(written, 'seeds.txt'), 'utf8')).toBe(seeds);
    expect(settingsIn('my directory')).toMatchObject({
      contact: 'https://clips.dev/about',
      database: join(written, 'data/loopscout.sqlite'),
      export: { dir: join(written, 'data/export') },
    });
    expect(settingsIn('my directory').sources[0]).toMatchObject({ path: join(written, 'seeds.txt'), enabled: true });
    expect(enabledIds('my directory')).toEqual(['fediverse-observer']);
    expect(stdout).toContain(`Wrote ${join(written, 'crawler.config.json')}\n`);
    expect(stdout).toContain('\nNo first crawl: it was declined. Run it later with the command crawl.\n');
    expect(stdout).toMatch(/ {2}cd 'my directory'\n {2}.* run\n$/);
  });

  it('offers a database of countries, and uses it when its package is installed in the folder', async () => {
    const file = 'node_modules/@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb';
    const without = await init('without', ...contact);
    expect(settingsIn('without').network.countryDatabase).toBeNull();
    const shown = without.stdout.replaceAll(/\s+/g, ' ');
    expect(shown).toContain(`run npm install @ip-location-db/geo-whois-asn-country-mmdb (CC0, 8 MB) in that folder`);
    expect(shown).toContain(`set network.countryDatabase to ${file}.`);
    expect(shown).toMatch(/GeoLite2-ASN\.mmdb \(.*GeoLite licence\) or the DB-IP ASN Lite .*CC BY 4\.0/);

    mkdirSync(join(folder, 'with', dirname(file)), { recursive: true });
    writeFileSync(join(folder, 'with', file), mmdbBytes({ '193.0.0.0/21': { country_code: 'NL' } }));
    const { stdout } = await init('with', ...contact);
    expect(settingsIn('with').network.countryDatabase).toBe(join(folder, 'with', file));
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`The country of each server is looked up in ${file}.`);
  });

  it('enables exactly the sources that --sources names, and keeps the notes of all', async () => {
    await init('two', ...contact, '--sources', 'fedidb, minoru');
    expect(enabledIds('two')).toEqual(['fedidb', 'minoru']);
    expect(
      settingsIn('two')
        .sources.slice(1)
        .every(({ note = '' }) => note !== ''),
    ).toBe(true);
    await init('none', ...contact, '--sources', 'none');
    expect(enabledIds('none')).toEqual([]);
  });

  it('--service writes the unit file; --json prints the files and settings', async () => {
    const { stdout } = await init(...contact, '--service', '--json');
    const call = programCall(folder);
    const files = ['crawler.config.json', 'seeds.txt', 'loopscout.service'].map((name) => join(folder, name));
    expect(JSON.parse(stdout)).toMatchObject({
      folder,
      files,
      settings: { contact: contact[1] },
      firstCrawl: { skipped: 'it was declined' },
      next: [`${call} run`],
    });
    expect(readFileSync(join(folder, 'loopscout.service'), 'utf8')).toContain('ExecStart=');
  });

  it('leaves existing files unchanged without --force', async () => {
    writeFileSync(join(folder, 'seeds.txt'), 'mine');
    const refused = await init(...contact);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/already has seeds\.txt: .*--force/)]);
    expect(readdirSync(folder)).toEqual(['seeds.txt']);
    expect(readFileSync(join(folder, 'seeds.txt'), 'utf8')).toBe('mine');
    expect((await init(...contact, '--force')).code).toBe(0);
    expect(readFileSync(join(folder, 'seeds.txt'), 'utf8')).toContain('loops.video');
  });

  it.each([
    ['no contact', [], /--contact URL-OR-MAIL/],
    [
      'a contact that is neither a URL nor a mail address',
      ['--contact', 'me'],
      /--contact is me; allowed: an https URL/,
    ],
    ['the example contact', ['--contact', 'https://example.org/bot'], /that is an example/],
    [
      'an unknown source',
      [...contact, '--sources', 'minro'],
      /no source minro; did you mean minoru\? Known sources: fedidb,/,
    ],
    ['an empty list of sources', [...contact, '--sources', ','], /--sources is empty/],
    [
      'a name of two lines',
      [...contact, '--name', 'a\nb'],
      /--name is "a\\nb"; one line of text, at most 60 characters/,
    ],
    ['settings on the command line', [...contact, '--set', 'robots=off'], /neither --config nor --set/],
    ['a folder that cannot be created', ['/proc/loopscout', ...contact], /\/proc\/loopscout cannot be created/],
  ])('refuses %s, and writes nothing', async (_what, args, message) => {
    const { code, stdout, stderr } = await init(...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(message)]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses two folders', async () => {
    const { code, stderr } = await init('a', 'b', ...contact);
    expect([code, stderr]).toEqual([2, expect.stringContaining("too many arguments for 'init'")]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('refuses a folder that is a file', async () => {
    writeFileSync(join(folder, 'file'), '');
    expect((await init('file', ...contact)).stderr).toMatch(/a part of the path is a file/);
  });
});

describe('init on a terminal', () => {
  it('asks for the contact until it is usable, for a name, for each remote source with its note, and whether to crawl', async () => {
    const answers = ['me', '  me@clips.dev ', 'Clips', 'yes', '', 'maybe', 'n', ...Array(6).fill(''), 'no'];
    const { code, asked, stdout } = await runWithAnswers([], answers);
    expect(asked).toContain('Crawl now, to find the first Loops servers? [Y/n] ');
    expect(stdout).toContain('No first crawl: it was declined.');
    expect([code, stdout]).toEqual([0, expect.stringContaining('Sources: seeds.txt, fedidb, fediverse-observer.')]);
    expect(asked).toContain('allowed: an https URL or a mail address');
    expect(asked).toContain('Answer y or n');
    expect(asked).toMatch(/minoru \(https:\/\/nodes\.fediverse\.party\/nodes\.json\)\n {2}The live servers/);
    expect(settingsIn()).toMatchObject({ contact: 'me@clips.dev', site: { name: 'Clips' } });
    expect(enabledIds()).toEqual(['fedidb', 'fediverse-observer']);
  });

  it('asks nothing when the contact is given', async () => {
    const { code, asked } = await runWithAnswers([...contact, '--no-crawl'], []);
    expect([code, asked]).toEqual([0, '']);
    expect(enabledIds()).toEqual(['fediverse-observer']);
  });

  it('writes nothing when the input ends before the last answer', async () => {
    const { code, asked } = await runWithAnswers([], ['me@clips.dev', '', 'y']);
    expect([code, asked]).toEqual([1, expect.stringContaining('stopped before the last answer: nothing was written')]);
    expect(existsSync(join(folder, 'crawler.config.json'))).toBe(false);
  });
});

it('every remote source of the catalogue has an id of its own and a note', () => {
  const { sources } = JSON.parse(readFileSync(join(repository, 'crawler.config.json'), 'utf8'));
  const remote: { id?: string; note?: string }[] = sources.slice(1);
  expect(remote.filter(({ id, note }) => id === undefined || note === undefined)).toEqual([]);
  expect(new Set(remote.map(({ id }) => id)).size).toBe(remote.length);
});

describe('the next commands of init', () => {
  const checkout = repository.replace(/\/$/, '');
  const npm = {
    npm_package_name: 'loopscout',
    npm_lifecycle_event: 'loopscout',
    npm_lifecycle_script: 'node src/cli.ts',
  };
  const [source, built] = ['src/commands/input/started-by.ts', 'dist/commands/input/started-by.js'].map(
    (path) => pathToFileURL(join(repository, path)).href,
  );
  it.each([
    ['installed', {}, built, 'loopscout'],
    ['run by npx', { npm_lifecycle_event: 'npx', npm_lifecycle_script: 'loopscout "init"' }, built, 'npx loopscout'],
    ['run by npm in a checkout', npm, source, `npm --prefix ${checkout} run -s loopscout --`],
    ['run with node in a checkout', {}, source, `node ${checkout}/src/cli.ts`],
    ['run by the tests of a checkout', { ...npm, npm_lifecycle_event: 'test' }, built, 'loopscout'],
  ])('can be pasted when Loopscout is %s', (_how, variables, module, call) => {
    expect(programCall(folder, variables, module)).toBe(call);
  });

  it('do not name the checkout in a folder inside it', () => {
    expect(programCall(join(repository, 'my-directory'), npm, source)).toBe('npm run -s loopscout --');
  });

  it('are run where the user called npm, not where npm runs the script', () => {
    expect(userFolder({ ...npm, INIT_CWD: folder })).toBe(folder);
    expect(userFolder({ npm_package_name: 'other', npm_lifecycle_event: 'start', INIT_CWD: folder })).toBe(
      process.cwd(),
    );
  });
});
