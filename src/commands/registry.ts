import type { CommandEntry } from './command.ts';
import { CRAWL_COMMANDS } from './help/crawl-commands.ts';
import { DATA_COMMANDS } from './help/data-commands.ts';
import { TEST_COMMANDS } from './help/test-commands.ts';

/** All commands, in the order of `--help`. */
export const COMMANDS: readonly CommandEntry[] = [...CRAWL_COMMANDS, ...DATA_COMMANDS, ...TEST_COMMANDS];
