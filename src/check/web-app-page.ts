import { load } from 'cheerio';
import type { CheckExchange } from './evidence.ts';

const SELECTORS = { script: 'script[src]', style: 'link[rel~="stylesheet"][href]' } as const;

/** The URLs of the scripts or style sheets of a page, in order. */
export function filesOfPage({ body, url }: CheckExchange, kind: keyof typeof SELECTORS): URL[] {
  const page = load(new TextDecoder().decode(body));
  return page(SELECTORS[kind])
    .toArray()
    .flatMap((element) => URL.parse(page(element).attr(kind === 'script' ? 'src' : 'href') ?? '', url) ?? []);
}

/** The version of Loops in `window.appConfig` of its home page; null when there is none. */
export function appVersionIn({ body }: CheckExchange): string | null {
  const text = new TextDecoder().decode(body);
  const start = text.indexOf('window.appConfig');
  if (start < 0) return null;
  return /"?\bapp_version"?\s*:\s*["']([^"'\\]{1,60})["']/.exec(text.slice(start))?.[1] ?? null;
}
