import { brotliCompressSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/http/failure.ts';
import { classifyPage } from '../../src/http/page-class.ts';
import { parseRobots } from '../../src/http/robots.ts';
import { parseConfig, parseDiscovery, parseHref, parseNodeInfo } from '../../src/identify/documents.ts';
import { parseJsonObject } from '../../src/identify/field-reader.ts';
import { asksNoindex } from '../../src/identify/noindex.ts';
import { fixture, fixtureNames } from '../identify/fixture.ts';
import { CONFIG, DISCOVERY, NODEINFO, ROBOTS, type Script, visitScript } from '../identify/scripted-visit.ts';

/** Inputs to mutate: every fixture, a page, a robots.txt, and minimal bodies, some compressed. */
const bases: Buffer[] = [
  ...fixtureNames('').map((name) => Buffer.from(JSON.stringify(fixture(name)))),
  Buffer.from(
    '<!doctype html><title>Just a moment...</title><script>window._cf_chl_opt={}</script><div id="app"></div>',
  ),
  Buffer.from(
    'User-agent: *\nAllow: /nodeinfo/*?x$\nDisallow: /api/\nCrawl-delay: 5\n\nUser-agent: Loopscout\nDisallow:\n',
  ),
  Buffer.from('{"app":{"software":"loops"}}'),
  gzipSync('{"app":{"software":"loops"}}'),
  brotliCompressSync('{"software":{"name":"loops"}}'),
];
/** Fragments that are hard to parse, inserted at random positions. */
const splices = [
  '"',
  '{',
  '}',
  '[',
  ']',
  '\\',
  '\0',
  '\u202e',
  '\ufeff',
  '\ud800',
  '<',
  '</script>',
  '1e400',
  '-0',
  'null',
  'true',
  '__proto__',
  '"loops"',
  '"Loops"',
  '"loops "',
  '"software":"loops",',
  '"app":',
  '"rel":"x/schema/2.0",',
  'https://[::1]/',
  '//',
  '%00',
  '\r\n',
  '*'.repeat(300),
  '['.repeat(2_000),
  '{"a":'.repeat(2_000),
  'x'.repeat(20_000),
  '<div>'.repeat(3_000),
  'Disallow: /*a*a*a*a*a*a*b$\n',
].map((text) => Buffer.from(text));

type Mutation = { at: number; kind: 'flip' | 'cut' | 'drop' | 'repeat' | 'splice'; value: number };

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom('flip', 'cut', 'drop', 'repeat', 'splice'),
  value: fc.nat(65_535),
});

function mutate(body: Buffer, { at, kind, value }: Mutation): Buffer {
  const index = Math.min(body.length, Math.floor(at * (body.length + 1)));
  const [head, tail] = [body.subarray(0, index), body.subarray(index)];
  switch (kind) {
    case 'flip': {
      const copy = Buffer.from(body);
      if (index < copy.length) copy[index] = (copy[index] ?? 0) ^ (1 << (value & 7));
      return copy;
    }
    case 'cut':
      return head;
    case 'drop':
      return Buffer.concat([head, tail.subarray(1 + (value % 40))]);
    case 'repeat':
      return Buffer.concat([head, tail.subarray(0, value % 500), tail]);
    case 'splice':
      return Buffer.concat([head, splices[value % splices.length] ?? head, tail]);
  }
}

const mutated = fc
  .tuple(fc.nat(bases.length - 1), fc.array(mutation, { maxLength: 6 }))
  .map(([base, mutations]) => mutations.reduce(mutate, bases[base] ?? Buffer.alloc(0)));
const response = fc.oneof(
  { weight: 8, arbitrary: mutated },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 2_000 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 6 }).map((text) => Buffer.from(text)) },
);

/** The result of JSON.parse, as a reference for our own parser. */
function parsePlainly(body: Buffer): { app?: { software?: unknown }; software?: { name?: unknown } } | null {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

function parseEverything(body: Buffer): void {
  const document = parseJsonObject(body);
  const config = document === null ? null : parseConfig(document);
  const nodeInfo = document === null ? null : parseNodeInfo(document);
  const link = document === null ? null : parseDiscovery(document);
  if (config?.softwareId === 'loops' && parsePlainly(body)?.app?.software !== 'loops')
    throw new Error('config is not Loops');
  if (nodeInfo?.softwareId === 'loops' && parsePlainly(body)?.software?.name !== 'loops')
    throw new Error('NodeInfo is not Loops');
  const text = body.toString('latin1');
  parseHref(link?.href ?? text);
  parseRetryAfter(text, 0);
  asksNoindex(text, 'Loopscout');
  classifyPage({ status: 200, headers: {}, body });
  const { forbiddenBy } = parseRobots(body);
  forbiddenBy(parseHref(`https://a.example/${encodeURI(body.toString('utf8', 0, 400).toWellFormed())}`)?.target ?? '/');
}

describe('mutated responses', () => {
  test('10,000 of them: no parser throws or finds Loops where the text lacks it', () => {
    fc.assert(
      fc.property(response, (body) => parseEverything(body)),
      { numRuns: 10_000 },
    );
  });

  test('4,000 complete visits: none throws, and none gets the verdict `loops` unless its software is the string "loops"', async () => {
    let loops = 0;
    await fc.assert(
      fc.asyncProperty(response, response, response, response, async (robots, config, discovery, nodeInfo) => {
        const reply = (body: Buffer) => ({ status: 200, body });
        const script: Script = {
          [ROBOTS]: reply(robots),
          [CONFIG]: reply(config),
          [DISCOVERY]: reply(discovery),
          [NODEINFO]: reply(nodeInfo),
        };
        // Every other path serves the same NodeInfo document.
        const withAnyHref = new Proxy(script, {
          get: (target, key: string) => target[key] ?? reply(nodeInfo),
        });
        const { visit } = await visitScript(withAnyHref);
        if (visit.verdict !== 'loops') return;
        loops += 1;
        const software =
          visit.via === 'config' ? parsePlainly(config)?.app?.software : parsePlainly(nodeInfo)?.software?.name;
        expect(software).toBe('loops');
      }),
      { numRuns: 4_000 },
    );
    expect(loops).toBeGreaterThan(20);
  });
});
