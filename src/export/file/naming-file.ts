import { ExportError } from '../export-error.ts';

/** Runs one file operation; its failure becomes an {@link ExportError} that names the published file. */
export async function namingFile<T>(file: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw error instanceof ExportError ? error : new ExportError(file, error);
  }
}
