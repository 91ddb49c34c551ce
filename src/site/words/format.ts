import { roundedDuration } from '../../model/text/rounded-duration.ts';
import { DAY_MS } from '../../model/time.ts';

/** Maximum dates cached as text: ten years. */
const MAX_DATES = 3_660;

/** Larger sizes and durations are shown as `> 1,000 GB` and `> 1,000 h`. */
const [MAX_MEGABYTES, MAX_HOURS] = [1_000_000, 1_000];

/** Numbers and times as text in one language. Times are in UTC. */
export function createFormat(tag: string) {
  // The months of plain English would be those of the United States.
  const language = tag === 'en' ? 'en-GB' : tag;
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' });
  const signedPercent = new Intl.NumberFormat(language, {
    ...{ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' },
  });
  const digits = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const utc = { timeZone: 'UTC' } as const;
  const date = new Intl.DateTimeFormat(language, { ...utc, day: 'numeric', month: 'short', year: 'numeric' });
  const time = new Intl.DateTimeFormat(language, { ...utc, hour: '2-digit', minute: '2-digit', hour12: false });
  const month = new Intl.DateTimeFormat(language, { ...utc, month: 'short', year: 'numeric' });
  /** `1 min 30 s`; without the smaller unit when its count is 0. */
  const inTwoUnits = (count: number, unit: string, rest: number, smallerUnit: string) =>
    `${number.format(count)} ${unit}${rest === 0 ? '' : ` ${rest} ${smallerUnit}`}`;
  const regions = new Intl.DisplayNames(language, { type: 'region' });
  const list = new Intl.ListFormat(language);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'always' });
  const day = new Intl.DateTimeFormat(language, { ...utc, day: 'numeric', month: 'short' });
  const unit = (name: string) => new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'long' });
  const units = {
    minute: unit('minute'),
    hour: unit('hour'),
    day: unit('day'),
    month: unit('month'),
    year: unit('year'),
  };
  const dates = new Map<number, string>();
  // Formatting is slow, and a page of charts has hundreds of dates.
  const dateText = (at: number | string): string => {
    const day = Math.floor(new Date(at).getTime() / DAY_MS);
    const known = dates.get(day);
    if (known !== undefined) return known;
    const text = date.format(day * DAY_MS);
    if (dates.size >= MAX_DATES) dates.clear();
    dates.set(day, text);
    return text;
  };
  const dateTime = (at: number | string) => `${dateText(at)}, ${time.format(new Date(at))}\u00a0UTC`;
  return {
    /** The language tag (BCP 47). */
    locale: language,
    /** `12,345` */
    number: (value: number) => number.format(value),
    /** `12K`, for narrow places. */
    compact: (value: number) => compact.format(value),
    /** `98.5%`, never rounded up to 100%. */
    percent: (share: number) => percent.format(share < 1 ? Math.min(share, 0.999) : share),
    /** `+120`, `−3`, `0` */
    signed: (value: number) => signed.format(value),
    /** `+12.5%` */
    signedPercent: (share: number) => signedPercent.format(share),
    /** `40 MB`, `1.5 GB`; a server can report any number, so there is a most. */
    megabytes(value: number): string {
      if (value > MAX_MEGABYTES) return `> ${number.format(MAX_MEGABYTES / 1_000)} GB`;
      return value < 1_000 ? `${digits.format(value)} MB` : `${digits.format(value / 1_000)} GB`;
    },
    /** `812 B`, `27 kB`, `1.2 MB` */
    bytes(value: number): string {
      const [size, unit] = value < 1e3 ? [value, 'B'] : value < 1e6 ? [value / 1e3, 'kB'] : [value / 1e6, 'MB'];
      return `${size < 100 ? digits.format(size) : number.format(Math.round(size))}\u00a0${unit}`;
    },
    /** `45 s`, `3 min`, `1 min 30 s`, `2 h`; at most `> 1,000 h` */
    duration(seconds: number): string {
      if (seconds > MAX_HOURS * 3_600) return `> ${number.format(MAX_HOURS)} h`;
      if (seconds < 59.5) return `${digits.format(seconds)} s`;
      const wholeSeconds = Math.round(seconds);
      if (wholeSeconds < 3_600) return inTwoUnits(Math.floor(wholeSeconds / 60), 'min', wholeSeconds % 60, 's');
      const wholeMinutes = Math.round(seconds / 60);
      return inTwoUnits(Math.floor(wholeMinutes / 60), 'h', wholeMinutes % 60, 'min');
    },
    /** `3 Jan 2026`; accepts ISO 8601 too. */
    date: dateText,
    /** `3 Jan 2026, 14:05 UTC` */
    dateTime,
    /** Rewrites the times in a text of the explanation, such as `2026-01-03 14:05 UTC`, in the format of {@link dateTime}. */
    withTimes: (text: string) =>
      text.replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (_, day, clock) => dateTime(`${day}T${clock}Z`)),
    /** `3 hours ago`, `in 2 days`; accepts ISO 8601 too. */
    ago: (at: number | string, now: number) => {
      const ms = new Date(at).getTime() - now;
      const [count, unit] = roundedDuration(Math.abs(ms));
      return relative.format(ms > 0 ? count : -count, unit);
    },
    /** `Jan 2026` */
    month: (at: number | string) => month.format(new Date(at)),
    /** `3 Jan` */
    day: (at: number | string) => day.format(new Date(at)),
    /** `Germany`, of `DE` */
    country: (code: string) => regions.of(code) ?? code,
    /** `40 MB and 3 min` */
    list: (texts: readonly string[]) => list.format(texts),
    /** `77 days` */
    days: (count: number) => units.day.format(count),
    /** `3 days`, `14 hours`, `1 minute` */
    age: (ms: number) => {
      const [count, unit] = roundedDuration(ms);
      return units[unit].format(count);
    },
  };
}
