import { open, rename } from 'node:fs/promises';

/** The calls through which an export writes; replaceable, so that a full disk can be put in their place. */
export interface FileSystem {
  readonly open: typeof open;
  readonly rename: typeof rename;
}

export const fileSystem: FileSystem = { open, rename };
