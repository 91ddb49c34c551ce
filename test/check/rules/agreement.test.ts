import { describe, expect, it } from 'vitest';
import { type EvidenceOverrides, evidenceOf, liveApp, liveConfig, liveNodeInfo, perfect } from '../evidence-of.ts';
import { type Case, expectFound, problemsOf } from '../problems-of.ts';

const both = (inConfig: Record<string, unknown>, inNodeInfo: Record<string, unknown>): EvidenceOverrides => ({
  answers: {
    config: perfect('config', { json: liveConfig(inConfig) }),
    nodeinfo: perfect('nodeinfo', { json: liveNodeInfo(inNodeInfo) }),
  },
});
const version = (text: string) =>
  both({ app: liveApp({ version: text }) }, { software: { name: 'loops', version: text } });
const old = (text: string, config: { status?: number; body: string }): EvidenceOverrides => ({
  answers: {
    config: perfect('config', config),
    nodeinfo: perfect('nodeinfo', { json: liveNodeInfo({ software: { name: 'loops', version: text } }) }),
  },
});

const cases: Case[] = [
  [
    'NodeInfo of another software',
    both({}, { software: { name: 'pixelfed', version: '0.12.0' } }),
    'agreement-software fail',
    /Config names "loops", NodeInfo names "pixelfed"/,
  ],
  [
    'config of another software',
    both({ app: liveApp({ software: 'pixelfed' }) }, {}),
    'agreement-software fail',
    /Config names "pixelfed"/,
  ],
  [
    'two versions',
    both({}, { software: { name: 'loops', version: '1.0.0-beta.13' } }),
    'agreement-version warn',
    /beta\.14.*beta\.13/,
  ],
  [
    'two answers on registration',
    both({}, { openRegistrations: false }),
    'agreement-registration warn',
    /open, NodeInfo that it is closed/,
  ],
  ['two names', both({}, { metadata: { nodeName: 'Loops' } }), 'agreement-name info', /NodeInfo has "Loops"/],
  [
    'an old version',
    version('1.0.0-beta.13'),
    'agreement-version-newest warn',
    /"1\.0\.0-beta\.13" is running; .*beta\.14/,
  ],
  ['a version of no form', version('main-3f2a1c'), 'agreement-version-form info', /main-3f2a1c/],
  [
    'a release without config',
    old('1.0.0-beta.5', { status: 404, body: '{}' }),
    'agreement-version-config fail',
    /beta\.5.*beta\.6/,
  ],
  [
    'a release that answers every address with its page',
    old('1.0.0-alpha.2', { body: '<!doctype html><div id="app"></div>' }),
    'agreement-version-config fail',
    /alpha\.2/,
  ],
];

describe('of config and NodeInfo together, is found once, and is cured:', () => {
  it.each(cases)('%s', (_fault, broken, found, detail) => expectFound(broken, found, detail));
});

describe('the rules of agreement', () => {
  it('call no version old while the newest is not known', () => {
    expect(problemsOf(evidenceOf({ ...version('1.0.0-beta.13'), newestVersion: null }))).toEqual([]);
  });

  it('take a later version than the newest known for no fault', () => {
    expect(problemsOf(evidenceOf(version('1.0.0')))).toEqual([]);
  });

  it('compare nothing with a document that is not there', () => {
    const config = perfect('config', { json: liveConfig({ federation: false }) });
    const discovery = perfect('discovery', { status: 404, body: '{"message":"Not Found."}' });
    expect(problemsOf(evidenceOf({ answers: { config, discovery, nodeinfo: null, 'nodeinfo-latest': null } }))).toEqual(
      ['nodeinfo-federation info'],
    );
  });

  it('leave a name that is only misspelt to the rule of its document', () => {
    expect(problemsOf(evidenceOf(both({ app: liveApp({ software: 'Loops' }) }, {})))).toEqual(['config-software fail']);
    expect(problemsOf(evidenceOf(both({}, { software: { name: 'Loops', version: '1.0.0-beta.14' } })))).toEqual([
      'nodeinfo-software fail',
    ]);
  });
});
