import { expect, test } from 'vitest';
import { decodeResult, encodeExchange, parseResult } from '../../../src/crawl/workers/exchange.ts';
import type { HttpResult } from '../../../src/http/visit-client.ts';
import { domainOf } from '../../identify/scripted-visit.ts';

const domain = domainOf('server.example');
const worker = { name: 'west', version: '1.0.0' };
const url = 'https://server.example/api/v1/config';
const body = Buffer.from('{"app":{"software":"loops"}}');
const answer: HttpResult = {
  ...{ kind: 'answer', status: 200, ms: 12.3, bytes: body.length, body, strictError: 'bare-line-feed' },
  headers: { 'x-robots-tag': ['noindex', 'other: nofollow'], 'content-type': 'application/json' },
};
const failure: HttpResult = {
  ...{ kind: 'failure', failure: 'tls-expired', status: null, ms: 0, bytes: 0 },
  detail: 'the certificate expired on 2026-01-01',
};

/** A result as it comes from the engine. */
const received = (value: unknown) => JSON.parse(JSON.stringify(value));
const exchange = received(encodeExchange(new URL(url), undefined, answer));
const failed = received(encodeExchange(new URL(url), '/a/../b', failure));
const withResult = (change: object) => ({
  ...{ worker, tlsExpires: null },
  exchanges: [{ ...exchange, result: { ...exchange.result, ...change } }],
});

test('an exchange keeps everything that a visit reads, and no other header', () => {
  const result = parseResult({ worker, exchanges: [exchange, failed], tlsExpires: 1_790_000_000_000 }, domain);
  if (!('exchanges' in result)) throw new Error(JSON.stringify(result));
  expect(result.exchanges.map(({ url: requested, target }) => [requested, target])).toEqual([
    [url, undefined],
    [url, '/a/../b'],
  ]);
  expect(result.exchanges.map(decodeResult)).toEqual([
    { ...answer, headers: { 'x-robots-tag': ['noindex', 'other: nofollow'] } },
    failure,
  ]);
});

test('a worker can refuse a visit', () => {
  const refusal = { worker, notVisited: 'this machine is offline' };
  expect(parseResult(refusal, domain)).toEqual(refusal);
});

const kib = (count: number) => 'A'.repeat(count * 1_024);
const withUrl = (changed: string) => ({ worker, tlsExpires: null, exchanges: [{ ...exchange, url: changed }] });
const withExchanges = (exchanges: unknown, more = {}) => ({ worker, tlsExpires: null, exchanges, ...more });

test.for<[what: string, result: unknown]>([
  ['nothing', null],
  ['a text', 'exchanges'],
  ['a list', [exchange]],
  ['no worker', { exchanges: [exchange], tlsExpires: null }],
  ['a worker without a usable name', withExchanges([exchange], { worker: { name: 'a b', version: '1' } })],
  ['a further key', withExchanges([exchange], { verdict: 'loops' })],
  ['a refusal with exchanges', withExchanges([exchange], { notVisited: 'offline' })],
  ['a refusal of 30 MB', { worker, notVisited: kib(30_000) }],
  ['a fractional number of bytes', withResult({ bytes: 1.5 })],
  ['a negative time', withResult({ ms: -1 })],
  ['a time of 10^300 ms', withResult({ ms: 1e300 })],
  ['a time that is not a number', withResult({ ms: null })],
  ['10^300 bytes', withResult({ bytes: 1e300 })],
  ['the status 1000', withResult({ status: 1_000 })],
  ['a fractional status', withResult({ status: 200.5 })],
  ['an answer that is a failure too', withResult({ failure: 'tls-expired' })],
  ['a failure with a body', withResult({ kind: 'failure', failure: 'tls-expired' })],
  ['an unknown failure', withExchanges([{ ...failed, result: { ...failed.result, failure: 'lost' } }])],
  ['a DNS failure', withExchanges([{ ...failed, result: { ...failed.result, failure: 'dns-nxdomain' } }])],
  ['a failure with a long detail', withExchanges([{ ...failed, result: { ...failed.result, detail: kib(2) } }])],
  ['an unknown header', withResult({ headers: { cookie: 'a=b' } })],
  ['a header of a wrong type', withResult({ headers: { location: ['/a', '/b'] } })],
  ['a header over 64 KiB', withResult({ headers: { location: kib(65) } })],
  ['headers over the limit of a visit', withExchanges(Array(30).fill(withUrl(`${url}?${kib(60)}`).exchanges[0]))],
  ['a body that is not base64', withResult({ body: '***' })],
  ['a body of 30 MB', withResult({ body: kib(30_000) })],
  ['bodies over the limit of a visit', withExchanges(Array(3).fill(withResult({ body: kib(600) }).exchanges[0]))],
  ['33 exchanges', withExchanges(Array(33).fill(exchange))],
  ['ten million exchanges', withExchanges(Array(10_000_000).fill(0))],
  ['exchanges by name', withExchanges({ length: 1, 0: exchange })],
  ['the end of a certificate that no date can be', withExchanges([], { tlsExpires: 1e16 })],
  ['a fractional end of the certificate', withExchanges([], { tlsExpires: 1.5 })],
  ['another host', withUrl('https://other.example/api/v1/config')],
  ['a subdomain', withUrl('https://www.server.example/')],
  ['no URL', withUrl('server.example')],
  ['a URL without a host', withUrl('data:text/plain,server.example')],
])('%s is refused, with a short reason', ([, result]) => {
  const { problem } = parseResult(result, domain) as { problem: string };
  expect(problem).toMatch(/^.{5,250}$/);
});
