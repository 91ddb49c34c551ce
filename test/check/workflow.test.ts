import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { help } from '../../src/commands/check.ts';
import { VERSION } from '../../src/version.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const workflow = parse(read('data/check/workflow.yml'));
const steps: Record<string, never>[] = workflow.jobs.check.steps;

const command = steps.flatMap(({ run }) => String(run ?? '')).find((run) => checksIn(run).length > 0) ?? '';

/** Flags of `check`, and whether each takes a value. */
const flags = new Map(
  (help.options ?? []).map(([form]) => {
    const [, flag = '', value] = /^(--[a-z-]+)(?: [<[](.*)[>\]])?$/.exec(form) ?? [];
    return [flag, value !== undefined] as const;
  }),
);

/** The arguments of each `loopscout check` in a text, up to the first shell operator. */
function checksIn(text: string): string[][] {
  return [...text.matchAll(/\bloopscout(?:@\S+)? (?:-- )?check ([^#|>\n]*)/g)].map(([, words = '']) =>
    words.trim().split(/\s+/),
  );
}

/** The flags that a `loopscout check` in the text has, but the command does not. */
function unknownFlags(text: string): string[] {
  const known = new Set([...flags.keys(), '--json', '--config', '--set']);
  return checksIn(text).flatMap((words) => words.filter((word) => word.startsWith('--') && !known.has(word)));
}

describe('the workflow for operators', () => {
  it('runs on a schedule, manually, or from another workflow', () => {
    expect(Object.keys(workflow.on).toSorted()).toEqual(['schedule', 'workflow_call', 'workflow_dispatch']);
    // Once a day, but not at minute 0, when many other workflows start.
    expect(workflow.on.schedule[0].cron).toMatch(/^[1-9]\d* \d+ \* \* \*$/);
    expect(workflow.on.workflow_call.inputs.domain).toMatchObject({ required: true, type: 'string' });
    expect(workflow.permissions).toEqual({ contents: 'read' });
  });

  it('calls check with existing flags and a supported Node.js version', () => {
    expect(checksIn(command)).toHaveLength(1);
    expect(unknownFlags(command)).toEqual([]);
    expect(command).toMatch(/--junit \S+\.xml/);
    const setup = steps.find(({ uses }) => String(uses).startsWith('actions/setup-node@')) as never as {
      with: { 'node-version': number };
    };
    expect(setup.with['node-version']).toBeGreaterThanOrEqual(24);
  });

  it('uploads the files that the check writes, whatever its result', () => {
    const written = [...String(command).matchAll(/--(?:junit|badge) (\S+)/g)].map(([, file]) => file);
    const upload = steps.at(-1) as never as { uses: string; if: string; with: { path: string } };
    expect(upload.uses).toMatch(/^actions\/upload-artifact@/);
    expect(upload.if).toBe('always()');
    expect(upload.with.path.trim().split('\n')).toEqual(written);
    expect(written).toHaveLength(2);
  });

  it('interpolates no input into a command', () => {
    for (const { run } of steps) expect(run ?? '').not.toContain('${{');
  });
});

it.for(['data/check/workflow.yml', 'data/conform/action.yml', '.github/workflows/release.yml'])(
  '%s pins every action by its commit',
  (path) => {
    const actions = [...read(path).matchAll(/\buses: (actions\/\S+)(.*)/g)];
    expect(actions.length).toBeGreaterThan(0);
    for (const [, action, version] of actions) {
      expect(action).toMatch(/@[0-9a-f]{40}$/);
      expect(version).toMatch(/^ # v\d+\.\d+\.\d+$/);
    }
  },
);

it.for(['README.md', 'docs/check.md', 'data/check/README.md'])('%s uses only existing flags of check', (path) => {
  expect(checksIn(read(path))).not.toEqual([]);
  expect(unknownFlags(read(path))).toEqual([]);
});

it('docs/check.md has commands to check a server, one of them for CI', () => {
  expect(checksIn(read('docs/check.md')).length).toBeGreaterThan(2);
  expect(checksIn(read('docs/check.md')).flat()).toContain('--junit');
});

it.for(['docs/check.md', 'data/check/workflow.yml'])(
  '%s names the current version of loopscout (update it in this file)',
  (path) => {
    const packages = [...read(path).matchAll(/\bnpx .*?\b(loopscout\S*) check/g)].map(([, name]) => name);
    expect(packages.length).toBeGreaterThan(0);
    expect(new Set(packages)).toEqual(new Set([`loopscout@${VERSION}`]));
  },
);

it('an unknown flag is detected', () => {
  expect(unknownFlags('loopscout check loops.example --badge b.svg --bagde b.svg')).toEqual(['--bagde']);
});
