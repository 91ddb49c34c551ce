import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { shellWord } from '../../report/shell-word.ts';
import { environmentVariable } from '../../settings/environment.ts';

/** The variables by which npm describes the command that it runs. */
export interface NpmVariables {
  npm_package_name?: string | undefined;
  npm_lifecycle_event?: string | undefined;
  npm_lifecycle_script?: string | undefined;
  INIT_CWD?: string | undefined;
}

/** The scripts of package.json that run the command line. */
const SCRIPTS: readonly string[] = ['loopscout', 'start', 'demo'];

function npmVariables(): NpmVariables {
  return {
    npm_package_name: environmentVariable('npm_package_name'),
    npm_lifecycle_event: environmentVariable('npm_lifecycle_event'),
    npm_lifecycle_script: environmentVariable('npm_lifecycle_script'),
    INIT_CWD: environmentVariable('INIT_CWD'),
  };
}

function isNpmScript({ npm_package_name, npm_lifecycle_event = '' }: NpmVariables): boolean {
  return npm_package_name === 'loopscout' && SCRIPTS.includes(npm_lifecycle_event);
}

/** The folder in which the user typed the command. npm runs the scripts of a checkout in the checkout. */
export function userFolder(npm = npmVariables()): string {
  return (isNpmScript(npm) ? npm.INIT_CWD : undefined) ?? process.cwd();
}

/** The words that a user in `folder` types to run `loopscout`, which depend on how this process was started. */
export function programCall(folder: string, npm = npmVariables(), module = import.meta.url): string {
  const checkout = fileURLToPath(new URL('../../..', module)).replace(/[/\\]$/, '');
  const isSource = module.endsWith('.ts');
  if (isNpmScript(npm)) {
    const isInside = `${folder}/`.startsWith(`${checkout}/`);
    return `npm ${isInside ? '' : `--prefix ${shellWord(checkout)} `}run -s loopscout --`;
  }
  // npx sets this variable to the command that it runs.
  if (/^loopscout\b/.test(npm.npm_lifecycle_script ?? '')) return 'npx loopscout';
  return isSource ? `node ${shellWord(`${checkout}/src/cli.ts`)}` : 'loopscout';
}
