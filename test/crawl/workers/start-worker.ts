import { onTestFinished } from 'vitest';
import { runWorker } from '../../../src/commands/worker.ts';
import type { Settings } from '../../../src/settings/settings.ts';

/** Starts a worker that ends with the test. @param url of the job engine. */
export function startWorkerOn(url: string, settings: Settings, name: string, concurrency = 16) {
  const visited: string[] = [];
  const trouble: string[] = [];
  const stop = new AbortController();
  const ended = runWorker(settings, {
    ...{ url, name, concurrency, signal: stop.signal },
    log: { warn: (message) => trouble.push(message) },
    onVisited: ({ domain }) => visited.push(domain),
  });
  ended.catch(() => undefined);
  onTestFinished(async () => {
    stop.abort();
    await ended.catch(() => undefined);
  });
  return { visited, trouble, ended };
}
