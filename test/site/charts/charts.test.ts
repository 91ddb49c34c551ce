import { load } from 'cheerio';
import { expect, test } from 'vitest';
import { lineChart } from '../../../src/site/charts/line-chart.ts';
import { stackedChart } from '../../../src/site/charts/stacked-chart.ts';
import { dayBars } from '../../../src/site/instance/uptime-section.ts';

const DAY_MS = 86_400_000;
const text = { number: String, time: (at: number) => new Date(at).toISOString().slice(0, 10) };
const bucket = (index: number) => ({ from: index * DAY_MS, until: (index + 1) * DAY_MS, label: `day ${index}` });
const points = (values: readonly (number | null)[]) => values.map((value, index) => ({ ...bucket(index), value }));
const line = (values: readonly (number | null)[]) =>
  lineChart({ id: 'users', title: 'Users', description: 'From 1 to 3.', points: points(values), text });
/** Enough values for a line. */
const many = (values: readonly (number | null)[]) => line([...Array.from({ length: 20 }, () => 1), ...values]);
const pathOf = (svg: string, className: string) => load(svg)(`path.${className}`).attr('d') ?? '';

test('an unknown value is a gap in the line', () => {
  const path = pathOf(many([1, 2, null, 3]), 'line');
  expect(path.match(/M/g)).toHaveLength(2);
});

test('a value between gaps is a dot', () => {
  expect(pathOf(many([null, 2, null]), 'line')).toMatch(/M[\d,.]+Z$/);
});

test('the scale of a line chart begins at zero, and its grid has whole numbers', () => {
  const $ = load(line([7, 8]));
  expect($('.plot-values text').first().text()).toBe('0');
  expect(
    $('.plot-values text')
      .toArray()
      .every((label) => Number.isInteger(Number($(label).text()))),
  ).toBe(true);
});

test('a chart without a known value is empty', () => {
  expect(line([null, null])).toBe('');
  expect(line([])).toBe('');
  expect(stackedChart({ id: 'a', title: '', description: '', buckets: [], layers: [], text })).toBe('');
});

test('a chart of zeros has a line', () => {
  expect(many([0, 0])).toContain('class="line"');
});

test('a chart has a title and a description for screen readers, and nothing inline', () => {
  const $ = load(line([1, 2]));
  const labelled = $('[role="img"]').attr('aria-labelledby')?.split(' ') ?? [];
  expect(labelled.map((id) => $(`[id="${id}"]`).text())).toEqual(['Users', 'From 1 to 3.']);
  expect($('[style], style, script')).toHaveLength(0);
});

test.each([1, 2, 14])('%d values are bars, each with its date, in place of a line', (count) => {
  const $ = load(line(Array.from({ length: count }, () => 0)));
  expect($('path.line, path.area')).toHaveLength(0);
  const bars = $('path.bar')
    .toArray()
    .map(
      (bar) =>
        /^M([\d.]+),1000V(\d+)$/
          .exec($(bar).attr('d') ?? '')
          ?.slice(1)
          .map(Number) ?? [],
    );
  expect(bars).toHaveLength(count);
  // A zero is seen, and the bars stand in the middle of their days.
  for (const [index, [x = 0, top = 0]] of bars.entries()) {
    expect(top).toBeLessThan(1_000);
    expect(x).toBeCloseTo(((index + 0.5) / count) * 1_000, -1);
  }
  const labels = $('.tick')
    .toArray()
    .map((label) => $(label).text());
  expect(labels[0]).toBe('1970-01-01');
  expect(new Set(labels).size).toBe(labels.length);
});

test('the points for the script are the values with their days, at any length of the periods', () => {
  const weekly = { from: 3 * DAY_MS, until: 10 * DAY_MS, label: '', value: 4 };
  const $ = load(line([1, null, 3]) + lineChart({ id: 'w', title: 'W', description: '', points: [weekly], text }));
  const read = (index: number) => JSON.parse($('.plot').eq(index).attr('data-points') ?? '');
  expect(read(0)).toEqual([
    [0, 1],
    [1, null],
    [2, 3],
  ]);
  expect(read(1)).toEqual([[9, 4]]);
});

test('labels that show on hover cover the whole chart', () => {
  const $ = load(line(Array.from({ length: 104 }, (_, index) => index)));
  const hits = $('.hits > rect').toArray();
  expect(hits.length).toBeLessThan(60);
  expect($(hits.at(-1)).find('title').text()).toBe('day 103');
  expect(Number($(hits.at(-1)).attr('x')) + Number($(hits.at(-1)).attr('width'))).toBeCloseTo(1_000, -1);
});

test('layers are stacked, and a bucket without values is a gap', () => {
  const before = Array.from({ length: 17 }, () => 0);
  const layers = [
    { name: 'a', kind: 'value', values: [...before, 1, null, 1] },
    { name: 'b', kind: 'unknown', values: [...before, 1, null, 3] },
  ] as const;
  const buckets = Array.from({ length: 20 }, (_, index) => bucket(index));
  const $ = load(stackedChart({ id: 's', title: 'S', description: '', buckets, layers, text }));
  const [lower, upper] = $('path.layer')
    .toArray()
    .map((path) => $(path).attr('d') ?? '');
  expect(lower?.match(/M/g)).toHaveLength(2);
  // The scale ends at 4: one of four is at the height 750 of 1,000, and four of four at 0.
  // The middle of the last of twenty buckets is at 975 of 1,000.
  expect(lower).toContain('750');
  expect(upper).toContain('975,0');
  expect($('path.colour-unknown')).toHaveLength(1);
});

test('few stacked values are bars on each other', () => {
  const layers = [
    { name: 'a', kind: 'value', values: [1, 2] },
    { name: 'b', kind: 'unknown', values: [3, 0] },
  ] as const;
  const $ = load(stackedChart({ id: 's', title: 'S', description: '', buckets: [0, 1].map(bucket), layers, text }));
  const paths = $('path.bar')
    .toArray()
    .map((path) => $(path).attr('d'));
  expect(paths).toEqual(['M250,1000V750M750,1000V500', 'M250,750V0']);
});

test('text in a chart is escaped', () => {
  const svg = lineChart({
    ...{ id: 'x', title: '<script>', description: '"><img>', text },
    points: [{ ...bucket(0), value: 1, label: '<b>' }],
  });
  expect(svg).not.toMatch(/<script|<img|<b>/);
});

test('a day is up, partly down, down or unknown', () => {
  const days = [
    { share: 1, label: 'up' },
    { share: 0.5, label: 'half' },
    { share: 0.999, label: 'a minute down' },
    { share: null, label: 'unknown' },
    { share: 0, label: 'down' },
  ].map((day) => ({ ...day, hasFailure: day.share !== null && day.share < 1 }));
  days.push({ share: null, label: 'hardly observed, with a failed visit', hasFailure: true });
  const $ = load(dayBars({ id: 'd', title: 'Days', description: '', days }));
  const bars = $('.day-bars > g')
    .toArray()
    .map((day) =>
      $(day)
        .find('path')
        .toArray()
        .map((path) => $(path).attr('class')),
    );
  expect(bars).toEqual([
    ['day-up'],
    ['day-up', 'day-down'],
    ['day-up', 'day-down'],
    ['day-unknown'],
    ['day-down'],
    ['day-down'],
  ]);
});
