import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openData, type ReferenceData } from '../../../src/reference/data/open-data.ts';
import type { StoredVideo } from '../../../src/reference/data/videos.ts';
import { fillData } from '../../../src/reference/seed/fill-data.ts';

using filled = openData();
fillData(filled);
const accounts = filled.accounts.all();
const [first] = filled.videos.all();
let data: ReferenceData;
beforeEach(() => {
  data = openData();
  for (const account of accounts) data.accounts.add(account);
});
afterEach(() => {
  data[Symbol.dispose]();
});

/** A seeded video with some fields replaced. */
function videoWith(changes: Partial<StoredVideo>): StoredVideo {
  if (first === undefined) throw new Error('The seed gives no video.');
  return { ...first, ...changes };
}

describe('videos', () => {
  it('finds a video by its id', () => {
    data.videos.add(videoWith({ id: '12' }));
    expect(data.videos.find('12')).toEqual(videoWith({ id: '12' }));
    for (const id of ['13', '', '012', '12 ']) expect(data.videos.find(id)).toBeUndefined();
  });

  it('lists videos in the numeric order of their ids', () => {
    for (const id of ['100', '9', '20']) data.videos.add(videoWith({ id }));
    expect(data.videos.all().map(({ id }) => id)).toEqual(['9', '20', '100']);
  });

  it('changes a video at any depth, and keeps its id', () => {
    data.videos.add(videoWith({ id: '12' }));
    const { media } = videoWith({});
    data.videos.update('12', { media: { duration: 7 }, tags: ['new'], lang: null });
    expect(data.videos.find('12')).toEqual(
      videoWith({ id: '12', media: { ...media, duration: 7 }, tags: ['new'], lang: null }),
    );
  });

  it('refuses a duplicate id, an unknown account, and a change of an unknown video', () => {
    data.videos.add(videoWith({ id: '12' }));
    expect(() => data.videos.add(videoWith({ id: '12' }))).toThrow('The video with the id 12 already exists.');
    expect(() => data.videos.add(videoWith({ id: '13', account_id: '1' }))).toThrow(
      'There is no account with the id "1"',
    );
    expect(() => data.videos.update('12', { account_id: '1' })).toThrow('There is no account with the id "1"');
    expect(() => data.videos.update('14', { caption: '' })).toThrow('There is no video with the id "14"');
  });
});
