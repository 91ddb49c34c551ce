import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'cheerio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DataFolder } from '../../src/directory/data-folder.ts';
import { exportAll } from '../../src/export/export-all.ts';
import { readDataFolder } from '../../src/export/files/data-folder.ts';
import { UNNAMED } from '../../src/export/publication.ts';
import { DAY_MS } from '../../src/model/time.ts';
import { createAbout } from '../../src/service/about.ts';
import { loadSettings } from '../../src/settings/settings.ts';
import { dataPage } from '../../src/site/data/data-page.ts';
import { staticSite } from '../../src/site/site.ts';
import { queryDuckDb } from '../export/duckdb.ts';
import { filesIn, readManifest } from '../export/export-folder.ts';
import { generatedSource } from '../export/generated-source.ts';
import { START } from '../export/row-of.ts';

const publication = { ...UNNAMED, publisher: 'Clips </script> near you', licence: 'CC0-1.0', doi: '10.5281/zenodo.1' };

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'loopscout-data-'));
  await exportAll({
    source: generatedSource(30, 20, 1),
    dir,
    now: () => START + DAY_MS,
    toolVersion: '1',
    publication,
    about: createAbout(() => loadSettings({ file: null, env: {} }))(),
  });
});
afterAll(() => rmSync(dir, { recursive: true }));

const pageOf = (folder: DataFolder | null, base: string | null = null) =>
  load(dataPage({ folder, contact: 'mailto:us@clips.example' }, staticSite({ path: '/data/', at: START, base })));
const page = () => pageOf(readDataFolder(dir));
const hrefs = ($: ReturnType<typeof load>) =>
  $('main a')
    .map((_, link) => $(link).attr('href'))
    .get();

describe('the data page', () => {
  test('links to every file on the disk, with its rows and size, and describes every column', async () => {
    const $ = page();
    const links = new Set(hrefs($));
    const missing = Object.keys(await filesIn(dir)).filter((name) => !links.has(`../${name}`));
    // The copies and schemas that no page needs.
    expect(missing.filter((name) => !name.endsWith('.gz') || name.startsWith('visits/'))).toEqual([]);
    const { files } = await readManifest(dir);
    for (const { name, rows } of files.filter((file) => file.rows !== undefined))
      expect($(`a[href="../${name}"] + .soft`).first().text(), name).toContain(`${rows} rows, `);
    const columns = $('.columns-of th[scope=row]')
      .map((_, cell) => $(cell).text())
      .get();
    expect(columns).toEqual(expect.arrayContaining(['version', 'changedAt', 'durationMs', 'activeMonth', 'reporting']));
    expect($('main').text()).not.toContain('`');
    expect($('.columns-of td:last-child').filter((_, cell) => $(cell).text() === '')).toHaveLength(0);
  });

  test('names the licence and the DOI of the settings, or says that there is none and whom to ask', () => {
    const $ = page();
    expect($('a[rel=license]').attr('href')).toBe('https://spdx.org/licenses/CC0-1.0.html');
    expect($('textarea[aria-label=Citation]').text()).toBe(
      'Clips </script> near you (2026): Servers of Loops, as found by Loopscout. Version 2026-01-01. https://doi.org/10.5281/zenodo.1',
    );
    const folder = readDataFolder(dir) ?? expect.fail();
    const { licenses: _, id: __, ...dataPackage } = folder.dataPackage;
    const text = pageOf({ ...folder, dataPackage })('.figures').text();
    expect(text).toContain('None stated.');
    expect(text).toContain('us@clips.example');
  });

  test('is a schema.org Dataset whose script cannot be ended by a name, with the URL of every table', () => {
    const $ = pageOf(readDataFolder(dir), 'https://clips.example/some');
    const scripts = $('script[type="application/ld+json"]');
    expect(scripts).toHaveLength(1);
    const dataset = JSON.parse(scripts.text());
    expect(dataset).toMatchObject({
      ...{ '@context': 'https://schema.org/', '@type': 'Dataset', url: 'https://clips.example/some/data' },
      ...{ identifier: 'https://doi.org/10.5281/zenodo.1', license: 'https://spdx.org/licenses/CC0-1.0.html' },
      ...{ creator: { name: 'Clips </script> near you' }, dateModified: '2026-01-02T00:00:00.000Z' },
      temporalCoverage: '2026-01-01/2026-01-01',
    });
    expect(dataset.distribution).toContainEqual(
      expect.objectContaining({
        contentUrl: 'https://clips.example/some/instances.csv',
        encodingFormat: 'text/csv',
      }),
    );
  });

  test('has a DuckDB query that runs in the folder of the files, and the same files in Python and R', async () => {
    const $ = page();
    const snippet = (tool: string) => $(`textarea[aria-label="${tool}"]`).text();
    for (const query of snippet('DuckDB').split('\n'))
      expect((await queryDuckDb(query.replace("from '", `from '${dir}/`))).length, query).toBeGreaterThan(0);
    const filesOf = (tool: string) => snippet(tool).match(/[\w/-]+\.(?:csv|parquet)(?=['"])/g);
    expect(filesOf('DuckDB')).toEqual(['instances.csv', 'usage/2026-01.parquet']);
    expect(filesOf('Python')).toEqual(filesOf('DuckDB'));
    expect(filesOf('R')).toEqual(filesOf('DuckDB'));
  });

  test('says before the first export that there is none', () => {
    expect(readDataFolder(join(dir, 'nothing'))).toBeNull();
    const $ = pageOf(null);
    expect($('main').text()).toContain('Nothing was exported yet.');
    expect($('script[type="application/ld+json"]')).toHaveLength(0);
  });
});
