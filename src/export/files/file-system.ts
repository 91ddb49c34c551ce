import { open, rename } from 'node:fs/promises';
import { namingFile } from '../export-error.ts';

/** The calls through which an export writes; replaceable, so that a full disk can be put in their place. */
export interface FileSystem {
  readonly open: typeof open;
  readonly rename: typeof rename;
}

export const fileSystem: FileSystem = { open, rename };

/** Some file systems cannot sync a folder; the files in it are then as durable as they get. */
const UNSUPPORTED = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EISDIR', 'EPERM', 'EACCES']);

/** Makes renames within a folder survive a power loss. */
export async function syncFolder(folder: string, fs: FileSystem): Promise<void> {
  await namingFile(folder, async () => {
    try {
      await using handle = await fs.open(folder, 'r');
      await handle.sync();
    } catch (error) {
      if (error instanceof Error && 'code' in error && UNSUPPORTED.has(String(error.code))) return;
      throw error;
    }
  });
}
