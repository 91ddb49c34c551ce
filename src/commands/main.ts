import process from 'node:process';
import { Command, CommanderError, Option } from 'commander';
import { type CommandEntry, type GlobalOptions, type Help, type Terminal, UsageError } from './command.ts';
import { exitCodeOf, explainError } from './input/explain-error.ts';
import { explainWriteError, standardOutput, watchOutput } from './output/output.ts';
import { COMMANDS } from './registry.ts';

/** Runs one command line and returns the exit code. */
export async function main(argv: readonly string[], given?: Terminal): Promise<number> {
  const terminal = given ?? standardTerminal();
  const output = watchOutput(terminal.stdout);
  // There is no other place to report a broken stderr; the command continues.
  terminal.stderr.on('error', () => {});
  const code = await runCommandLine(argv, terminal, output.failed, given === undefined);
  const fault = await output.flush();
  if (fault === null) return code;
  const { code: faultCode, sentence } = explainWriteError(fault);
  if (sentence !== null) terminal.stderr.write(`loopscout: ${sentence}\n`);
  return faultCode;
}

async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  outputFailed: AbortSignal,
  isStandardTerminal: boolean,
): Promise<number> {
  let code = 0;
  const program = createProgram(terminal, async ({ load }, args, options) => {
    const { run } = await load();
    // Imported late, because it imports the settings module, which --help does not need.
    if (isStandardTerminal) terminal.cwd = (await import('./input/started-by.ts')).userFolder();
    code = await run({ args, options: options as never, terminal, outputFailed });
  });
  try {
    // The help of a command is in its module, which is loaded when the command is parsed.
    const [first, name] = argv;
    const line = first === 'help' && name !== undefined ? [name, '--help'] : [...argv];
    await program.parseAsync(line, { from: 'user' });
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

/** Runs a parsed command line. */
type Action = (entry: CommandEntry, args: string[], options: GlobalOptions) => Promise<void>;

/** The parser of the command line. It throws a CommanderError for help, the version and a usage error. */
export function createProgram(output: Pick<Terminal, 'stdout' | 'stderr'>, action: Action): Command {
  const program = new Command('loopscout')
    .description('Finds, identifies and records the servers of Loops, the federated short-video service.')
    .option('-V, --version', 'show the version')
    .enablePositionalOptions()
    .exitOverride()
    // By default, a command without options of its own is shown without `[options]`; they are added when it is named.
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .configureOutput({
      writeOut: (text) => output.stdout.write(text),
      writeErr: (text) => output.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'loopscout: ')),
    });
  addGlobalOptions(program);
  program.addHelpText('after', START);
  program.on('option:version', () => {
    throw new CommanderError(0, VERSION_REQUESTED, '');
  });
  for (const entry of COMMANDS) {
    const { name, argument, summary } = entry;
    const command = new Command(name).copyInheritedSettings(program).description(summary);
    if (argument !== null) command.argument(argument);
    command.showHelpAfterError(`(loopscout ${name} --help shows the options and examples)`);
    command.action(async () => action(entry, command.args, mergeOptions(program.opts(), command.opts())));
    program.addCommand(command);
  }
  program.hook('preSubcommand', async (_program, command) => {
    const entry = COMMANDS.find(({ name }) => name === command.name());
    if (entry !== undefined) addHelp(command, (await entry.load()).help);
  });
  return program;
}

function addHelp(command: Command, { argument = '', options = [], refusesSettings, more, examples }: Help): void {
  for (const registered of command.registeredArguments) registered.description = argument;
  for (const [form, description] of options) command.option(form, description);
  addGlobalOptions(command);
  if (refusesSettings === true)
    for (const option of command.options) if (['--config', '--set'].includes(option.long ?? '')) option.hideHelp();
  command.addHelpText('after', `\n${more}\n\nExamples:\n${examples.map((line) => `  ${line}`).join('\n')}`);
}

/** Adds the options that are accepted before and after the name of a command. An option of the command itself takes precedence. */
function addGlobalOptions(command: Command): void {
  const ownOptions = new Set(command.options.map(({ long }) => long));
  const add = (form: string, description: string, parse?: typeof collect) => {
    const option = new Option(form, description);
    if (parse !== undefined) option.argParser(parse);
    if (!ownOptions.has(option.long)) command.addOption(option);
  };
  add('--config <file>', 'settings file (default: crawler.config.json, when there is one)');
  add('--set <key=value>', 'override a setting, as queue.concurrency=10; repeatable', collect);
  add('--json', 'print the result as JSON');
  add('--quiet', 'log only errors; show no progress and no summary of a crawl');
  add('--verbose', 'log more, such as each visit of a crawl');
}

/** @throws {UsageError} when the options contradict each other. */
function mergeOptions(before: GlobalOptions, after: GlobalOptions): GlobalOptions {
  const set = [...(before.set ?? []), ...(after.set ?? [])];
  const options = { ...before, ...after, ...(set.length === 0 ? {} : { set }) };
  if (options.quiet === true && options.verbose === true)
    throw new UsageError('--quiet and --verbose exclude each other: leave one out');
  return options;
}

/** Prefixes each line with the program's name, except indented lines, which continue the line before. */
function prefixed(message: string): string {
  return `loopscout: ${message.replace(/\n(?=\S)/g, '\nloopscout: ')}`;
}

/** Below the list of commands. */
const START = `
Check a server:   loopscout check loops.example
Try it offline:   loopscout demo
Run a directory:  loopscout init, then loopscout run
Options, details and examples of a command:  loopscout COMMAND --help`;

const VERSION_REQUESTED = 'loopscout.version';

async function showVersion(terminal: Terminal): Promise<void> {
  const { VERSION } = await import('../version.ts');
  terminal.stdout.write(`${VERSION}\n`);
}

function collect(value: string, values: string[] = []): string[] {
  return [...values, value];
}

function standardTerminal(): Terminal {
  return {
    // A getter, so that stdin is opened only by a command that reads it.
    get stdin() {
      return process.stdin;
    },
    stdout: standardOutput(),
    stderr: process.stderr,
    cwd: process.cwd(),
  };
}
