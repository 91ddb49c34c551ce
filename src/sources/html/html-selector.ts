import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HtmlQuery, HtmlSelection, SelectHtml } from './html-selection.ts';

/** What the thread is given. */
export interface HtmlTask {
  html: Uint8Array<ArrayBuffer>;
  queries: readonly HtmlQuery[];
}

export interface HtmlSelectorOptions {
  /** A page that takes longer is left. In milliseconds. */
  longestMs?: number;
  /** As is one that takes more memory. In MiB. */
  heapMb?: number;
}

/**
 * Takes pages apart on a thread of their own, which ends with its page: the crawl is not held up, and memory is given back. One at a time,
 * since each may take as much as all the rest of the crawl; the others wait in their order.
 */
export function createHtmlSelector({ longestMs = 20_000, heapMb = 512 }: HtmlSelectorOptions = {}): SelectHtml {
  let last: Promise<unknown> = Promise.resolve();
  return (html, queries, { signal, withinMs }) => {
    const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(withinMs)));
    const before = last;
    const selection = (async () => {
      await unlessAborted(before, [signal, deadline]);
      signal.throwIfAborted();
      if (deadline.aborted) return tooSlow();
      const over = AbortSignal.any([deadline, AbortSignal.timeout(longestMs)]);
      return await onThread({ html, queries }, { heapMb, signal, over });
    })();
    // Who gave up waiting does not let the next one past the page that is being taken apart.
    last = Promise.allSettled([before, selection]);
    return selection;
  };
}

interface Bounds {
  heapMb: number;
  signal: AbortSignal;
  over: AbortSignal;
}

async function onThread(task: HtmlTask, { heapMb, signal, over }: Bounds): Promise<HtmlSelection> {
  // Source runs as .ts, what is published as .js.
  const script = new URL(`./html-selector-thread${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(script, {
    name: 'loopscout page',
    workerData: task,
    transferList: [task.html.buffer],
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<HtmlSelection>();
  worker.once('message', resolve);
  worker.once('error', (error: Error & { code?: string }) => {
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY')
      resolve({ ok: false, problem: `takes over ${heapMb} MB to be read` });
    else if (error instanceof RangeError) resolve({ ok: false, problem: 'is made so that it cannot be read' });
    else reject(error);
  });
  worker.once('exit', (code) => reject(new Error(`the thread of a page ended with ${code} and said nothing`)));
  const onOver = () => resolve(tooSlow());
  const onAbort = () => reject(signal.reason);
  over.addEventListener('abort', onOver, { once: true });
  signal.addEventListener('abort', onAbort, { once: true });
  if (over.aborted) onOver();
  if (signal.aborted) onAbort();
  try {
    return await promise;
  } finally {
    over.removeEventListener('abort', onOver);
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function tooSlow(): HtmlSelection {
  return { ok: false, problem: 'takes too long to be read' };
}

/** Resolves with the first of them. */
async function unlessAborted(turn: Promise<unknown>, signals: readonly AbortSignal[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  if (signals.some(({ aborted }) => aborted)) onAbort();
  await Promise.race([turn, promise]);
  for (const signal of signals) signal.removeEventListener('abort', onAbort);
}
