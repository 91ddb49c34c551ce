import { type App, createApp, createLogger } from '../../app/app.ts';
import { loadSettings, type Settings } from '../../settings/settings.ts';
import type { GlobalOptions, Terminal } from '../command.ts';

interface CommandLine {
  options: GlobalOptions;
  terminal: Terminal;
}

/** The settings from the file, the environment and the flags; `--set log.level` takes precedence over `--quiet` and `--verbose`. */
export function settingsOf({ options, terminal }: CommandLine): Settings {
  const level = options.quiet === true ? ['log.level=error'] : options.verbose === true ? ['log.level=debug'] : [];
  return loadSettings({ file: options.config, flags: [...level, ...(options.set ?? [])], cwd: terminal.cwd });
}

/** Opens the app with the settings of a command line. */
export function openApp(commandLine: CommandLine): Promise<App> {
  const settings = settingsOf(commandLine);
  return createApp(settings, createLogger({ level: settings.log.level, stream: commandLine.terminal.stderr }));
}
