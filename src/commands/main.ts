import process from 'node:process';
import { Command, CommanderError } from 'commander';
import type { GlobalOptions, Terminal } from './command.ts';
import { exitCodeOf, explainError } from './input/explain-error.ts';
import { judgeLostOutput, standardOutput, watchOutput } from './output/output.ts';
import { COMMANDS, type CommandEntry } from './registry.ts';

/** Runs one command line and returns the exit code. */
export async function main(argv: readonly string[], terminal: Terminal = standardTerminal()): Promise<number> {
  const output = watchOutput(terminal.stdout);
  // There is no other place to report a broken stderr; the command continues.
  terminal.stderr.on('error', () => {});
  const code = await perform(argv, terminal, output.lost);
  const fault = await output.flush();
  if (fault === null) return code;
  const lost = judgeLostOutput(fault);
  if (lost.sentence !== null) terminal.stderr.write(`loopscout: ${lost.sentence}\n`);
  return lost.code;
}

async function perform(argv: readonly string[], terminal: Terminal, outputLost: AbortSignal): Promise<number> {
  let code = 0;
  const program = new Command('loopscout')
    .description('Finds, identifies and records the servers of Loops, the federated short-video service.')
    .option('-V, --version', 'show the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    });
  for (const entry of COMMANDS) {
    program.addCommand(
      build(entry, async (args, options) => {
        const { run } = await entry.load();
        code = await run({ args, options, terminal, outputLost });
      }).copyInheritedSettings(program),
    );
  }
  program.on('option:version', () => {
    throw new CommanderError(0, VERSION_REQUESTED, '');
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.code === VERSION_REQUESTED) await showVersion(terminal);
      return error.exitCode === 0 ? 0 : 2;
    }
    terminal.stderr.write(`${prefixed(explainError(error))}\n`);
    return exitCodeOf(error);
  }
}

/** Prefixes each line with the program's name, except indented lines, which continue the line before. */
function prefixed(message: string): string {
  return `loopscout: ${message.replace(/\n(?=\S)/g, '\nloopscout: ')}`;
}

const VERSION_REQUESTED = 'loopscout.version';

async function showVersion(terminal: Terminal): Promise<void> {
  const { VERSION } = await import('../version.ts');
  terminal.stdout.write(`${VERSION}\n`);
}

function build(entry: CommandEntry, action: (args: string[], options: GlobalOptions) => Promise<void>): Command {
  const command = new Command(entry.name).description(entry.summary).exitOverride();
  if (entry.argument !== undefined) command.argument(...entry.argument);
  for (const [form, description] of entry.options ?? []) command.option(form, description);
  command
    .option('--config <file>', 'settings file (default: crawler.config.json, when there is one)')
    .option('--set <key=value>', 'override a setting, as queue.concurrency=10; repeatable', collect)
    .option('--json', 'print the result as JSON');
  if (entry.more !== undefined) command.addHelpText('after', `\n${entry.more}`);
  command.action(async () => action(command.args, command.opts<GlobalOptions>()));
  return command;
}

function collect(value: string, values: string[] = []): string[] {
  return [...values, value];
}

function standardTerminal(): Terminal {
  return { stdout: standardOutput(), stderr: process.stderr, cwd: process.cwd() };
}
