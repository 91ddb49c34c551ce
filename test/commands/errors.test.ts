import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseDomain } from '../../src/model/domain/parse-domain.ts';
import { serveHttp } from '../serve-http.ts';
import { createFilledHome } from './filled-home.ts';
import { runCommand } from './run-command.ts';

/** Command lines that fail before they contact another machine; `errors.txt` has their messages. */
const COMMAND_LINES = `
crowl
crawl --hurry
crawl --config
--config none.json crawl
--quiet crawl --verbose
crawl --set
crawl --set queue.concurrency
crawl --set queue.concurency=3
crawl --set foo=1
crawl --set queue.concurrency=many
crawl --set robots=of
crawl --set contact=me
crawl --set network.allow=10.0.0.0/99 --set network.dnsServers=here
crawl --set jobs.export=often
crawl --config broken.json
crawl --config list.json
crawl --config folder
crawl --config wrong.json
crawl --config duplicate.json
crawl --config no-contact.json
crawl --config no-sources.json
run --config no-sources.json
crawl --config missing-source.json
crawl --config folder-source.json
crawl --sources some
crawl --sources none
crawl localhost 10.0.0.1 not..a.domain
crawl --set database=file/x/db.sqlite
crawl --set database=file
crawl --set export.dir=file
crawl --set network.caFile=none.pem
crawl --set optOut.file=none.txt
crawl --dry-run --config missing-source.json
crawl --dry-run --set optOut.file=none.txt
add
add localhost
add loops.example --config no-contact.json
forget
forget localhost
explain
explain localhost
explain loops.example --visits many
explain loops.example
sources
sources nobody --config filled.json
compare
compare nobody --config filled.json
compare https://list.example/all.json --config filled-no-contact.json
export
export --dir somewhere
diff
diff 2026-02-31
diff yesterday
diff file
diff 2026-03-01 2026-03-02 2026-03-03
diff 2026-03-01 --config filled.json
backup
backup copy.sqlite
backup file --config filled.json
replay
serve
serve --config filled.json --set serve.port=BUSY
health --set serve.port=4
health --set serve.port=BUSY
check
check localhost
check 10.0.0.1
check me:secret@loops.example
check loops.example videos.example
check loops.example --only cors
check loops.example --only tls --skip tls
check loops.example --interval 90
check loops.example --watch --interval 5
check loops.example --json --markdown
check loops.example --junit file --badge file
check loops.example --junit folder
check --rule tls-expiri
reference --port many
reference --port BUSY
reference --profile lively
reference --options none.json
reference --options broken.json
reference --options wrong.json
reference --fleet 0
reference --fleet none.json
reference --fleet 3 --tls
reference --control many
demo --hosts 0
demo --set serve.port=8080
init
init --contact me
init --contact https://example.org/bot
init new --contact me@clips.dev --sources minro
init --contact me@clips.dev --config settings.json
init . --contact me@clips.dev
init /proc/loopscout --contact me@clips.dev
init a b --contact me@clips.dev`
  .trim()
  .split('\n');

test('errors.txt has the error message and exit code of each of these command lines, and no stack trace', async () => {
  const home = createFilledHome();
  const at = (name: string) => join(home.folder, name);
  const write = (name: string, content: object | string) =>
    writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  const contact = 'https://clips.dev/about';
  const seeds = { type: 'file', path: 'seeds.txt' };
  const database = 'new.sqlite';
  const domains = { allowSuffixes: ['example'] };
  write('crawler.config.json', { contact, database, domains, sources: [seeds] });
  write('seeds.txt', 'loops.example\n');
  write('broken.json', '{ "queue": }');
  write('list.json', []);
  write('wrong.json', {
    softwareId: 1,
    sources: [{ type: 'mastodon-peer' }, { ...seeds, pth: 'x' }],
    export: { maxDropPercent: 101 },
  });
  write('duplicate.json', { contact, sources: [{ type: 'fedidb' }, { type: 'fedidb' }] });
  write('no-contact.json', { database, domains, sources: [seeds] });
  write('no-sources.json', { contact, database });
  write('missing-source.json', { contact, database, sources: [{ ...seeds, path: 'none.txt' }] });
  write('folder-source.json', { contact, database, sources: [{ ...seeds, path: 'folder' }] });
  write('filled.json', { contact, database: home.database, sources: [seeds] });
  write('filled-no-contact.json', { database: home.database });
  write('file', 'something else');
  mkdirSync(at('folder'));
  const domain = parseDomain('loops.example', { allowSuffixes: ['example'] });
  if (domain.ok) await home.visit([domain.domain], Date.now());
  await using busy = await serveHttp((_request, response) => response.end('hello'));
  const port = String(busy.port);

  const report: string[] = [];
  for (const line of COMMAND_LINES) {
    // A failed crawl may have created the database.
    rmSync(at(database), { force: true });
    const { code, stderr } = await runCommand(line.replace('BUSY', port).split(' '), home.folder);
    const shown = stderr
      .replaceAll(home.folder, 'FOLDER')
      .replaceAll(port, 'BUSY')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME');
    expect([line, code], stderr).toEqual([line, expect.toBeOneOf([1, 2])]);
    expect(shown, line).not.toMatch(/\n {4}at |bug in Loopscout/);
    report.push(`$ loopscout ${line}\n${shown}exit code ${code}\n`);
  }
  await expect(report.join('\n')).toMatchFileSnapshot('errors.txt');
}, 60_000);
