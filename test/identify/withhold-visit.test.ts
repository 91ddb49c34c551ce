import { describe, expect, it } from 'vitest';
import { createWithholding } from '../../src/domain/withhold-names.ts';
import type { IdentifyOptions } from '../../src/identify/identify.ts';
import { reread } from '../../src/identify/reread.ts';
import type { Visit } from '../../src/record/visit.ts';
import {
  CONFIG,
  DISCOVERY,
  domainOf,
  html,
  json,
  links,
  NODEINFO,
  redirect,
  type Script,
  status,
  visitScript,
} from './scripted-visit.ts';

const NAME = 'opt.example';
const withholding = createWithholding(
  (names) => names.filter((name) => name === NAME || name.startsWith(`${NAME}:`)),
  () => true,
);
const options: Partial<IdentifyOptions> = { withholding, isOptedOut: ({ hostname }) => hostname === NAME };

const told = ({ documents, robots, ...visit }: Visit) =>
  JSON.stringify([
    visit,
    Object.values(documents).map((body) => Buffer.from(body).toString()),
    Buffer.from(robots?.body ?? []).toString(),
  ]);

/** Read anew, with its steps and without. */
function again(visit: Visit) {
  const { domain, at, documents, steps } = visit;
  return [steps, null].map((kept) =>
    reread({
      domain,
      at,
      documents,
      recorded: { ...visit, steps: kept },
      softwareId: 'loops',
      allowSuffixes: ['example'],
    }),
  );
}

/** Whether reading it anew says the same, or nothing. By NodeInfo alone, only steps tell where config redirects. */
function expectSame(visit: Visit): void {
  const { verdict, reason, via, software, version, aliasOf, facts, retryAfterMs } = visit;
  const decision = { verdict, reason, via, software, version, aliasOf, facts, retryAfterMs };
  const [withSteps, without] = again(visit);
  expect([withSteps, without]).not.toContain('would-ask-elsewhere');
  if (withSteps !== null) expect(withSteps).toEqual({ decision, pointsTo: null });
  if (without !== null) expect(without).toMatchObject({ decision });
}

const app = {
  name: `Moved from ${NAME}`,
  url: `https://${NAME}`,
  description: `once https://${NAME.toUpperCase()}:8443/, now here\n${NAME}`,
  software: 'loops',
  version: '1.0.0',
};
const cases: [what: string, script: Script, decided: [Visit['verdict'], Visit['reason']]][] = [
  [
    'whose texts and robots.txt name it',
    {
      '/robots.txt': { status: 200, body: `Sitemap: https://${NAME}/sitemap.xml` },
      [CONFIG]: json({ app, federation: true, [NAME]: true }),
      [DISCOVERY]: links('https://server.example/nodeinfo/2.0'),
      [NODEINFO]: json({ software: { name: 'loops', version: '1.0.0' }, metadata: { nodeName: NAME } }),
    },
    ['loops', 'config-software'],
  ],
  [
    'whose NodeInfo is there',
    { [CONFIG]: html, [DISCOVERY]: links(`https://${NAME}/nodeinfo/2.0`) },
    ['unidentified', 'href-refused'],
  ],
  [
    'whose NodeInfo alone is there',
    { [CONFIG]: json({ app, federation: true }), [DISCOVERY]: links(`https://${NAME}/nodeinfo/2.0`) },
    ['loops', 'config-software'],
  ],
  [
    'whose NodeInfo has it in its path',
    {
      [CONFIG]: html,
      [DISCOVERY]: links(`https://server.example/${NAME}/nodeinfo`),
      [`/${NAME}/nodeinfo`]: json({ software: { name: 'loops', version: '1.0.0' } }),
    },
    ['loops', 'nodeinfo-software'],
  ],
  [
    'whose config redirects there',
    {
      [CONFIG]: redirect(`https://${NAME}/api/v1/config`),
      [DISCOVERY]: links('https://server.example/nodeinfo/2.0'),
      [NODEINFO]: json({ software: { name: 'loops', version: '1.0.0' } }),
    },
    ['loops', 'nodeinfo-software'],
  ],
  [
    'whose config redirects there while its NodeInfo is on a third host',
    {
      [CONFIG]: redirect(`https://${NAME}/api/v1/config`),
      [DISCOVERY]: links('https://third.example/nodeinfo/2.0'),
      'https://third.example/nodeinfo/2.0': json({ software: { name: 'loops', version: '1.0.0' } }),
    },
    ['loops', 'nodeinfo-software'],
  ],
];

describe('a visit to a host', () => {
  it.each(cases)(
    '%s names it nowhere, is decided as it is, and is read anew the same',
    async (_what, script, decided) => {
      const { visit } = await visitScript(script, options);
      expect([visit.verdict, visit.reason]).toEqual(decided);
      expect(told(visit).toLowerCase()).not.toContain(NAME);
      expect(visit.host.pointsTo).toBeNull();
      expectSame(visit);
    },
  );

  it('keeps its NodeInfo from before the opt-out, whose address is withheld since', async () => {
    const script = {
      [CONFIG]: html,
      [DISCOVERY]: links(`https://${NAME}/nodeinfo/2.0`),
      [`https://${NAME}/nodeinfo/2.0`]: json({ software: { name: 'loops', version: '1.0.0' } }),
    };
    const { visit } = await visitScript(script);
    const { documents, host } = visit;
    expect([visit.verdict, host.pointsTo]).toEqual(['loops', domainOf(NAME)]);
    const kept = Object.fromEntries(
      Object.entries(documents).map(([kind, body]) => [kind, withholding.inBody(body)]),
    ) as Visit['documents'];
    // Steps that name it go with it.
    const [, result] = again({ ...visit, documents: kept });
    expect(result).toMatchObject({ decision: { verdict: 'loops', facts: visit.facts }, pointsTo: null });
  });

  it('that names nobody is what it is without', async () => {
    const script: Script = {
      '/robots.txt': status(404),
      [CONFIG]: json({ app: { ...app, name: 'Here', url: 'https://server.example', description: 'x' } }),
      [DISCOVERY]: status(404),
    };
    const [{ visit: one }, { visit: other }] = [await visitScript(script), await visitScript(script, options)];
    expect(other).toEqual(one);
  });
});
