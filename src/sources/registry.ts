import * as z from 'zod';
import type { DomainOptions } from '../domain/parse-domain.ts';
import { createFileSource, FileSourceSettings } from './file.ts';
import type { Source } from './source.ts';

/** One entry of `sources` in the settings: every kind of source, told apart by `type`. */
export const SourceSettings = z
  .discriminatedUnion('type', [FileSourceSettings])
  .describe('Where candidate domains come from.');
export type SourceSettings = z.infer<typeof SourceSettings>;

/** The keys of each kind that hold a path, which settings resolve against the folder they were written in. */
export const sourcePathKeys: { readonly [Type in SourceSettings['type']]: readonly string[] } = { file: ['path'] };

/** The source that an entry of the settings describes. */
export function createSource(settings: Readonly<SourceSettings>, options: DomainOptions): Source {
  switch (settings.type) {
    case 'file':
      return createFileSource(settings, options);
  }
}
