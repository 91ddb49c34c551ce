import { createSecureContext } from 'node:tls';
import { createAddressGuard } from '../../src/http/address-guard.ts';
import { createSourceHttp, type SourceHttpOptions } from '../../src/http/create-source-http.ts';
import type { Resolver } from '../../src/http/resolver.ts';
import { createSource, SourceSettings } from '../../src/sources/kinds/registry.ts';
import type { RefusedItem, SourceContext, SourceEnd } from '../../src/sources/source.ts';
import { selectHtmlInThread } from './select-html-in-thread.ts';

export interface WebRun {
  /** The domains, each as `domain`, or as `domain software` if the source reports the software. */
  domains: string[];
  refused: RefusedItem[];
  blank: number;
  end: SourceEnd;
}

/** A resolver that knows no name, so that only literal addresses work. */
const resolver: Resolver = {
  resolve: async () => ({ ok: false, failure: 'dns-nxdomain' }),
  isAnswering: async () => true,
  canResolve: async () => true,
  cancel: () => undefined,
};

/** An HTTP client for sources that connects to 127.0.0.1 only. */
export function loopbackHttp(changes: Partial<SourceHttpOptions> = {}) {
  return createSourceHttp({
    secureContext: createSecureContext(),
    guard: createAddressGuard(['127.0.0.1/32']),
    resolver,
    userAgent: 'Loopscout/0 (+https://bot.example.org)',
    clock: () => performance.now(),
    connectMs: 15_000,
    responseMs: 15_000,
    stallMs: 15_000,
    robots: 'standard',
    ...changes,
  });
}

/** Runs the source of a settings entry, without pauses, against servers on loopback. */
export async function readWeb(
  entry: object,
  context: Partial<SourceContext> = {},
  http: Partial<SourceHttpOptions> = {},
): Promise<WebRun> {
  const settings = SourceSettings.parse({ pauseSeconds: 0, ...entry });
  if (settings.type === 'crawled') throw new TypeError('A crawled source has no URL.');
  const source = createSource(settings, { allowSuffixes: ['example'] });
  const run: Omit<WebRun, 'end'> = { domains: [], refused: [], blank: 0 };
  const items = source.read({
    http: loopbackHttp(http),
    previous: null,
    selectHtml: selectHtmlInThread,
    signal: new AbortController().signal,
    now: Date.now,
    ...context,
  });
  for (;;) {
    const { done, value } = await items.next();
    if (done === true) return { ...run, end: value };
    if (value.kind === 'refused') run.refused.push(value);
    else if (value.kind === 'blank') run.blank += 1;
    else run.domains.push(value.software === null ? value.domain : `${value.domain} ${value.software}`);
  }
}
