import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterVisit } from '../../src/crawl/schedule/after-visit.ts';
import type { Domain } from '../../src/model/domain/domain.ts';
import type { Visit } from '../../src/model/visit.ts';
import { openStore } from '../../src/store/open-store.ts';
import { standardPolicy } from '../crawl/schedule/standard-policy.ts';
import { loopsVisit } from '../store/sample-visit.ts';
import { scratchPath } from '../store/scratch.ts';
import { type CommandEnd, runCommand } from './run-command.ts';

/** A folder with settings, deleted when the test ends. The first `visit` creates the database. */
export interface FilledHome {
  folder: string;
  database: string;
  exportDir: string;
  /** Records one visit to each domain, like a crawl. */
  visit(domains: readonly Domain[], at: number, visitOf?: (domain: Domain, at: number) => Visit): Promise<void>;
  /** Runs a command with these settings. */
  command(...args: string[]): Promise<CommandEnd>;
  /** Returns the text of an exported file. */
  exported(name: string): string;
}

export function createFilledHome(): FilledHome {
  const database = scratchPath();
  const folder = dirname(database);
  const exportDir = join(folder, 'export');
  const settings = join(folder, 'settings.json');
  const contact = 'https://clips.dev/about';
  writeFileSync(settings, JSON.stringify({ contact, database, export: { dir: exportDir }, serve: { port: 0 } }));
  return {
    folder,
    database,
    exportDir,
    async visit(domains, at, visitOf = loopsVisit) {
      await using store = await openStore({ path: database });
      store.domains.requestVisit(domains, at);
      const picked = store.due.pick(domains.length, at, domains);
      const results = picked.map((picked) => {
        const visit = visitOf(picked.record.domain, at);
        return { picked, visit, after: afterVisit(picked.record, visit, at, 0.5, standardPolicy) };
      });
      store.visits.record(results);
    },
    command: (...args) => runCommand([...args, '--config', settings], folder),
    exported: (name) => readFileSync(join(exportDir, name), 'utf8'),
  };
}
