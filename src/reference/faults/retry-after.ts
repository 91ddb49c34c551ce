import type { RetryAfter } from './fault-rule.ts';

const hourMs = 3_600_000;

/**
 * The value of a Retry-After header in one of its forms; undefined: none is sent. The dates are the three forms of an HTTP
 * date (RFC 9110 section 5.6.7), an hour from now.
 * @param now milliseconds since the epoch.
 */
export function retryAfterValue(form: RetryAfter, now: number): string | undefined {
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
