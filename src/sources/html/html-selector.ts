import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HtmlQuery, HtmlSelection } from './select-html.ts';

interface HtmlLimits {
  readonly signal: AbortSignal;
  readonly withinMs: number;
}

/**
 * Selects elements of a page on another thread, to which the bytes are transferred.
 *
 * @throws the reason of the signal when it aborts.
 */
export type SelectHtml = (
  html: Uint8Array<ArrayBuffer>,
  queries: readonly HtmlQuery[],
  limits: HtmlLimits,
) => Promise<HtmlSelection>;

export interface HtmlTask {
  html: Uint8Array<ArrayBuffer>;
  queries: readonly HtmlQuery[];
}

interface HtmlSelectorOptions {
  maxMs?: number;
  heapMb?: number;
}

/**
 * Parses each page on its own thread, so that the crawl is not blocked and the memory is freed afterwards. Pages are parsed one at a
 * time, in order, because one may need as much memory as the rest of the crawl.
 */
export function createHtmlSelector({ maxMs = 20_000, heapMb = 512 }: HtmlSelectorOptions = {}): SelectHtml {
  let lastSelection: Promise<unknown> = Promise.resolve();
  return (html, queries, { signal, withinMs }) => {
    const deadline = AbortSignal.timeout(Math.max(1, Math.ceil(withinMs)));
    const previous = lastSelection;
    const selection = (async () => {
      await settledOrAborted(previous, [signal, deadline]);
      signal.throwIfAborted();
      if (deadline.aborted) return tooSlow();
      const timeUp = AbortSignal.any([deadline, AbortSignal.timeout(maxMs)]);
      return await selectOnThread({ html, queries }, { heapMb, signal, timeUp });
    })();
    // Even if a caller gives up while it waits, the next one still waits for the page that is being parsed.
    lastSelection = Promise.allSettled([previous, selection]);
    return selection;
  };
}

interface Bounds {
  heapMb: number;
  signal: AbortSignal;
  timeUp: AbortSignal;
}

async function selectOnThread(task: HtmlTask, { heapMb, signal, timeUp }: Bounds): Promise<HtmlSelection> {
  // .ts in the source tree, .js in the published package.
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
    if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ ok: false, problem: `takes over ${heapMb} MB to parse` });
    else if (error instanceof RangeError) resolve({ ok: false, problem: 'is too complex to parse' });
    else reject(error);
  });
  worker.once('exit', (code) => reject(new Error(`the thread of a page ended with code ${code} and without a result`)));
  const onTimeUp = () => resolve(tooSlow());
  const onAbort = () => reject(signal.reason);
  timeUp.addEventListener('abort', onTimeUp, { once: true });
  signal.addEventListener('abort', onAbort, { once: true });
  if (timeUp.aborted) onTimeUp();
  if (signal.aborted) onAbort();
  try {
    return await promise;
  } finally {
    timeUp.removeEventListener('abort', onTimeUp);
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function tooSlow(): HtmlSelection {
  return { ok: false, problem: 'takes too long to parse' };
}

/** Resolves when `previous` settles or a signal aborts. */
async function settledOrAborted(previous: Promise<unknown>, signals: readonly AbortSignal[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true });
  if (signals.some(({ aborted }) => aborted)) onAbort();
  await Promise.race([previous, promise]);
  for (const signal of signals) signal.removeEventListener('abort', onAbort);
}
