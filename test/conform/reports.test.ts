import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { help } from '../../src/commands/conform.ts';
import { SERVER_CLAUSES } from '../../src/conform/clauses/clauses.ts';
import type { ConformRun } from '../../src/conform/conform.ts';
import { INVENTED } from '../../src/conform/probes/requests.ts';
import { exchangesHar } from '../../src/conform/report/har.ts';
import { resultsHtml } from '../../src/conform/report/html.ts';
import { resultsJunit } from '../../src/conform/report/junit.ts';
import { resultsMarkdown } from '../../src/conform/report/markdown.ts';
import { resultsText } from '../../src/conform/report/text.ts';
import { Results } from '../../src/conform/results.ts';
import { seededAccounts } from '../../src/reference/index.ts';
import { schemaFile } from '../schema-file.ts';
import { type RewritingProxy, startRewritingProxy } from './rewriting-proxy.ts';
import { runAgainst } from './run-against.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const user = seededAccounts()[0] ?? null;

let proxy: RewritingProxy;
let run: ConformRun;
/** The password and every secret that the proxy sees. */
const secrets = new Set([user?.password ?? '']);

beforeAll(async () => {
  proxy = await startRewritingProxy();
  proxy.rewrite = (answer, { path, fields }) => {
    const { location = '', 'set-cookie': cookie = '' } = answer.headers;
    const matches = [
      ...answer.text.matchAll(/"(?:client_secret|access_token)":"([^"]+)"/g),
      ...answer.text.matchAll(/name="token" value="([^"]+)"/g),
      ...location.matchAll(/[?&]code=([^&]+)/g),
      ...cookie.matchAll(/^[^=]+=([^;]+)/g),
    ];
    for (const [, value = ''] of matches) secrets.add(value);
    const { code_verifier: verifier } = fields;
    if (verifier !== undefined && verifier !== INVENTED.verifier) secrets.add(verifier);
    // Three faults. Because of the second one, the reports quote an answer with a token.
    const hostileText = '\\u001b[31m\u202e<script>|`';
    if (path === '/api/v1/config') answer.text = answer.text.replace('"fyf":true', `"fyf":"${hostileText}"`);
    if (path === '/oauth/token' && answer.status === 200) answer.text = answer.text.replace('Bearer', 'bearer');
    if (path === '/api/v1/account/info/self') answer.text = answer.text.replace('"is_admin":true', '"is_admin":1');
  };
  run = await runAgainst(proxy.url, {
    ...{ writes: true, user, level: 'must' },
    expected: { 'account.is_admin': 'A known fault.', 'config.app.name': 'It has no name.' },
  });
});
afterAll(() => proxy[Symbol.asyncDispose]());

/** Adds no colours. */
const paint = (_styles: readonly unknown[], text: string) => text;
const reports = () => ({
  json: JSON.stringify(run.results),
  text: resultsText(run.results, { columns: 80, paint, quiet: false }),
  html: resultsHtml(run.results),
  junit: resultsJunit(run.results),
  markdown: resultsMarkdown(run.results),
  har: exchangesHar(run.exchanges, run.results.tool),
});

describe('the results', () => {
  it('have unexpected failures, an expected failure, and a pass that was expected to fail', () => {
    const failed = run.results.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect(failed).toEqual(['token.token_type.bearer', 'account.is_admin', 'config.fyf']);
    expect(run.results).toMatchObject({ unexpectedPasses: ['config.app.name'], isConformant: false });
  });

  it('match their JSON Schema, which equals the committed file (npm test -- --update writes it)', async () => {
    const schema = schemaFile(Results, { $id: 'urn:loopscout:schema:conform-results:1' });
    await expect(schema).toMatchFileSnapshot(join(root, 'data/conform-results.schema.json'));
    const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;
    const validate = new Ajv2020({ strict: true, formats: { 'date-time': dateTime } }).compile(JSON.parse(schema));
    validate(JSON.parse(JSON.stringify(run.results)));
    expect(validate.errors).toBeNull();
  });

  it('have no secret in any format', () => {
    expect(secrets.size).toBeGreaterThan(10);
    for (const [format, report] of Object.entries(reports())) {
      const leaked = [...secrets].filter(
        (secret) => report.includes(secret) || report.includes(encodeURIComponent(secret)),
      );
      expect(leaked, format).toEqual([]);
    }
  });

  it('quote the clause, the answer and a curl line that repeats the request, in the text report', () => {
    const { text } = reports();
    expect(text).toContain('config.fyf (section 2.5, must)');
    expect(text).toContain('`fyf` of the server configuration is a boolean.');
    expect(text).toContain(`curl -i ${proxy.url}/api/v1/config -H 'accept: application/json'`);
    expect(text).toMatch(/^ {2}received {2}status 200, application\/json$/m);
  });

  it('fit 80 columns, apart from curl lines, and have no control or bidi characters, in the text report', () => {
    const long = reports()
      .text.split('\n')
      .filter((line) => line.length > 80 && !line.startsWith('    curl '));
    expect(long).toEqual([]);
    expect(reports().text.replaceAll('\n', '')).not.toMatch(/\p{Cc}|\u202e/u);
  });

  it('escape texts of the server in HTML, XML and Markdown', () => {
    const { html, junit, markdown } = reports();
    expect(html).not.toContain('<script>');
    expect(html).toContain('&#60;script&#62;');
    expect(junit).toMatch(/<failure message="the value is [^"<]*&#60;script&#62;/);
    expect(markdown).toContain(String.raw`\<script\>`);
  });

  it('have one JUnit suite per section, with expected failures skipped', () => {
    const { junit } = reports();
    const sections = new Set(SERVER_CLAUSES.map(({ section }) => section));
    expect(junit.match(/<testsuite /g)).toHaveLength(sections.size);
    expect(junit).toContain('<skipped message="expected failure: A known fault."/>');
    expect(junit).toContain('passed, but was expected to fail');
  });

  it('have an entry in the HAR file for every request', () => {
    const { log } = JSON.parse(reports().har);
    expect(log.entries).toHaveLength(run.results.requests);
    expect(log).toMatchObject({ version: '1.2', creator: { name: 'Loopscout' } });
  });
});

describe('the action and the page for implementers', () => {
  const action = parse(read('data/conform/action.yml'));
  const flags = new Set((help.options ?? []).map(([form]) => form.split(' ')[0]));

  it('use existing flags', () => {
    const flagsOfOtherCommands = new Set(['--prefix', '--wait']);
    for (const path of ['data/conform/action.yml', 'docs/conform.md']) {
      const text = read(path);
      const used = [...text.matchAll(/(?<=[\s`])--[a-z-]+/g)].map(([flag]) => flag);
      expect(used).toContain('--write');
      expect(used.filter((flag) => !flags.has(flag) && !flagsOfOtherCommands.has(flag))).toEqual([]);
    }
  });

  it('interpolate no input into a command of the action, and name no password or token there', () => {
    const steps: { run?: string }[] = action.runs.steps;
    const commands = steps.flatMap((step) => step.run ?? []).join('\n');
    expect(commands).toContain('loopscout');
    expect(commands).not.toContain('${{');
    expect(commands).not.toMatch(/password|token/i);
  });
});
