import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { storedDomain } from '../../src/model/domain/domain.ts';
import { createFilledHome } from './filled-home.ts';

const hour = 3_600_000;
const staying = storedDomain('stays.example.org');
const leaving = storedDomain('leaves.example.net');

test('export --site writes pages, later only the changed ones, and deletes those of a domain that opted out', async () => {
  const home = createFilledHome();
  await home.visit([staying, leaving], Date.now() - hour);
  const first = await home.command('export', '--site', 'public');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/^Site: \d+ files in \/.*\/public \(\d+ written, 0 deleted\)\.$/m);
  const file = (...path: string[]) => join(home.folder, 'public', ...path);
  expect(readFileSync(file('index.html'), 'utf8')).toContain(leaving);
  expect(existsSync(file('instances', leaving, 'index.html'))).toBe(true);
  expect(readFileSync(file('instances.json'), 'utf8')).toBe(home.exported('instances.json'));

  const unchanged = ['index.html', 'open/index.html', 'table/index.html', 'assets/site.css', 'filter.json'];
  for (const name of unchanged) utimesSync(file(name), 1_000, 1_000);
  const { site } = JSON.parse((await home.command('export', '--site', 'public', '--json')).stdout);
  expect(site).toMatchObject({ dir: file(), deleted: 0, skipped: [] });
  for (const name of unchanged) expect(statSync(file(name)).mtimeMs, name).toBe(1_000_000);

  // The pages that list instances change, because the domain is no longer in them.
  expect((await home.command('forget', leaving)).code).toBe(0);
  const { code, stdout } = await home.command('export', '--site', 'public', '--force');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\([1-9]\d* written, [1-9]\d* deleted\)/)]);
  expect(existsSync(file('instances', leaving))).toBe(false);
  expect(existsSync(file('instances', staying, 'index.html'))).toBe(true);
  for (const name of ['index.html', 'filter.json', 'instances.json', 'feed.atom', 'table/index.html']) {
    expect(readFileSync(file(name), 'utf8'), name).not.toContain(leaving);
  }
});

test('with export.site every export writes the site, with links to its public URL', async () => {
  const home = createFilledHome();
  await home.visit([staying], Date.now() - hour);
  const settings = JSON.parse(readFileSync(join(home.folder, 'settings.json'), 'utf8'));
  settings.export = { ...settings.export, site: 'public', siteUrl: 'https://loops.example/directory/' };
  writeFileSync(join(home.folder, 'settings.json'), JSON.stringify(settings));
  expect((await home.command('export')).code).toBe(0);
  const text = (name: string) => readFileSync(join(home.folder, 'public', name), 'utf8');
  expect(text('sitemap.xml')).toContain(`<loc>https://loops.example/directory/instances/${staying}/</loc>`);
  expect(text('index.html')).toContain('<link rel="canonical" href="https://loops.example/directory/">');
  expect(text('404.html')).toContain('href="https://loops.example/directory/about/"');
  const picture = /<meta property="og:image" content="https:\/\/loops\.example\/directory\/(assets\/picture\.png)\?/;
  for (const page of ['index.html', 'about/index.html', '404.html'])
    expect(existsSync(join(home.folder, 'public', picture.exec(text(page))?.[1] ?? page)), page).toBe(true);
  expect(readdirSync(join(home.folder, 'public/instances', staying))).toEqual(
    expect.arrayContaining(['badge.svg', 'badge-square.svg', 'badge-large.svg']),
  );
  expect(text(`instances/${staying}/index.html`)).toContain(`/instances/${staying}/badge-large.svg&#34;`);
});

test('the static site has the name, logo and words of the settings; a file that cannot be used is refused by its key', async () => {
  const home = createFilledHome();
  await home.visit([staying], Date.now() - hour);
  const settings = JSON.parse(readFileSync(join(home.folder, 'settings.json'), 'utf8'));
  settings.site = { name: 'Clips', logo: 'logo.png', words: 'words.json', accent: '#0a7f5a' };
  writeFileSync(join(home.folder, 'settings.json'), JSON.stringify(settings));
  writeFileSync(join(home.folder, 'logo.png'), 'png');
  writeFileSync(join(home.folder, 'words.json'), '{ "frame": { "optOut": "Abmelden" } }');
  expect(await home.command('export', '--site', 'public')).toMatchObject({ code: 0, stderr: '' });
  const text = (name: string) => readFileSync(join(home.folder, 'public', name), 'utf8');
  for (const part of [
    '<meta property="og:image" content="./assets/logo.png?',
    '<title>Clips – ',
    'src="./assets/logo.png?',
    '>Abmelden</a>',
  ])
    expect(text('index.html')).toContain(part);
  expect(text('assets/logo.png')).toBe('png');
  expect(text('assets/site.css')).toContain('--accent: #0a7a56');
  expect(JSON.parse(text('filter.json')).words.name).toBe('Clips');
  writeFileSync(join(home.folder, 'words.json'), '{ "frame": { "optout": "Abmelden" } }');
  const refused = await home.command('export', '--site', 'public');
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('words.json: frame.optout is not a text of the pages; did you mean frame.optOut?'),
  ]);
});

test('export --site refuses a folder with other content, a file, and an empty name', async () => {
  const home = createFilledHome();
  await home.visit([staying], Date.now() - hour);
  mkdirSync(join(home.folder, 'other'));
  writeFileSync(join(home.folder, 'other/thesis.tex'), '');
  const refused = await home.command('export', '--site', 'other');
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/other is not empty and holds no site of Loopscout/);
  const file = await home.command('export', '--site', 'other/thesis.tex');
  expect([file.code, file.stderr]).toEqual([2, expect.stringContaining('set --site to a folder')]);
  expect(await home.command('export', '--site', '')).toMatchObject({ code: 2 });
});
