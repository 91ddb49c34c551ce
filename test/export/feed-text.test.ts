import { describe, expect, test } from 'vitest';
import { feedText } from '../../src/export/datasets/feed.ts';
import { type FeedEvent, newestEvents } from '../../src/export/datasets/feed-events.ts';
import type { DomainChange } from '../../src/model/change.ts';
import type { InstanceRecord } from '../../src/model/instance-record.ts';
import { parseXml, type XmlElement } from './parse-xml.ts';
import { instanceRecordOf } from './record-of.ts';
import { changeOf, emptySource, START } from './row-of.ts';

const HOUR = 3_600_000;
const domain = 'a.example.org';
const became = (hour: number, field: DomainChange['field'], from: DomainChange['from'], to: DomainChange['to']) =>
  changeOf(domain, { at: START + hour * HOUR, field, from, to });

function eventsOf(record: InstanceRecord, changes: DomainChange[], most = 100): FeedEvent[] {
  const { facts, ...rest } = record;
  const histories = () => [{ record: rest, facts, changes: () => changes, usage: () => [] }];
  return newestEvents({ ...emptySource, histories }, most);
}
const story = [
  became(0, 'state', 'new', 'active'),
  became(0, 'conclusive', null, 'loops'),
  became(1, 'version', '1.0.0', '1.1.0'),
  became(2, 'version', '1.1.0', '1.0.0'),
  became(3, 'state', 'active', 'failing'),
  became(4, 'state', 'failing', 'dead'),
  became(5, 'state', 'dead', 'active'),
  became(6, 'conclusive', 'loops', 'other'),
];
const ended = instanceRecordOf(domain, { conclusive: 'other', version: '1.0.0' });

describe('what the feed tells', () => {
  test('is what came, went, came back and was upgraded, newest first, and not what was downgraded or is down', () => {
    const events = eventsOf(ended, story).map(({ kind, at }) => [kind, (at - START) / HOUR]);
    expect(events).toEqual([
      ['gone', 6],
      ['back', 5],
      ['gone', 4],
      ['upgraded', 1],
      ['new', 0],
    ]);
  });

  test('is the newest alone', () => {
    expect(eventsOf(ended, story, 2).map(({ kind }) => kind)).toEqual(['gone', 'back']);
  });
});

const children = (element: XmlElement, name: string) =>
  element.children.filter((child): child is XmlElement => typeof child !== 'string' && child.name === name);
const textOf = (element: XmlElement, name: string) => children(element, name)[0]?.children.join('') ?? null;
const feedOf = (events: FeedEvent[], contact = 'https://example.org/bot') =>
  parseXml([...feedText(events, contact)].join(''));

describe('feed.atom', () => {
  test.each([
    ['with entries', eventsOf(ended, story)],
    ['without any', []],
  ])('has what RFC 4287 asks for, %s', (_what, events) => {
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

  test('keeps the id of an entry whatever comes after it, and has others than the feed of somebody else', () => {
    const ids = (changes: DomainChange[], contact?: string) =>
      children(feedOf(eventsOf(ended, changes), contact), 'entry').map((entry) => textOf(entry, 'id'));
    expect(ids(story).slice(2)).toEqual(ids(story.slice(0, 6)).slice(-3));
    expect(ids(story).filter((id) => ids(story, 'https://example.net').includes(id))).toEqual([]);
  });

  test.each(['<b>&amp;"\'', ']]>', '-->', '\u0000\ufffe', '\ud800', '&#0;'])('says %j as text', (name) => {
    const [entry] = children(feedOf(eventsOf(instanceRecordOf(domain, { facts: { name } }), story)), 'entry');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot say it.
    const said = name.toWellFormed().replace(/[\u0000\ufffe]/g, '\ufffd');
    expect(textOf(entry ?? expect.fail(), 'content')).toContain(`${said}. Version`);
  });
});
