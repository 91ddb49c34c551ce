import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './run-cli.ts';

export interface Instruction {
  /** In capitals: `RUN`. */
  readonly name: string;
  readonly text: string;
}

/** The stages of the container file: the instructions after each FROM. */
export function readContainerfile(): Instruction[][] {
  const lines = readFileSync(join(repository, 'data/deploy/Containerfile'), 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    else stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** The command of an instruction in exec form: `CMD ["run"]`. */
export function execForm(instructions: readonly Instruction[], name: string): string[] {
  const text = instructions.find((instruction) => instruction.name === name)?.text ?? '';
  return JSON.parse(text.slice(text.indexOf('[')));
}

/** The variables that ENV sets. */
export function variablesOf(instructions: readonly Instruction[]): Record<string, string> {
  const pairs = instructions.filter(({ name }) => name === 'ENV').flatMap(({ text }) => text.trim().split(/\s+/));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}
