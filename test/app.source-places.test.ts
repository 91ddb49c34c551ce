import { expect, test } from 'vitest';
import { type ConfiguredSource, sourceList } from '../src/app.source-list.ts';
import { createPlaces } from '../src/app.source-places.ts';
import { SourceSettings } from '../src/sources/registry.ts';

const MB = 1_048_576;

function sourceOf(entry: object): ConfiguredSource {
  const parts = {
    open: () => expect.fail('nothing is read'),
    optedOutAmong: () => [],
    random: () => 0,
  };
  const settings = { sources: [SourceSettings.parse(entry)], domains: { allowSuffixes: ['example'] } } as never;
  return sourceList(settings, parts)[0] ?? expect.fail('it is switched off');
}
const list = (host: string) => sourceOf({ type: 'json', url: `https://${host}/list` });
const page = (number: number, maxBytes: number) =>
  sourceOf({ type: 'page', url: `https://page${number}.example/`, maxBytes });
const file = (number: number) => sourceOf({ type: 'file', path: `/list${number}.txt` });

/** Places of which some are held until the test frees them. */
function createHeld() {
  const places = createPlaces();
  const freeing = new Map<ConfiguredSource, () => void>();
  return {
    ...places,
    take(...sources: ConfiguredSource[]) {
      for (const one of sources) {
        expect(places.hasRoomFor(one)).toBe(true);
        void places.hold(one, () => new Promise<void>((resolve) => freeing.set(one, resolve)));
      }
    },
    free: (one: ConfiguredSource) => freeing.get(one)?.(),
  };
}

test('of a host there is one place, whatever its port, and a source is read once at a time', () => {
  const { take, hasRoomFor, isReading } = createHeld();
  const one = list('x.example:8443');
  take(one, file(1));
  expect([isReading(one.source.key), isReading('json https://y.example/list')]).toEqual([true, false]);
  expect(hasRoomFor(list('x.example'))).toBe(false);
  expect(hasRoomFor(list('www.x.example'))).toBe(true);
  expect(hasRoomFor(file(1))).toBe(false);
});

test('sixteen are asked at a time, and four files are read, neither in the way of the other', async () => {
  const { take, hasRoomFor, free, freed } = createHeld();
  const far = Array.from({ length: 16 }, (_, index) => list(`x${index}.example`));
  take(...far);
  expect(hasRoomFor(list('more.example'))).toBe(false);
  take(file(1), file(2), file(3), file(4));
  expect(hasRoomFor(file(5))).toBe(false);
  const next = freed();
  free(far[0] ?? list('none.example'));
  await next;
  expect(hasRoomFor(list('more.example'))).toBe(true);
  expect(hasRoomFor(file(5))).toBe(false);
});

test('what is held in memory is bounded together, and one that may hold more is read alone', () => {
  const { take, hasRoomFor } = createHeld();
  take(page(1, 100 * MB), file(1));
  expect(hasRoomFor(page(2, 29 * MB))).toBe(false);
  expect(hasRoomFor(page(2, 28 * MB))).toBe(true);
  take(page(2, 25 * MB));
  expect(hasRoomFor(list('x.example'))).toBe(false);
  expect(hasRoomFor(file(2))).toBe(true);
  expect(createHeld().hasRoomFor(page(3, 1_000 * MB))).toBe(true);
});
