import { run } from './run-cli.ts';

/** Builds `dist` once for all tests of the published package. */
export async function setup(): Promise<void> {
  const built = await run('npm', ['run', '-s', 'build']);
  if (built.code !== 0) throw new Error(`npm run build exited with ${built.code}: ${built.stdout}${built.stderr}`);
}
