import type { FaultSettings } from './choose-fault.ts';
import type { Fault, FaultRule, RetryAfter } from './fault-rule.ts';

const hourMs = 3_600_000;

/**
 * The value of a Retry-After header; undefined: the header is missing. The valid dates are one hour ahead, in the three forms of
 * an HTTP date (RFC 9110 section 5.6.7).
 * @param now milliseconds since the epoch.
 */
function retryAfterValue(form: RetryAfter, now: number): string | undefined {
  if (typeof form === 'number') return `${form}`;
  const inAnHour = new Date(now + hourMs);
  switch (form) {
    case 'date':
      return inAnHour.toUTCString();
    case 'rfc850-date':
      return rfc850(inAnHour);
    case 'asctime-date':
      return asctime(inAnHour);
    case 'past-date':
      return new Date(now - hourMs).toUTCString();
    case 'negative':
      return '-3600';
    case 'fractional':
      return '0.5';
    case 'huge':
      return '9'.repeat(30);
    case 'garbage':
      return 'soon';
    case 'empty':
      return '';
    case 'missing':
      return undefined;
  }
}

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** `Sunday, 06-Nov-94 08:49:37 GMT` */
function rfc850(date: Date): string {
  const [, day, month, year = '', time] = date.toUTCString().split(' ');
  return `${days[date.getUTCDay()]}, ${day}-${month}-${year.slice(2)} ${time} GMT`;
}

/** `Sun Nov  6 08:49:37 1994` */
function asctime(date: Date): string {
  const [name = '', day, month, year, time] = date.toUTCString().split(' ');
  return `${name.slice(0, 3)} ${month} ${`${Number(day)}`.padStart(2)} ${time} ${year}`;
}

/** An answer that replaces the real one. */
export interface Substitute {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** The host and target of a request. */
export interface Target {
  /** Host header. */
  host: string;
  /** Path and query, normalised. */
  target: string;
}

const jsonType = { 'content-type': 'application/json; charset=utf-8' };
const hopParameter = /([?&])hop=(\d+)$/;

/** The answer that replaces the real one; undefined when the fault needs the real one. */
export function substituteOf(rule: FaultRule, settings: FaultSettings, request: Target): Substitute | undefined {
  switch (rule.fault) {
    case 'status':
      return { status: rule.status, headers: { ...jsonType, ...rule.headers }, body: rule.body ?? '' };
    case 'server-error':
      return withMessage(rule.status ?? 500, 'Server Error', rule.retryAfter ?? 'missing', settings);
    case 'rate-limited':
      return withMessage(rule.status ?? 429, 'Too many requests', rule.retryAfter ?? 60, settings);
    case 'redirect':
      return redirect(rule, request);
    default:
      return undefined;
  }
}

/** Removes the hop parameter that a redirect chain added to a target. */
export function withoutHop(target: string): string {
  return target.replace(hopParameter, '');
}

function withMessage(
  status: number,
  message: string,
  retryAfter: Fault<'rate-limited'>['retryAfter'],
  settings: FaultSettings,
) {
  const value = retryAfter === undefined ? undefined : retryAfterValue(retryAfter, settings.now());
  const seconds = typeof retryAfter === 'number' ? { retry_after: retryAfter } : {};
  const headers = value === undefined ? jsonType : { ...jsonType, 'retry-after': value };
  return { status, headers, body: JSON.stringify({ message, ...seconds }) };
}

function redirect(rule: Fault<'redirect'>, request: Target): Substitute | undefined {
  const location = locationOf(rule, request);
  if (location === undefined) return undefined;
  const headers = { location, 'content-type': 'text/html; charset=utf-8' };
  return { status: rule.status ?? 302, headers, body: 'Moved.' };
}

function locationOf({ to, hops = 5 }: Fault<'redirect'>, { host, target }: Target): string | undefined {
  switch (to) {
    case 'loop':
      return target;
    case 'chain': {
      const hop = Number(hopParameter.exec(target)?.[2] ?? 0) + 1;
      const path = withoutHop(target);
      return hop > hops ? undefined : `${path}${path.includes('?') ? '&' : '?'}hop=${hop}`;
    }
    case 'loopback':
      return `https://127.0.0.1${target}`;
    case 'private':
      return `https://10.0.0.1${target}`;
    case 'http':
      return `http://${host}${target}`;
    case 'data':
      return 'data:application/json,{"app":{"software":"loops"}}';
    default:
      return to;
  }
}
