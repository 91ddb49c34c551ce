import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../process/run-cli.ts';

const unpack = "import chromium from '@sparticuz/chromium'; await chromium.executablePath();";

/**
 * Returns the folder with Chromium from the package `@sparticuz/chromium`. Unpacks it on first use (two seconds, 210 MB),
 * atomically, so interrupted and concurrent runs are safe.
 */
export async function chromiumFolder(): Promise<string> {
  const manifest = await readFile(join(repository, 'node_modules/@sparticuz/chromium/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const folders = join(repository, 'node_modules/.cache/chromium');
  const folder = join(folders, version);
  if (existsSync(folder)) return folder;
  await mkdir(folders, { recursive: true });
  const unfinished = await mkdtemp(join(folders, `${version}-`));
  // The package unpacks into TMPDIR, and unpacks the shared libraries of Chromium only in an AWS environment.
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

/** The package's own font settings expect its font in TMPDIR. Without a font, pages render no text. */
function fontSettings(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts/cache</cachedir>
</fontconfig>
`;
}
