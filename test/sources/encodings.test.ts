import { describe, expect, it } from 'vitest';
import { decodeText, toUtf8 } from '../../src/sources/formats/utf8.ts';
import { importFile } from './read-source.ts';
import { readWeb } from './read-web.ts';
import { serveList } from './servers/serve-list.ts';

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const encodings: [string, (text: string) => Buffer][] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 little-endian', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16 big-endian', (text) => bigEndian(`\ufeff${text}`)],
  ['UTF-16 little-endian without a mark', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16 big-endian without a mark', (text) => bigEndian(text)],
];
const domains = ['a.example', 'xn--bcher-kva.example'];
const json = JSON.stringify(['a.example', 'bücher.example']);
const csv = 'host,note\r\na.example,"é, 🎬"\r\nbücher.example,\r\n';

describe.each(encodings)('%s', (_name, encode) => {
  it.each([
    ['list.txt', 'a.example\nbücher.example\n', {}],
    ['list.csv', csv, { key: 'host' }],
    ['list.json', json, {}],
  ])('is read in the file %s', async (name, text, settings) => {
    expect((await importFile(name, encode(text), settings)).domains).toEqual(domains);
  });

  it.each([
    ['json', json, {}],
    ['csv', csv, {}],
    ['page', '<a href="https://a.example">a</a><a href="https://bücher.example">b</a>', {}],
  ])('is read in a %s list on the web, in chunks of any size', async (type, text, settings) => {
    const { url } = await serveList((_, response) => {
      response.writeHead(200);
      const body = encode(text);
      response.write(body.subarray(0, 1));
      setImmediate(() => response.end(body.subarray(1)));
    });
    const run = await readWeb({ type, url, ...settings });
    expect([run.domains, run.end.outcome]).toEqual([domains, 'complete']);
  });

  it.each([1, 2, 3, 5, 1_000])('is decoded from chunks of %d bytes as from one', async (size) => {
    for (const text of ['', 'a', 'ab', 'ab🎬c', json]) {
      const body = encode(text);
      async function* chunks() {
        for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
      }
      const streamed: Uint8Array[] = [];
      for await (const chunk of toUtf8(chunks())) streamed.push(chunk);
      expect(Buffer.concat(streamed).toString()).toBe(decodeText(body));
      if (text.length > 1) expect(decodeText(body)).toBe(text);
    }
  });
});

it.each([
  'application/json',
  'text/html; charset=utf-8',
  'text/plain',
  'application/octet-stream',
  'application/xhtml+xml',
  '',
])('a list in JSON is read with the Content-Type "%s"', async (type) => {
  const { url } = await serveList((_, response) => {
    response.writeHead(200, type === '' ? {} : { 'content-type': type }).end(`\n ${json}`);
  });
  expect((await readWeb({ type: 'json', url })).domains).toEqual(domains);
});

it.each([
  ['json', '<!doctype html><title>x</title>', 'JSON'],
  ['json', ' \r\n<html>', 'JSON'],
  ['csv', '\ufeff<!DOCTYPE html>', 'CSV'],
])('a %s list whose body begins with "<" is a page: %s', async (type, body, format) => {
  const { url } = await serveList((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  await expect(readWeb({ type, url })).rejects.toThrow(`answers with a page of HTML, not with ${format}; check that`);
});
