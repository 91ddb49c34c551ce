import { describe, expect, it } from 'vitest';
import {
  type EvidenceOverrides,
  evidenceOf,
  healthyAnswer,
  liveApp,
  liveConfig,
  liveNodeInfo,
} from '../evidence-of.ts';
import { type Case, expectFinding, problemsOf } from '../problems-of.ts';

/** Evidence in which top-level keys of config and of NodeInfo are changed. */
const changedDocuments = (
  inConfig: Record<string, unknown>,
  inNodeInfo: Record<string, unknown>,
): EvidenceOverrides => ({
  answers: {
    config: healthyAnswer('config', { json: liveConfig(inConfig) }),
    nodeinfo: healthyAnswer('nodeinfo', { json: liveNodeInfo(inNodeInfo) }),
  },
});
/** Evidence in which config and NodeInfo agree on this version. */
const runningVersion = (text: string) =>
  changedDocuments({ app: liveApp({ version: text }) }, { software: { name: 'loops', version: text } });
/** Evidence in which only NodeInfo has the version, and config gives this answer. */
const oldRelease = (text: string, config: { status?: number; body: string }): EvidenceOverrides => ({
  answers: {
    config: healthyAnswer('config', config),
    nodeinfo: healthyAnswer('nodeinfo', { json: liveNodeInfo({ software: { name: 'loops', version: text } }) }),
  },
});

const cases: Case[] = [
  [
    'NodeInfo that names other software',
    changedDocuments({}, { software: { name: 'pixelfed', version: '0.12.0' } }),
    'agreement-software fail',
    /Config names "loops", NodeInfo names "pixelfed"/,
  ],
  [
    'config that names other software',
    changedDocuments({ app: liveApp({ software: 'pixelfed' }) }, {}),
    'agreement-software fail',
    /Config names "pixelfed"/,
  ],
  [
    'different versions in config and NodeInfo',
    changedDocuments({}, { software: { name: 'loops', version: '1.0.0-beta.13' } }),
    'agreement-version warn',
    /beta\.14.*beta\.13/,
  ],
  [
    'different registration states in config and NodeInfo',
    changedDocuments({}, { openRegistrations: false }),
    'agreement-registration warn',
    /open, NodeInfo that it is closed/,
  ],
  [
    'different names in config and NodeInfo',
    changedDocuments({}, { metadata: { nodeName: 'Loops' } }),
    'agreement-name info',
    /NodeInfo has "Loops"/,
  ],
  [
    'an old version',
    runningVersion('1.0.0-beta.13'),
    'agreement-version-newest warn',
    /"1\.0\.0-beta\.13" is running; .*beta\.14/,
  ],
  [
    'a version that is not a semantic version',
    runningVersion('main-3f2a1c'),
    'agreement-version-form info',
    /main-3f2a1c/,
  ],
  [
    'a release without config',
    oldRelease('1.0.0-beta.5', { status: 404, body: '{}' }),
    'agreement-version-config fail',
    /beta\.5.*beta\.6/,
  ],
  [
    'a release that serves its web page for every path',
    oldRelease('1.0.0-alpha.2', { body: '<!doctype html><div id="app"></div>' }),
    'agreement-version-config fail',
    /alpha\.2/,
  ],
];

describe('a wrong or contradictory fact is reported by one rule, which passes on the healthy server:', () => {
  it.each(cases)('%s', (_fault, broken, finding, detail) => expectFinding(broken, finding, detail));
});

describe('the agreement rules', () => {
  it('call no version outdated while the newest version is unknown', () => {
    expect(problemsOf(evidenceOf({ ...runningVersion('1.0.0-beta.13'), newestVersion: null }))).toEqual([]);
  });

  it('accept a version later than the newest known one', () => {
    expect(problemsOf(evidenceOf(runningVersion('1.0.0')))).toEqual([]);
  });

  it('compare nothing when a document is missing', () => {
    const config = healthyAnswer('config', { json: liveConfig({ federation: false }) });
    const discovery = healthyAnswer('discovery', { status: 404, body: '{"message":"Not Found."}' });
    expect(problemsOf(evidenceOf({ answers: { config, discovery, nodeinfo: null, 'nodeinfo-latest': null } }))).toEqual(
      ['nodeinfo-federation info'],
    );
  });

  it('leave a misspelt software name to the rule for its document', () => {
    expect(problemsOf(evidenceOf(changedDocuments({ app: liveApp({ software: 'Loops' }) }, {})))).toEqual([
      'config-software fail',
    ]);
    expect(
      problemsOf(evidenceOf(changedDocuments({}, { software: { name: 'Loops', version: '1.0.0-beta.14' } }))),
    ).toEqual(['nodeinfo-software fail']);
  });
});
