import { describe, expect, it } from 'vitest';
import type { IdentifyOptions } from '../../../src/identify/identify.ts';
import { createOptOutSet, REDACTED_NAME } from '../../../src/model/opt-outs/opt-out-names.ts';
import { redactVisit } from '../../../src/model/opt-outs/redact-names.ts';
import type { Visit } from '../../../src/model/visit.ts';
import {
  CONFIG,
  DISCOVERY,
  html,
  json,
  links,
  NODEINFO,
  redirect,
  type Script,
  status,
  visitScript,
} from '../../identify/scripted-visit.ts';

const NAME = 'opt.example';
const optedOut = createOptOutSet(new Set([NAME]));
const options: Partial<IdentifyOptions> = { isOptedOut: ({ host }) => optedOut.has(host) };

const app = {
  name: `Moved from ${NAME}`,
  url: `https://${NAME}`,
  description: `once https://${NAME.toUpperCase()}:8443/, now here\n${NAME}`,
  software: 'loops',
  version: '1.0.0',
};
const loops = json({ software: { name: 'loops', version: '1.0.0' } });
const cases: [
  name: string,
  script: Script,
  outcome: [Visit['verdict'], Visit['reason']],
  canonicalHost: string | null,
][] = [
  [
    'whose texts and robots.txt name an opted-out host',
    {
      '/robots.txt': { status: 200, body: `Sitemap: https://${NAME}/sitemap.xml\nUser-agent: x\nDisallow: /` },
      [CONFIG]: json({ app, federation: true, [NAME]: true }),
      [DISCOVERY]: links('https://server.example/nodeinfo/2.0'),
      [NODEINFO]: json({ software: { name: 'loops', version: '1.0.0' }, metadata: { nodeName: NAME } }),
    },
    ['loops', 'config-software'],
    REDACTED_NAME,
  ],
  [
    'whose NodeInfo is on an opted-out host',
    { [CONFIG]: html, [DISCOVERY]: links(`https://${NAME}/nodeinfo/2.0`) },
    ['unidentified', 'href-refused'],
    null,
  ],
  [
    'whose NodeInfo path holds the name of an opted-out host',
    { [CONFIG]: html, [DISCOVERY]: links(`https://server.example/${NAME}/nodeinfo`), [`/${NAME}/nodeinfo`]: loops },
    ['loops', 'nodeinfo-software'],
    null,
  ],
  [
    'whose config redirects to an opted-out host',
    {
      [CONFIG]: redirect(`https://${NAME}/api/v1/config`),
      [DISCOVERY]: links('https://server.example/nodeinfo/2.0'),
      [NODEINFO]: loops,
    },
    ['loops', 'nodeinfo-software'],
    REDACTED_NAME,
  ],
];

describe('a visit to a host', () => {
  it.each(cases)('%s keeps its outcome, and only its documents still name the opted-out host', async (...row) => {
    const [, script, outcome, canonicalHost] = row;
    const { visit } = await visitScript(script, options);
    const { documents, robots, ...rest } = redactVisit(visit, optedOut);
    expect([rest.verdict, rest.reason, rest.host.canonicalHost]).toEqual([...outcome, canonicalHost]);
    expect(JSON.stringify(rest).toLowerCase()).not.toContain(NAME);
    expect(Buffer.from(robots?.body ?? []).toString()).not.toContain(NAME);
    expect(documents).toBe(visit.documents);
  });

  it('keeps the rules of a robots.txt that names an opted-out host', async () => {
    const { visit } = await visitScript(cases[0]?.[1] ?? {}, options);
    const body = Buffer.from(redactVisit(visit, optedOut).robots?.body ?? []).toString();
    expect(body).toBe(`Sitemap: https://${REDACTED_NAME}/sitemap.xml\nUser-agent: x\nDisallow: /`);
  });

  it('that names no opted-out host is unchanged', async () => {
    const script: Script = {
      '/robots.txt': status(404),
      [CONFIG]: json({ app: { software: 'loops' } }),
      [DISCOVERY]: status(404),
    };
    const { visit } = await visitScript(script);
    expect(redactVisit(visit, optedOut)).toEqual(visit);
    expect(redactVisit(visit, createOptOutSet(new Set()))).toBe(visit);
  });
});
