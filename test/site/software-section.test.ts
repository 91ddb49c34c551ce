import { expect, test } from 'vitest';
import type { TrendsView } from '../../src/directory/trends.ts';
import { staticSite } from '../../src/site/site.ts';
import { softwareSection } from '../../src/site/stats/domains-sections.ts';

test('names of software that look alike are told apart', () => {
  const software = ['loops', 'Loops', 'loops ', 'lo\u200bops'].map((name) => ({ name, domains: 1 }));
  const view = { stats: { domains: { domains: 4 } }, software: { software, others: 0, unknown: 0 } };
  const text = softwareSection(view as unknown as TrendsView, staticSite({ path: '/stats', at: 0 }));
  const labels = [...text.matchAll(/<li><span>(.*?)<\/span>/g)].map(([, label]) => label);
  const quote = '&#34;';
  expect(labels.slice(0, 4)).toEqual([
    'loops',
    'Loops',
    `${quote}loops␣${quote}`,
    `${quote}lo&#60;U+200B&#62;ops${quote}`,
  ]);
});
