import { html } from 'ghtml';
import type { Measure } from '../../directory/schema/stats-row.ts';
import type { TrendsView } from '../../directory/trends.ts';
import { FEATURES, LIMITS } from '../../model/facts/fact-leaves.ts';
import { shareBar } from '../charts/share-bar.ts';
import { factText } from '../fact-text.ts';
import type { Site } from '../site.ts';
import { trendLine } from './trend-figure.ts';
import { valueByKey } from './trend-series.ts';

/** Which features are offered, now and over time. */
export function featuresSection({ stats, trends }: TrendsView, site: Site): string {
  const { words } = site;
  const { features: text } = words.stats;
  const { labels } = words.instance.facts;
  const { number } = words.format;
  const all = stats.instances.instances;
  const rows = FEATURES.map(({ key, path }) => {
    const { yes, no, unknown } = stats.features[key];
    const bar = shareBar(
      [
        { kind: 'colour-main', value: yes },
        { kind: 'colour-other', value: no },
      ],
      all,
    );
    return html`<li><span>${labels[path]}</span><span class="number"><b data-stat="features.${key}.yes">${number(yes)}</b> ${text.ofReporting(number(yes + no))}</span>!${bar}<small class="soft">${text.unknown(number(unknown))}</small></li>`;
  });
  const lines = FEATURES.map(({ key, path }) =>
    trendLine(
      {
        ...{
          id: `feature-${key}`,
          title: text.over(labels[path] ?? key),
          measure: path as Measure,
          value: valueByKey('yes'),
          isMonthly: true,
        },
        note: ({ reporting, total }) => words.stats.coverage(number(reporting), number(total)),
      },
      trends,
      site,
    ),
  );
  return html`<section class="panel" aria-labelledby="features">
<h2 id="features">${text.title}</h2>
<p class="soft">${text.lead}</p>
<ul class="legend"><li><i class="key colour-main"></i>${text.legend.yes}</li><li><i class="key colour-other"></i>${text.legend.no}</li><li><i class="key part-rest"></i>${text.legend.unknown}</li></ul>
<ul class="bar-list">!${rows}</ul>
<details><summary>${text.overTime}</summary><div class="charts">!${lines}</div></details>
</section>`;
}

/** The smallest, median and largest limits. */
export function limitsSection({ stats }: TrendsView, { words }: Site): string {
  const { limits: text, unknown } = words.stats;
  const { number } = words.format;
  const rows = LIMITS.map((leaf) => {
    const { least, median, most, reporting } = stats.limits[leaf.key];
    const cells = Object.entries({ least, median, most }).map(
      ([name, value]) =>
        html`<td class="number" data-limit="${leaf.key}.${name}">${factText(leaf, value, words) ?? unknown}</td>`,
    );
    return html`<tr><th scope="row">${words.instance.facts.labels[leaf.path]}</th>!${cells}<td class="number">${text.of(number(reporting), number(stats.instances.instances))}</td></tr>`;
  });
  return html`<section class="panel" aria-labelledby="limits">
<h2 id="limits">${text.title}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${text.caption}"><table>
<caption class="unseen">${text.caption}</caption>
<thead><tr><th scope="col">${text.limit}</th><th scope="col" class="number">${text.least}</th><th scope="col" class="number">${text.median}</th><th scope="col" class="number">${text.most}</th><th scope="col" class="number">${text.reporting}</th></tr></thead>
<tbody>!${rows}</tbody></table></div>
</section>`;
}
