import { expect, test } from 'vitest';
import { UNKNOWN_VALUE_DESCRIPTION } from '../../src/directory/schema/json-schema-text.ts';
import { InstanceFlag } from '../../src/model/facts/instance-facts.ts';
import { fillStore } from './fill-store.ts';
import { openApi } from './open-api.ts';

test('the API page names every path and parameter of the OpenAPI document', async () => {
  const { get } = await openApi();
  const { text } = await get('/api');
  expect(text).not.toContain('`');
  const { paths } = (await get('/openapi.json')).json();
  type Operations = Record<string, { parameters?: { name: string }[] }>;
  for (const [path, operations] of Object.entries<Operations>(paths)) {
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      expect(text).toContain(`<code>${method.toUpperCase()} ${path}</code>`);
      for (const { name } of parameters) expect(text).toContain(`<code>${name}</code>`);
    }
  }
});

test('the API page has an example of each request, all values and defaults of parameters, and every response field', async () => {
  const { get } = await openApi();
  const { text } = await get('/api');
  const { paths, components } = (await get('/openapi.json')).json();
  const examples = [...text.matchAll(/For example <code>([^<]+)</g)].map(([, url = '']) =>
    url.replace(/&#(\d+);/g, (_entity, code) => String.fromCodePoint(Number(code))),
  );
  for (const { get: operation } of Object.values<{ get?: { 'x-example': string } }>(paths)) {
    if (operation !== undefined) expect(examples).toContain(operation['x-example']);
  }
  expect(text).toContain('<code>{&#34;domain&#34;:&#34;loops.example&#34;}</code> as JSON');
  expect(text).toContain(InstanceFlag.options.join(', '));
  expect(text.match(/Default: 100\./g)).toHaveLength(3);
  expect(text).toContain('Default: 5.');
  expect(text).toContain('whole number from 1 to 500');
  for (const name of Object.keys(components.schemas)) expect(text).toContain(`<h3 id="schema-${name}">`);
  const links = [...text.matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id);
  expect(links).toContain('schema-InstanceList');
  for (const id of links) expect(text).toContain(`id="${id}"`);
  for (const [path, kind] of [
    ['instances[].usage.users', 'whole number from 0 or null'],
    ['uptime.coverage.day', 'number from 0 to 1'],
    ['visits[].steps[].failure', 'config-software, '],
    ['versions[].version', 'text'],
    ['generatedAt', 'time'],
  ]) {
    expect(text).toContain(`<td><code>${path}</code></td><td>${kind}`);
  }
  expect(text).not.toContain(UNKNOWN_VALUE_DESCRIPTION);
});

test('the API page contains no style and no script, and may load only files of this server', async () => {
  const { get } = await openApi();
  for (const url of ['/api']) {
    const { text, headers } = await get(url);
    expect(headers['content-security-policy']).toMatch(/^default-src 'self';/);
    expect(text).not.toMatch(
      /<script(?! type="module" src="\/assets)|<style|\son\w+=|\sstyle=|\b(?:src|action)="(?!\/)/i,
    );
  }
});

test('the API page shows the response to each example that it links; the example for one instance uses a listed instance', async () => {
  const { get } = await openApi((store) => fillStore(store, 5));
  const page = (await get('/api')).text;
  const text = page.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
  const [, url = ''] = /For example <a href="(\/api\/v1\/instances\/[^"/]+)"/.exec(text) ?? [];
  for (const [, link = ''] of text.matchAll(/For example <a href="([^"]+)"/g))
    expect((await get(link)).status, link).toBe(200);
  const { status, text: body } = await get(url);
  expect(status).toBe(200);
  const lines = JSON.stringify(JSON.parse(body), null, 2).split('\n').slice(0, 10);
  expect(text).toContain(lines.slice(1).join('\n'));
  expect(text.match(/<pre /g)?.length).toBeGreaterThan(8);
});
