import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFleet, type Fleet } from '../../src/reference/index.ts';
import { createFleetHome, type FleetHome } from '../process/fleet-home.ts';
import { repository, run, runCli } from '../process/run-cli.ts';

let fleet: Fleet;
let home: FleetHome;
let temporary: string;

beforeAll(async () => {
  fleet = await createFleet({ hosts: 4, mix: { loops: 1 } });
  home = createFleetHome(fleet);
  temporary = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});

afterAll(async () => {
  rmSync(temporary, { recursive: true });
  home[Symbol.dispose]();
  await fleet.close();
});

const leftovers = () => readdirSync(temporary).filter((name) => name.startsWith('loops-reference-'));
const commands: [label: string, args: string[]][] = [
  ['--help', ['--help']],
  ['reference --fleet', ['reference', '--fleet', '3', '--json']],
];

const fullDiskMessage =
  'loopscout: the output could not be written: no space left; free some, or redirect it elsewhere\n';

describe('a closed stdout ends the command silently with the exit code of SIGPIPE:', () => {
  test.for([...commands, ['demo', ['demo', '--hosts', '3']] as const])('%s', async ([_name, args]) => {
    const { code, stderr } = await runCli(args, {
      env: { TMPDIR: temporary },
      onStart: (child) => child.stdout?.destroy(),
    });
    expect([code, stderr]).toEqual([141, '']);
    expect(leftovers()).toEqual([]);
  });

  test('a fleet whose output is cut off', async () => {
    const script = `"${process.execPath}" src/cli.ts reference --fleet 400 --json | head -c 50; exit "\${PIPESTATUS[0]}"`;
    const { code, stdout, stderr } = await run('bash', ['-c', script], { env: { TMPDIR: temporary } });
    expect([code, stdout.length, stderr]).toEqual([141, 50, '']);
    expect(leftovers()).toEqual([]);
  });
});

describe('a full disk behind stdout ends the command with 1 and one sentence:', () => {
  test.for(commands)('%s', async ([_name, args]) => {
    const words = args.map((word) => `'${word}'`);
    const script = `exec "${process.execPath}" "${repository}src/cli.ts" ${words.join(' ')} > /dev/full`;
    const { code, stderr } = await run('bash', ['-c', script], { env: { TMPDIR: temporary } });
    expect([code, stderr]).toEqual([1, fullDiskMessage]);
    expect(leftovers()).toEqual([]);
  });
});

test('a command exits with 1 if its output file is written incompletely', async () => {
  const file = join(temporary, 'schema.json');
  // A file size limit looks like a disk quota to the process: 2 blocks of 1 KiB.
  const script = `ulimit -f 2; exec "${process.execPath}" src/cli.ts settings --schema > ${file}`;
  const { code, stderr } = await run('bash', ['-c', script]);
  expect([code, stderr]).toEqual([1, fullDiskMessage]);
  expect(statSync(file).size).toBe(2_048);
});

test('an unwritable log does not stop the command', async () => {
  // A full disk, and a pipe whose reader has exited.
  for (const target of ['/dev/full', '>(true)']) {
    const args = `crawl --json --config '${home.settingsFile}' --set log.level=trace`;
    const script = `exec "${process.execPath}" "${repository}src/cli.ts" ${args} 2> ${target}`;
    const { code, stdout } = await run('bash', ['-c', script]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ end: 'done' });
  }
});
