import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary file with the certificate of an authority, for clients that take a path. */
export interface CaFile {
  readonly path: string;
  /** Removes the file and its folder. Idempotent. */
  remove(): Promise<void>;
}

/** @param certificate PEM. */
export async function writeCaFile(certificate: string): Promise<CaFile> {
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
