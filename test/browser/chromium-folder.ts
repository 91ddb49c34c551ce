import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../process/run-cli.ts';

const unpack = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";

/**
 * The folder with the Chromium of the package `@sparticuz/chromium` in it, unpacked when it is not there yet (two seconds, 210 MB).
 * It appears whole or not at all, so that a run that was killed and runs side by side do no harm.
 */
export async function chromiumFolder(): Promise<string> {
  const manifest = await readFile(join(repository, 'node_modules/@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folders = join(repository, 'node_modules/.cache/chromium');
  const folder = join(folders, version);
  if (existsSync(folder)) return folder;
  await mkdir(folders, { recursive: true });
  const unfinished = await mkdtemp(join(folders, `${version}-`));
  // The package unpacks into the folder for temporary files, and the libraries that Chromium needs only where it sees itself in the cloud.
  const env = { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
  try {
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', unpack], { cwd: repository, env });
    await writeFile(join(unfinished, 'fonts/fonts.conf'), fontSettings(folder));
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The package's own settings look for its font in the folder for temporary files; without one, pages have no text to lay out. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts/cache</cachedir>
</fontconfig>
`;
}
