import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareOutput } from '../../../src/commands/output/output-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loopscout-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const path = (name: string) => join(folder, name);

describe('an output file', () => {
  it('is unchanged by the write test, then replaced atomically, leaving no other file', async () => {
    writeFileSync(path('a.svg'), 'old');
    const file = await prepareOutput('--badge', path('a.svg'));
    expect(readFileSync(path('a.svg'), 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a.svg']);
    const { ino } = statSync(path('a.svg'));
    await file.write('new');
    expect(statSync(path('a.svg')).ino).not.toBe(ino);
    expect(readFileSync(path('a.svg'), 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['a.svg']);
  });

  it('does not exist before the write; its folders are created', async () => {
    const file = await prepareOutput('--badge', path('deep/er/a.svg'));
    expect(existsSync(path('deep/er/a.svg'))).toBe(false);
    await file.write('new');
    expect(readFileSync(path('deep/er/a.svg'), 'utf8')).toBe('new');
  });

  it('does not overwrite an existing file of the same name plus .part', async () => {
    writeFileSync(path('a.svg.part'), 'mine');
    await (await prepareOutput('--badge', path('a.svg'))).write('new');
    expect(readFileSync(path('a.svg.part'), 'utf8')).toBe('mine');
  });

  it('is written through a symbolic link, which remains', async () => {
    mkdirSync(path('elsewhere'));
    writeFileSync(path('elsewhere/a.svg'), 'old');
    symlinkSync('elsewhere/a.svg', path('link.svg'));
    await (await prepareOutput('--badge', path('link.svg'))).write('new');
    expect(lstatSync(path('link.svg')).isSymbolicLink()).toBe(true);
    expect(readFileSync(path('elsewhere/a.svg'), 'utf8')).toBe('new');
  });

  it('may be a pipe, which is opened only for the write and not replaced', async () => {
    execFileSync('mkfifo', [path('pipe')]);
    const file = await prepareOutput('--junit', path('pipe'));
    const [text] = await Promise.all([readFile(path('pipe'), 'utf8'), file.write('<xml/>')]);
    expect(text).toBe('<xml/>');
    expect(lstatSync(path('pipe')).isFIFO()).toBe(true);
  });

  it.runIf(existsSync('/dev/full'))(
    'may be a device, which remains one; a full device is an error with the cure',
    async () => {
      await (await prepareOutput('--junit', '/dev/null')).write('x');
      expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
      const full = await prepareOutput('--junit', '/dev/full');
      await expect(full.write('x')).rejects.toMatchObject({
        kind: 'failure',
        message: '--junit could not write /dev/full: the disk is full; make room, or name a folder on another disk',
      });
      expect(lstatSync('/dev/full').isCharacterDevice()).toBe(true);
      expect(readdirSync('/dev').filter((name) => name.endsWith('.part'))).toEqual([]);
    },
  );

  it('is written in a read-only folder too', async () => {
    mkdirSync(path('closed'));
    writeFileSync(path('closed/a.svg'), 'old');
    chmodSync(path('closed'), 0o555);
    await (await prepareOutput('--badge', path('closed/a.svg'))).write('new');
    expect(readFileSync(path('closed/a.svg'), 'utf8')).toBe('new');
    chmodSync(path('closed'), 0o755);
  });

  it('is appended to if it is an open file descriptor of this process', async () => {
    writeFileSync(path('log'), 'first\n');
    const handle = openSync(path('log'), 'a');
    await (await prepareOutput('--junit', `/dev/fd/${handle}`)).write('second\n');
    writeSync(handle, 'third\n');
    closeSync(handle);
    expect(readFileSync(path('log'), 'utf8')).toBe('first\nsecond\nthird\n');
  });

  it('leaves no temporary file if the write fails', async () => {
    const file = await prepareOutput('--badge', path('a.svg'));
    mkdirSync(path('a.svg'));
    await expect(file.write('new')).rejects.toMatchObject({ kind: 'failure' });
    expect(readdirSync(folder)).toEqual(['a.svg']);
  });

  it.for<[fault: string, name: string, cure: string]>([
    ['a folder', '.', 'it is a folder; name a file in it'],
    ['a path through a file', 'file/a.svg', 'is a file, not a folder; name another'],
    ['a path deep through a file', 'file/b/c/a.svg', 'name another'],
    ['a circle of links', 'circle', 'form a loop; name another'],
    ['a name that is too long', 'x'.repeat(300), 'too long; name a shorter one'],
  ])('is refused if it is %s, with the flag, the path and the cure', async ([, name, cure]) => {
    writeFileSync(path('file'), '');
    symlinkSync('circle', path('circle'));
    await expect(prepareOutput('--badge', path(name))).rejects.toMatchObject({
      kind: 'setting',
      message: expect.stringMatching(new RegExp(`^--badge cannot write ${path(name)}: .*${cure}$`)),
    });
  });

  it.runIf(existsSync('/proc/self'))('is refused at once if its folder cannot be created', async () => {
    await expect(prepareOutput('--junit', '/proc/nope/a/x.xml')).rejects.toThrow(
      '--junit cannot write /proc/nope/a/x.xml: /proc/nope cannot be created; name an existing folder',
    );
  });
});
