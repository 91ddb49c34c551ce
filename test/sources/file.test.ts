import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readLines, readRegularFile } from '../../src/sources/regular-file.ts';
import { importFile, importPath } from './read-source.ts';

describe('a source that is a text file', () => {
  it('reads one domain or URL per line, without comments', async () => {
    const { domains, report } = await importFile(
      'seeds.txt',
      '# Servers\nloops.example\n\n  https://b.example/about#team  \nc.example # the third\n\t# indented\nd.example\t#tab\n',
    );
    expect(domains).toEqual(['loops.example', 'b.example', 'c.example', 'd.example']);
    expect(report).toMatchObject({ outcome: 'complete', lines: 7, blank: 3, accepted: 4, merged: 0, refused: 0 });
  });

  it.each([
    ['CRLF', 'a.example\r\nb.example\r\n'],
    ['no final line end', 'a.example\nb.example'],
    ['a byte order mark', '\ufeffa.example\nb.example\n'],
    ['UTF-16, little endian', Buffer.from('\ufeffa.example\r\nb.example\r\n', 'utf16le')],
    ['UTF-16, big endian', Buffer.from('\ufeffa.example\nb.example\n', 'utf16le').swap16()],
  ])('is read with %s', async (_how, content) => {
    const { domains, report } = await importFile('hosts', content);
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(report.lines).toBe(2);
  });

  it('reports an invalid line with its number, and continues', async () => {
    const { domains, report } = await importFile('a.txt', 'a.example\n\na.example b.example\n127.0.0.1\nz.example\n');
    expect(domains).toEqual(['a.example', 'z.example']);
    expect(report.refusedByReason).toEqual({ 'two-hosts': 1, 'ip-literal': 1 });
    expect(report.refusals).toEqual([
      { line: 3, text: 'a.example b.example', reason: 'two-hosts', detail: expect.any(String) },
      { line: 4, text: '127.0.0.1', reason: 'ip-literal', detail: 'an IPv4 address' },
    ]);
  });

  it('refuses a line of ten megabytes and reads the next', async () => {
    const { domains, report } = await importFile('long.txt', `a.example\n${'x'.repeat(10_000_000)}\nb.example\n`);
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(report.refusals).toMatchObject([{ line: 2, reason: 'too-long' }]);
    expect(report.refusals[0]?.text).toHaveLength(200);
  });

  it('skips a comment of one megabyte', async () => {
    const { report } = await importFile('long.txt', `# ${'x'.repeat(1_000_000)}\na.example\n`);
    expect(report).toMatchObject({ lines: 2, blank: 1, accepted: 1 });
  });

  it('refuses binary data line by line, and removes its control characters from the report', async () => {
    const binary = Buffer.concat([
      Buffer.from([0, 1, 2, 0xff, 0xc3, 0x28, 0x1b, 0x5b, 10, 0xe2, 0x80, 0xae, 0x61, 10]),
    ]);
    const { report } = await importFile('binary', Buffer.concat([binary, Buffer.from('a.example\n')]));
    expect(report).toMatchObject({ lines: 3, accepted: 1, refused: 2, refusedByReason: { 'bad-label': 2 } });
    for (const { text } of report.refusals) expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('decodes a character that spans two reads', async () => {
    const { domains } = await importFile('wide.txt', `#${'é'.repeat(40_000)}\nbücher.example\n`);
    expect(domains).toEqual(['xn--bcher-kva.example']);
  });

  it('without content has no domains', async () => {
    expect((await importFile('empty.txt', '')).report).toMatchObject({ lines: 0, accepted: 0 });
  });
});

describe('a source that is a JSON file', () => {
  it('reads strings and objects in one list', async () => {
    const { domains, report } = await importFile(
      'hosts.json',
      JSON.stringify(['a.example', { domain: 'b.example', users: 3 }, 'https://c.example/']),
    );
    expect(domains).toEqual(['a.example', 'b.example', 'c.example']);
    expect(report.lines).toBe(3);
  });

  it('reads the configured key', async () => {
    const content = '\ufeff[{"host": "a.example", "domain": "wrong.example"}]';
    expect((await importFile('hosts.json', content, { key: 'host' })).domains).toEqual(['a.example']);
  });

  it('refuses any other entry by its position, and continues', async () => {
    const entries = [null, 3, ['a.example'], {}, { domain: null }, { domain: ['x'] }, '', 'b.example'];
    const { domains, report } = await importFile('hosts.json', JSON.stringify(entries));
    expect(domains).toEqual(['b.example']);
    expect(report.refusedByReason).toEqual({ 'bad-record': 6, empty: 1 });
    expect(report.refusals[4]).toMatchObject({ line: 5, text: '{"domain":null}', reason: 'bad-record' });
  });

  it.each([
    ['a list', (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`, '[[["…"]]]'],
    ['an object', (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`, '{"a":{"a":{"a":"…"}}}'],
    ['the domain', (levels: number) => `{"domain":${'['.repeat(levels)}${']'.repeat(levels)}}`, '{"domain":[["…"]]}'],
  ])('refuses %s of any depth, and continues', async (_what, nested, text) => {
    for (const levels of [10, 20_000, 200_000]) {
      const { domains, report } = await importFile('hosts.json', `["a.example", ${nested(levels)}, "b.example"]`);
      expect(domains).toEqual(['a.example', 'b.example']);
      expect(report.refusals).toMatchObject([{ line: 2, text, reason: 'bad-record' }]);
    }
  });

  it.each([
    [
      'an object',
      '{"data": ["a.example"], "meta": {}}',
      /holds an object with the keys "data", "meta", not a list; give/,
    ],
    ['a string', '"a.example"', /holds "a.example", not a list/],
    ['null', 'null', /holds null, not a list/],
    [
      'invalid JSON',
      '[\n "a.example',
      /is not valid JSON: expected a string that ends with a double quote at line 2, column 2; correct/,
    ],
    ['no content', '', /expected a value at line 1, column 1/],
    ['an HTML page', '<!doctype html>', /expected a value or a key in double quotes at line 1, column 1/],
  ])('with %s is refused in one sentence', async (_what, content, message) => {
    const failure = importFile('hosts.json', content);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toThrow(/^The source file \S+hosts\.json [^\n]+\.$/);
    await expect(failure).rejects.toHaveProperty('name', 'SourceError');
  });
});

describe('a truncated JSON file', () => {
  it('keeps the entries before the error, and reports the position of the error', async () => {
    const { domains, report } = await importFile('hosts.json', '["a.example",\n "b.example"');
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(report).toMatchObject({
      outcome: 'partial',
      why: 'is not valid JSON: expected "," or the end of the list or object at line 2, column 13',
      etag: null,
    });
  });
});

describe('a source that is a CSV file', () => {
  it('reads the column named domain in the header', async () => {
    const { domains, report } = await importFile(
      'hosts.csv',
      'users,Domain,note\n3,a.example,x\n\n4,"b.example","two\nlines, ""quoted"""\n,,\n5,c.example\n',
    );
    expect(domains).toEqual(['a.example', 'b.example', 'c.example']);
    expect(report).toMatchObject({ lines: 6, blank: 3, accepted: 3, refused: 0 });
  });

  it('accepts a header that begins with #, and comments', async () => {
    const { domains, report } = await importFile(
      'blocks.csv',
      '# exported yesterday\n#domain,#severity\na.example,suspend\n# half way\nb.example,silence\n',
    );
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(report).toMatchObject({ lines: 5, blank: 3 });
  });

  it('without a header is read by its first column', async () => {
    const { domains, report } = await importFile('hosts.csv', '\ufeffa.example,3\r\nb.example,4\r\n');
    expect(domains).toEqual(['a.example', 'b.example']);
    expect(report).toMatchObject({ lines: 2, blank: 0 });
  });

  it('reads the configured column', async () => {
    const { domains } = await importFile('list.csv', 'domain,host\nx.example,a.example\n', { key: 'host' });
    expect(domains).toEqual(['a.example']);
  });

  it('names its columns in the error if the domain column is missing', async () => {
    await expect(importFile('hosts.csv', 'name,server\nA,a.example\n')).rejects.toThrow(
      /hosts\.csv has no column "domain" among "name", "server"; set "key" in the settings/,
    );
  });

  it('refuses a row that is too short, or has no domain in its column', async () => {
    const { report } = await importFile('hosts.csv', 'users,domain\n3\n4,\n5,a.example\n');
    expect(report.refusals).toMatchObject([
      { line: 2, text: '3', reason: 'bad-record', detail: 'no column 2' },
      { line: 3, text: '', reason: 'empty' },
    ]);
    expect(report.accepted).toBe(1);
  });

  it('loses only one line to an unclosed quote', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => `h${index}.example,x`);
    const { report } = await importFile('hosts.csv', ['domain,note', '"a.example,x', ...rows].join('\n'));
    expect(report).toMatchObject({ lines: 302, accepted: 300, refused: 1 });
    expect(report.refusals).toMatchObject([{ line: 2, reason: 'bad-record', detail: 'a quote that is not closed' }]);
  });

  it('refuses a row with text after a closing quote', async () => {
    const { report } = await importFile('hosts.csv', 'domain\n"a.example" b.example\nc.example\n');
    expect(report).toMatchObject({ accepted: 1, refusedByReason: { 'bad-record': 1 } });
  });

  it('reads quoted and unquoted cells alike', async () => {
    const space = fc.constantFrom('', ' ', '\t', ' \t ');
    const cell = fc.constantFrom('a.example', 'b.example', '', '#', "'c.example'", 'd;example', '\\', '127.0.0.1');
    const row = fc.array(fc.tuple(space, cell, space), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), async (rows) => {
        const written = (quote: string) =>
          rows.map((cells) =>
            cells.map(([before, text, after]) => `${before}${quote}${text}${quote}${after}`).join(','),
          );
        const read = async (lines: string[]) => {
          const { domains, report } = await importFile('rows.csv', `domain,x,y,z\n${lines.join('\n')}\nz.example\n`);
          return { domains, ...report, bytes: 0, etag: null, refusals: [] };
        };
        expect(await read(written(''))).toEqual(await read(written('"')));
      }),
      { numRuns: 60 },
    );
  });

  it('numbers a row by the line it starts on', async () => {
    const { report } = await importFile('hosts.csv', 'domain,note\na.example,"1\n2\n3"\nlocalhost,x\n');
    expect(report.refusals).toMatchObject([{ line: 5, text: 'localhost', reason: 'single-label' }]);
  });

  it('refuses a row of ten megabytes and reads the next', async () => {
    const { domains, report } = await importFile('hosts.csv', `domain\n"${'x'.repeat(10_000_000)}"\nb.example\n`);
    expect(domains).toEqual(['b.example']);
    expect(report).toMatchObject({ lines: 3, refused: 1 });
  });
});

describe('a file', () => {
  it.each([
    ['domains.json', { format: 'text' as const }, 'a.example\n'],
    ['domains.txt', { format: 'csv' as const }, 'n,domain\n1,a.example\n'],
    ['domains', { format: 'json' as const }, '["a.example"]'],
    ['DOMAINS.JSON', {}, '["a.example"]'],
  ])('named %s is read in the format of the settings %j, otherwise of its name', async (name, settings, content) => {
    expect((await importFile(name, content, settings)).domains).toEqual(['a.example']);
  });

  it.each([
    [
      'does not exist',
      join(tmpdir(), 'no-such-folder', 'x.txt'),
      /cannot be read: there is no such file; correct its "path"/,
    ],
    ['is a folder', tmpdir(), /cannot be read: it is a folder; set/],
    ['has a file as its folder', join(import.meta.filename, 'x.txt'), /a part of the path is not a folder/],
  ])('that %s is an error with the path and the cure', async (_fault, path, message) => {
    for (const format of ['text', 'json', 'csv'] as const) {
      const failure = importPath(path, { format });
      await expect(failure).rejects.toThrow(message);
      await expect(failure).rejects.toThrow(`The source file ${path} `);
      await expect(failure).rejects.toHaveProperty('name', 'SourceError');
    }
  });

  it.each([
    ['is a device', '/dev/zero', /cannot be read: it is a device; set its "path" to a regular file/],
    ['is a FIFO', null, /cannot be read: it is a FIFO; set its "path" to a regular file/],
  ])('that %s is refused without waiting', async (_what, path, message) => {
    const folder = mkdtempSync(join(tmpdir(), 'fifo-'));
    try {
      const fifo = join(folder, 'fifo');
      execFileSync('mkfifo', [fifo]);
      for (const format of ['text', 'json', 'csv'] as const)
        await expect(importPath(path ?? fifo, { format })).rejects.toThrow(message);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('that grows while it is read is read up to its original size', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'grows-'));
    try {
      const path = join(folder, 'hosts.txt');
      writeFileSync(path, 'a.example\nb.example\n'.repeat(50_000));
      let lines = 0;
      for await (const { number } of readLines(path)) {
        if (number % 1_000 === 1) appendFileSync(path, 'c.example\n'.repeat(10_000));
        lines = number;
        if (number > 200_000) break;
      }
      expect(lines).toBe(100_000);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('that links to itself is an error, not a loop', async () => {
    const path = join(tmpdir(), `link-${process.pid}`);
    symlinkSync(path, path);
    await expect(importPath(path)).rejects.toThrow(/it is a link to itself/);
    rmSync(path);
  });

  it('as text or CSV, has as many lines as blank, accepted, merged and refused ones, and as text all lines of the file', async () => {
    const bytes = fc.array(
      fc.constantFrom('a.example', 'b.example', '"', ',', '\n', '\r\n', '#', ' ', '\0', 'é', 'domain'),
      {
        maxLength: 40,
      },
    );
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom('text', 'csv'), async (parts, format) => {
        const content = parts.join('');
        const { report } = await importFile('any', `domain\n${content}`, { format: format as 'text' | 'csv' });
        expect(report.lines).toBe(report.blank + report.accepted + report.merged + report.refused);
        if (format === 'text') expect(report.lines).toBe(`domain\n${content}`.replace(/\n$/, '').split('\n').length);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the software of the domains in a file', () => {
  it.each([
    ['the settings for a text file', 'a.txt', 'a.example\nb.example\n', { software: 'loops' }, ['loops', 'loops']],
    ['a text file without such a setting, as null', 'a.txt', 'a.example\n', {}, [null]],
    ['the settings for a list of strings', 'a.json', '["a.example"]', { software: 'loops' }, ['loops']],
    [
      'a key of objects',
      'a.json',
      '[{"domain":"a.example","runs":"Loops"},{"domain":"b.example"},{"domain":"c.example","runs":7},"d.example"]',
      { softwareKey: 'runs' },
      ['loops', null, null, null],
    ],
    [
      'a path in objects, otherwise the settings',
      'a.json',
      '[{"domain":"a.example","software":{"name":"mastodon"}},{"domain":"b.example"}]',
      { softwareKey: 'software.name', software: 'loops' },
      ['mastodon', 'loops'],
    ],
    [
      'a column of rows',
      'a.csv',
      'software, domain\nloops,a.example\n,b.example\nMastodon,c.example\n',
      { softwareKey: 'Software' },
      ['loops', null, 'mastodon'],
    ],
    [
      'the settings for rows without a header',
      'a.csv',
      'a.example,1\nb.example,2\n',
      { software: 'loops' },
      ['loops', 'loops'],
    ],
    [
      'a column of rows, otherwise the settings',
      'a.csv',
      'domain,runs\na.example,\nb.example\n',
      { softwareKey: 'runs', software: 'loops' },
      ['loops', 'loops'],
    ],
  ])('is read from %s', async (_how, name, content, settings, expected) => {
    const { software, report } = await importFile(name, content, settings);
    expect(software).toEqual(expected);
    expect(report.refused).toBe(0);
  });

  it.each([
    [
      'the header',
      'domain,users\na.example,1\n',
      'has no column "runs" among "domain", "users"; set "softwareKey" in the settings to the column of the software',
    ],
    ['the first row', 'a.example,1\n', 'has no column "runs" among "a.example", "1"; set "softwareKey"'],
  ])('cannot be read if %s lacks the column, and the error names the setting', async (_where, content, message) => {
    await expect(importFile('a.csv', content, { softwareKey: 'runs' })).rejects.toThrow(message);
  });
});

it('a read that is aborted at any moment yields the first bytes or an AbortError, and causes no unhandled error', async () => {
  for (let turns = 0; turns < 10; turns += 1) {
    const abort = new AbortController();
    const bytes = readRegularFile(import.meta.filename, abort.signal);
    const first = bytes.next().then(
      () => 'read',
      (error: Error) => error.name,
    );
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    abort.abort();
    expect(await first).toBeOneOf(['read', 'AbortError']);
    await bytes.return(undefined).catch(() => undefined);
  }
});
