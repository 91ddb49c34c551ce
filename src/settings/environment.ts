import type { SECRET_VARIABLES } from './read-layers.ts';

/** The environment of the process. This file loads no other, so that commands without settings start fast. */
export const environment: Readonly<Record<string, string | undefined>> = process.env;

/** Variables of GitHub Actions and of npm. */
type ToolVariable =
  | 'GITHUB_STEP_SUMMARY'
  | 'INIT_CWD'
  | 'npm_package_name'
  | 'npm_lifecycle_event'
  | 'npm_lifecycle_script';

/** A variable of the environment that is not a setting: a secret that should not be on a command line, or a variable that GitHub Actions or npm sets. */
export function environmentVariable(name: (typeof SECRET_VARIABLES)[number] | ToolVariable): string | undefined {
  return environment[name] || undefined;
}
