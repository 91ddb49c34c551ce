import { scanJson } from './scan-json.ts';

/** The first JSON object of a body, whatever stands before and after it; undefined when there is none. Pure, and never throws. */
export function readLeniently(body: Uint8Array | undefined): unknown {
  if (body === undefined) return undefined;
  const text = new TextDecoder().decode(body);
  const start = text.indexOf('{');
  if (start === -1) return undefined;
  const whole = text.slice(start);
  const { end } = scanJson(whole);
  try {
    return JSON.parse(whole.slice(0, end ?? undefined)) as unknown;
  } catch {
    return undefined;
  }
}
