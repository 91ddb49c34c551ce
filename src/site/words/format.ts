/** Numbers and times as text in one language. Times are in UTC. */
export function createFormat(language: string) {
  const number = new Intl.NumberFormat(language);
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 });
  const compact = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });
  const utc = { timeZone: 'UTC' } as const;
  const date = new Intl.DateTimeFormat(language, { ...utc, day: 'numeric', month: 'short', year: 'numeric' });
  const time = new Intl.DateTimeFormat(language, { ...utc, hour: '2-digit', minute: '2-digit', hour12: false });
  const month = new Intl.DateTimeFormat(language, { ...utc, month: 'short', year: 'numeric' });
  return {
    /** `12,345` */
    number: (value: number) => number.format(value),
    /** `12K`, for places without room. */
    compact: (value: number) => compact.format(value),
    /** `98.5%`, never rounded up to 100%. */
    percent: (share: number) => percent.format(share < 1 ? Math.min(share, 0.999) : share),
    /** `3 Jan 2026`; accepts ISO 8601 too. */
    date: (at: number | string) => date.format(new Date(at)),
    /** `3 Jan 2026, 14:05 UTC` */
    dateTime: (at: number | string) => `${date.format(new Date(at))}, ${time.format(new Date(at))} UTC`,
    /** `Jan 2026` */
    month: (at: number | string) => month.format(new Date(at)),
  };
}
