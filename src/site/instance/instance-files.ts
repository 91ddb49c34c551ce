import { MAX_CHANGES, readInstance } from '../../directory/instance/instance-view.ts';
import { timelineOf } from '../../directory/instance/timeline.ts';
import { originOf, storedDomain } from '../../model/domain/domain.ts';
import { OUR_BRAND } from '../brand.ts';
import { NO_OFFERS } from '../check/check-buttons.ts';
import { pageFile, type StaticContext, type StaticFile } from '../static/static-file.ts';
import { badgeFile, instanceBadge, STYLES } from './instance-badge.ts';
import { instanceFeed } from './instance-feed.ts';
import { instancePage } from './instance-page.ts';
import { timelineCsv } from './timeline-csv.ts';

/** The page, feed, values and badges of every listed instance. */
export function* instanceFiles(context: StaticContext): Iterable<StaticFile> {
  const { snapshot, reader, base, brand = OUR_BRAND } = context;
  for (const { entry } of snapshot.instances) {
    const domain = storedDomain(entry.domain);
    const folder = `instances/${domain}`;
    yield pageFile(`/${folder}/`, context, (site) => {
      const view = readInstance(domain, { reader, snapshot, now: snapshot.at });
      if (view === null) throw new Error(`${domain} is listed, but not in the database`);
      return instancePage({ ...view, ...NO_OFFERS }, site);
    });
    yield {
      path: `${folder}/feed.atom`,
      body: () => {
        const changes = reader.changes.pageOf(domain, { before: null, limit: MAX_CHANGES });
        // Links in a feed are absolute; while the URL of the site is unknown, they lead to the instance.
        const page = base === null ? originOf(domain) : `${base}/${folder}/`;
        return instanceFeed({ domain, name: entry.name, identifiedAs: 'loops', changes, page }, brand.words);
      },
    };
    yield {
      path: `${folder}/timeline.csv`,
      body: () => timelineCsv(timelineOf(reader, domain, snapshot.at)),
    };
    for (const style of STYLES)
      yield { path: `${folder}/${badgeFile(style, 'static')}`, body: () => instanceBadge(entry, style, brand.words) };
  }
}
