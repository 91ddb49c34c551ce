import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file with the certificate of an authority, for clients that take a path; in a folder of its own. */
export interface AuthorityFile {
  readonly path: string;
  /** Removes it. May be called again. */
  remove(): Promise<void>;
}

/** @param certificate PEM. */
export async function writeAuthorityFile(certificate: string): Promise<AuthorityFile> {
  const folder = await mkdtemp(join(tmpdir(), 'loops-reference-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const path = join(folder, 'ca.pem');
    await writeFile(path, certificate);
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
