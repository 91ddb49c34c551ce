import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type CaFile = Awaited<ReturnType<typeof writeCaFile>>;

/** Writes a temporary file with the certificate of an authority (PEM), for clients that take a path. */
export async function writeCaFile(certificate: string) {
  const folder = await mkdtemp(join(tmpdir(), 'loops-reference-'));
  /** Removes the file and its folder. Idempotent. */
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
