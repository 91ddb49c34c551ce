import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VERSION } from '../src/version.ts';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Permissive licences, which allow use in a program under the MIT licence. */
const ALLOWED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT'];

interface LockedPackage {
  version: string;
  license?: string;
  dev?: boolean;
  deprecated?: string;
}

const { '': _own, ...packages } = JSON.parse(read('package-lock.json')).packages as Record<string, LockedPackage>;

describe('the dependencies', () => {
  test('have allowed licences, except those for development only', () => {
    const production = Object.entries(packages).filter(([, { dev }]) => dev !== true);
    expect(production.length).toBeGreaterThan(100);
    const refused = production.filter(([, { license = '' }]) => {
      const alternatives = license.replaceAll(/[()]/g, '').split(' OR ');
      return !alternatives.some((each) => ALLOWED.includes(each));
    });
    expect(refused.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  test('are not deprecated', () => {
    const deprecated = Object.entries(packages).filter(([, each]) => each.deprecated !== undefined);
    expect(deprecated.map(([path, each]) => `${path}: ${each.deprecated}`)).toEqual([]);
  });
});

test('the changelog has a section for this version', () => {
  expect(read('CHANGELOG.md')).toContain(`## [${VERSION}]`);
});

describe('the release workflow', () => {
  const text = read('.github/workflows/release.yml');
  const { on, permissions, jobs } = parse(text);
  const steps = Object.values<{ steps: Record<string, string>[] }>(jobs).flatMap((job) => job.steps);

  test('starts for tags only, and only the jobs that publish have a write permission, one each', () => {
    expect(Object.keys(on)).toEqual(['push']);
    expect(Object.keys(on.push)).toEqual(['tags']);
    expect(permissions).toEqual({});
    const writePermissions = Object.entries<{ permissions: Record<string, string> }>(jobs).map(([name, job]) => [
      name,
      Object.keys(job.permissions).filter((each) => job.permissions[each] === 'write'),
    ]);
    expect(Object.fromEntries(writePermissions)).toEqual({
      test: [],
      npm: ['id-token'],
      image: ['packages'],
      release: ['contents'],
    });
  });

  test('uses only official actions, named by commit, keeps no credentials in the checkout, and puts no expression into a script', () => {
    const actions = steps.flatMap(({ uses }) => uses ?? []);
    expect(actions.length).toBeGreaterThan(3);
    for (const action of actions) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
    expect(text.match(/persist-credentials: false/g)).toHaveLength(text.match(/actions\/checkout@/g)?.length ?? 0);
    for (const { run } of steps) expect(run ?? '').not.toContain('${{');
  });

  test('publishes only after all tests, the npm package with provenance, and uses no stored secret', () => {
    for (const name of ['npm', 'image']) expect(jobs[name].needs).toBe('test');
    expect(jobs.release.needs).toEqual(['npm', 'image']);
    expect(jobs.test.steps).toContainEqual({ run: 'bash .ci/run' });
    expect(steps.some(({ run }) => run?.startsWith('npm publish --provenance'))).toBe(true);
    expect(text).not.toContain('secrets.');
  });

  test('gives the build a value for each image of the container file', () => {
    const names = [...read('data/deploy/Containerfile').matchAll(/^ARG (\w+)=\S+:\S+$/gm)].map(([, name]) => name);
    expect(names).toEqual(['BUILD_IMAGE', 'BASE_IMAGE']);
    for (const name of names) {
      expect(text).toContain(`--build-arg ${name}`);
      expect(read('data/deploy/Containerfile')).toContain(`FROM \${${name}}`);
    }
  });
});
