import type { FileSystem } from './file-system.ts';
import { namingFile } from './naming-file.ts';

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
