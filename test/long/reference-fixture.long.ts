import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installTools } from '../process/install-package.ts';
import { repository, run } from '../process/run-cli.ts';

const readme = readFileSync(join(repository, 'src/reference/README.md'), 'utf8');
const programIn = (language: string) => new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(readme)?.[1] ?? '';
const ofVitest = /^import .* from 'vitest';\n/m;

/** A project with jest, vitest and the built package. */
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
  await installTools(folder, { jest: '30.5.2' });
  symlinkSync(repository, join(folder, 'node_modules/loopscout'));
  symlinkSync(join(repository, 'node_modules/vitest'), join(folder, 'node_modules/vitest'));
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe('the example of the README of the reference server passes', () => {
  test('in vitest', async () => {
    writeFileSync(join(folder, 'vitest.test.mjs'), programIn('js'));
    const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
    const ended = await run(process.execPath, [vitest, 'run', '--root', folder, '--no-color'], { cwd: folder });
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('2 passed')]);
  });

  test('in jest, as an ES module and as CommonJS with require', async () => {
    expect([ofVitest.test(programIn('js')), ofVitest.test(programIn('cjs'))]).toEqual([true, false]);
    writeFileSync(join(folder, 'jest.test.mjs'), programIn('js').replace(ofVitest, ''));
    writeFileSync(join(folder, 'jest.test.cjs'), programIn('cjs'));
    const jest = [join(folder, 'node_modules/jest/bin/jest.js'), '--runInBand', '--testMatch', '**/jest.test.*'];
    const ended = await run(process.execPath, ['--experimental-vm-modules', '--no-warnings', ...jest], { cwd: folder });
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('3 passed')]);
    expect(ended.stderr).not.toContain('did not exit');
  });

  test('in CommonJS without a test runner', async () => {
    const code = `const { createReferenceServer } = require('loopscout/reference');
      createReferenceServer().then(async (server) => {
        console.log((await fetch(server.url + '/api/v1/config')).status);
        await server.close();
      });`;
    const ended = await run(process.execPath, ['--input-type=commonjs', '--eval', code], { cwd: folder });
    expect(ended).toEqual({ code: 0, stdout: '200\n', stderr: '' });
  });
});
