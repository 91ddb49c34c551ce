import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { ExportReport } from '../../../src/export/export-all.ts';
import { datesIn } from '../../../src/export/history/dated-files.ts';
import { UNNAMED } from '../../../src/export/publication.ts';
import type { DirectoryDifference } from '../../../src/export/schema/directory-difference.ts';
import type { Domain } from '../../../src/model/domain/domain.ts';
import type { Visit } from '../../../src/model/visit.ts';
import { createAbout } from '../../../src/service/about.ts';
import { writeDatasets } from '../../../src/service/tasks/write-datasets.ts';
import { loadSettings } from '../../../src/settings/settings.ts';
import { openStore } from '../../../src/store/open-store.ts';
import { createFilledHome } from '../../commands/filled-home.ts';
import { loopsVisit, sampleDomains, sampleFactsAt } from '../../store/sample-visit.ts';
import { filesIn } from '../export-folder.ts';
import { domainsOn, readDated, readHistory } from './dated-files.ts';

const about = createAbout(() => loadSettings({ file: null, env: {} }))();
const DAY = 86_400_000;
const start = Date.UTC(2025, 0, 20, 6);
const dayOf = (day: number) => new Date(start + day * DAY).toISOString().slice(0, 10);
const [optedOut, hidden, upgraded, late, ...others] = sampleDomains(8) as [Domain, Domain, Domain, Domain, ...Domain[]];

const LATE = 5;
/** The machine is off. */
const OFF = [8, 10] as const;
/** All servers seem to run other software. */
const REFUSED = 12;
const UPGRADE = 15;
const OPT_OUT = 18;
const NOINDEX = 20;
const DAYS = 23;

function visitOn(day: number, domain: Domain, at: number): Visit {
  const version = domain === upgraded && day >= UPGRADE ? '1.0.0' : '1.0.0-beta.14';
  const visit = loopsVisit(domain, at, { version, facts: { ...sampleFactsAt(at), version } });
  if (day === REFUSED) return { ...visit, verdict: 'other', software: 'tube', facts: null };
  return domain === hidden && day >= NOINDEX ? { ...visit, host: { ...visit.host, noindex: true } } : visit;
}

test('the dated files of 23 days have gaps on days without an export, lose withheld instances, and can be compared', async () => {
  const home = createFilledHome();
  const dir = home.exportDir;
  const exportAt = (at: number): Promise<ExportReport> =>
    writeDatasets(
      {
        ...{ database: home.database, dir, at, publication: UNNAMED, about, visitsDays: 400 },
        flags: { crowdedFrom: 10, staleDays: 7 },
        ...{ months: 'only-missing', maxDropPercent: 15, force: false, mustPurge: false, site: null },
      },
      new AbortController().signal,
    );
  for (let day = 0; day < DAYS; day++) {
    if (day >= OFF[0] && day <= OFF[1]) continue;
    const at = start + day * DAY;
    if (day === OPT_OUT) {
      await using store = await openStore({ path: home.database });
      store.optOuts.forget([optedOut], at);
    }
    const domains = [optedOut, hidden, upgraded, late, ...others].filter(
      (domain) => !(domain === late && day < LATE) && !(domain === optedOut && day >= OPT_OUT),
    );
    await home.visit(domains, at, (domain, visitAt) => visitOn(day, domain, visitAt));
    const exported = exportAt(at + 60_000);
    if (day === REFUSED) await expect(exported).rejects.toMatchObject({ name: 'GuardError' });
    else await exported;
  }

  const index = readHistory(dir);
  const gaps = [...Array.from({ length: OFF[1] - OFF[0] + 1 }, (_, number) => OFF[0] + number), REFUSED].map(dayOf);
  expect(index.gaps).toEqual(gaps);
  expect(datesIn(dir)).toEqual(
    Array.from({ length: DAYS }, (_, day) => dayOf(day)).filter((date) => !gaps.includes(date)),
  );
  const entryOf = (day: number) => index.files.find(({ date }) => date === dayOf(day)) ?? expect.fail(dayOf(day));
  expect(entryOf(0)).toMatchObject({ instances: 5, replaced: [{ instances: 7 }, { instances: 6 }] });
  expect(entryOf(OPT_OUT - 1)).toMatchObject({ instances: 6, replaced: [{ instances: 8 }, { instances: 7 }] });
  expect(entryOf(OPT_OUT)).toMatchObject({ instances: 6, replaced: [{ instances: 7 }] });
  expect(entryOf(NOINDEX)).toMatchObject({ instances: 6, replaced: [] });
  for (const { name } of index.files) {
    const text = gunzipSync(readFileSync(join(dir, name))).toString();
    expect([optedOut, hidden].filter((domain) => text.includes(domain))).toEqual([]);
  }
  expect(readDated(dir, dayOf(2)).generatedAt).toBe(new Date(start + 2 * DAY + 60_000).toISOString());
  expect(domainsOn(dir, dayOf(LATE - 1))).not.toContain(late);

  const diff = async (...args: string[]) => {
    const { code, stdout, stderr } = await home.command('diff', ...args, '--json');
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as DirectoryDifference;
  };
  const versions = [{ domain: upgraded, from: '1.0.0-beta.14', to: '1.0.0' }];
  const news = [{ domain: late, name: 'Sample Loops', version: '1.0.0-beta.14' }];
  const nothing = { gone: [], moved: [], downgraded: [], renamed: [], up: [], down: [] };
  expect(await diff(dayOf(2), dayOf(14))).toMatchObject({
    ...{ ...nothing, new: news, upgraded: [], listed: { before: 5, after: 6 } },
    ...{
      from: new Date(start + 2 * DAY + 60_000).toISOString(),
      to: new Date(start + 14 * DAY + 60_000).toISOString(),
    },
  });
  expect(await diff(dayOf(2))).toMatchObject({ ...nothing, new: news, upgraded: versions });
  expect(await diff(dayOf(14))).toMatchObject({ ...nothing, new: [], upgraded: versions });
  const present = join(dir, 'instances.json');
  expect(await diff(join(dir, 'history', `${dayOf(14)}.json.gz`), present)).toMatchObject({ upgraded: versions });

  const refused = async (...args: string[]) => {
    const { code, stderr } = await home.command('diff', ...args);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused(dayOf(9))).toContain(
    `there is no dated file of ${dayOf(9)}; name ${dayOf(7)} or ${dayOf(11)}, the nearest in ${dir}`,
  );
  expect(await refused(dayOf(-9))).toContain(`name ${dayOf(0)}, the nearest in`);
  expect(await refused(dayOf(14), dayOf(2))).toContain('name the earlier one first');

  const before = await filesIn(dir);
  // Uptime is as of the export, so only an export of the same moment is sure to have the same content.
  const again = await exportAt(start + (DAYS - 1) * DAY + 60_000);
  expect(await filesIn(dir)).toEqual(before);
  expect(again.changed).toBe(false);
});
