import { expect, test } from 'vitest';
import type { Change } from '../../src/model/change.ts';
import { changeWords } from '../../src/site/instance/changes-section.ts';
import { english } from '../../src/site/words/english.ts';

const change = (field: Change['field'], from: Change['from'], to: Change['to'], why: string | null = null): Change => ({
  ...{ at: 0, field, from, to, why, cause: 'visit' },
});

test.each<[Change, string[]]>([
  [
    change('state', 'active', 'failing', 'failed: nothing listens at the address'),
    ['Went down: nothing listens at the address.'],
  ],
  [change('state', 'failing', 'active', 'answered again after 2 days'), ['Up again: answered again after 2 days.']],
  [change('state', 'new', 'active', 'answered'), []],
  [change('state', 'failing', 'dead', null), ['Now counts as dead.']],
  [change('identifiedAs', null, 'loops'), ['Identified as Loops.']],
  [change('identifiedAs', 'loops', 'other'), ['No longer identified as Loops.']],
  [change('version', '1.0.0', '1.1.0'), ['Upgraded from 1.0.0 to 1.1.0.']],
  [change('version', '1.1.0', '1.0.0'), ['Version changed from 1.1.0 to 1.0.0.']],
  [change('version', '1.1.0', null), ['No longer reports its version.']],
  [change('registration.open', true, false), ['Registration closed.']],
  [change('registration.open', null, true), ['Reports registration open: yes.']],
  [change('federation', false, true), ['Federation switched on.']],
  [change('features.atomFeeds', false, true), ['Now offers Atom feeds.']],
  [change('limits.maxVideoDurationSeconds', 60, 180), ['Changed longest video from 1 min to 3 min.']],
  [
    change('limits.videoFormats', ['video/mp4'], ['video/mp4', 'video/webm']),
    ['Changed video formats from video/mp4 to video/mp4, video/webm.'],
  ],
  [change('limits.videoFormats', [], ['mp4']), ['Changed video formats from none to mp4.']],
  [change('name', 'Cats', 'Dogs'), ['Renamed from “Cats” to “Dogs”.']],
  [change('description', 'a', 'b'), ['Changed its description.']],
  [
    change('flags', ['users-jump'], ['version-mismatch']),
    [
      'New remark: configuration and NodeInfo give different versions.',
      'No longer: the number of users grew or shrank more than tenfold, and by more than a thousand, within a week.',
    ],
  ],
  [change('hosting.country', 'DE', 'FR'), ['Moved: country from Germany to France.']],
  [change('hosting.asn', 64_500, 64_501), []],
  [change('hosting.network', 'First Ltd', null), ['Moved: network from First Ltd to not known.']],
  [change('hosting.behind', null, 'Cloudflare'), ['Moved: content network from not known to Cloudflare.']],
  [change('pointsTo', null, 'b.example'), ['Reports the address that it calls its own: b.example.']],
])('%j reads %j', (given, sentences) => {
  expect(changeWords(given, english)).toEqual(sentences);
});
