import { describe, expect, test } from 'vitest';
import { listedHistories } from '../../src/directory/history/listed-history.ts';
import { feedText } from '../../src/export/datasets/feed.ts';
import { type FeedEvent, NewestEvents } from '../../src/export/datasets/feed-events.ts';
import type { DomainChange } from '../../src/model/change.ts';
import type { InstanceRecord } from '../../src/model/instance-record.ts';
import { parseXml, type XmlElement } from './parse-xml.ts';
import { instanceRecordOf } from './record-of.ts';
import { changeOf, START, sourceOf } from './row-of.ts';

const HOUR = 3_600_000;
const domain = 'a.example.org';
const changeTo = (hour: number, field: DomainChange['field'], from: DomainChange['from'], to: DomainChange['to']) =>
  changeOf(domain, { at: START + hour * HOUR, field, from, to });

function eventsOf(record: InstanceRecord, changes: DomainChange[], limit = 100): FeedEvent[] {
  const { facts, ...rest } = record;
  const histories = () => [
    { record: rest, facts, checkedAt: rest.checkedAt, missing: rest.missing, changes: () => changes, usage: () => [] },
  ];
  const events = new NewestEvents(limit);
  for (const history of listedHistories(sourceOf({ instances: { histories } }))) events.add(history);
  return [...events.newest()];
}
const changes = [
  changeTo(0, 'state', 'new', 'active'),
  changeTo(0, 'identifiedAs', null, 'loops'),
  changeTo(1, 'version', '1.0.0', '1.1.0'),
  changeTo(2, 'version', '1.1.0', '1.0.0'),
  changeTo(3, 'state', 'active', 'failing'),
  changeTo(4, 'state', 'failing', 'dead'),
  changeTo(5, 'state', 'dead', 'active'),
  changeTo(6, 'identifiedAs', 'loops', 'other'),
];
const record = instanceRecordOf(domain, { identifiedAs: 'other', version: '1.0.0' });

describe('the events of the feed', () => {
  test('are new, gone, returned and upgraded instances, newest first, without downgrades and outages', () => {
    const events = eventsOf(record, changes).map(({ kind, at }) => [kind, (at - START) / HOUR]);
    expect(events).toEqual([
      ['gone', 6],
      ['back', 5],
      ['gone', 4],
      ['upgraded', 1],
      ['new', 0],
    ]);
  });

  test('are limited to the newest', () => {
    expect(eventsOf(record, changes, 2).map(({ kind }) => kind)).toEqual(['gone', 'back']);
  });
});

const children = (element: XmlElement, name: string) =>
  element.children.filter((child): child is XmlElement => typeof child !== 'string' && child.name === name);
const textOf = (element: XmlElement, name: string) => children(element, name)[0]?.children.join('') ?? null;
const feedOf = (events: FeedEvent[], contact = 'https://example.org/bot') =>
  parseXml([...feedText(events, contact)].join(''));

describe('feed.atom', () => {
  test.each([
    ['with entries', eventsOf(record, changes)],
    ['without entries', []],
  ])('has the elements that RFC 4287 requires, %s', (_name, events) => {
    const feed = feedOf(events);
    expect([feed.name, feed.attributes.xmlns]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    const id = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
    const entries = children(feed, 'entry');
    for (const element of [feed, ...entries]) {
      for (const name of ['id', 'title', 'updated']) expect(children(element, name), name).toHaveLength(1);
      expect(textOf(element, 'id')).toMatch(id);
      expect(textOf(element, 'updated')).toMatch(time);
    }
    expect(textOf(children(feed, 'author')[0] ?? expect.fail(), 'name')).toBe('Loopscout');
    expect(new Set(entries.map((entry) => textOf(entry, 'id'))).size).toBe(events.length);
    for (const entry of entries) {
      expect(children(entry, 'link').map(({ attributes }) => attributes)).toEqual([
        { rel: 'alternate', href: `https://${domain}` },
      ]);
      expect(children(entry, 'content')).toHaveLength(1);
    }
    expect(entries.map((entry) => textOf(entry, 'updated'))).toEqual(
      events.map(({ at }) => new Date(at).toISOString()),
    );
  });

  test('keeps the id of an entry when later ones are added, and shares no id with another feed', () => {
    const ids = (changes: DomainChange[], contact?: string) =>
      children(feedOf(eventsOf(record, changes), contact), 'entry').map((entry) => textOf(entry, 'id'));
    // Without the last two changes, the two newest entries are missing.
    expect(ids(changes).slice(2)).toEqual(ids(changes.slice(0, 6)).slice(-3));
    expect(ids(changes).filter((id) => ids(changes, 'https://example.net').includes(id))).toEqual([]);
  });

  test.each(['<b>&amp;"\'', ']]>', '-->', '\u0000\ufffe', '\ud800', '&#0;'])('writes %j as text', (name) => {
    const [entry] = children(feedOf(eventsOf(instanceRecordOf(domain, { facts: { name } }), changes)), 'entry');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression matches characters that XML cannot hold.
    const expected = name.toWellFormed().replace(/[\u0000\ufffe]/g, '\ufffd');
    expect(textOf(entry ?? expect.fail(), 'content')).toContain(`${expected}. Version`);
  });
});
