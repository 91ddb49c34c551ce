import { pageFile, type StaticContext, type StaticFile } from '../static/static-file.ts';
import { aboutPage } from './about-page.ts';

export function* aboutFiles(context: StaticContext): Iterable<StaticFile> {
  const { about, domainTotals } = context;
  const view = { about, optOuts: domainTotals.optOutCount, canCheck: false };
  yield pageFile('/about', context, (site) => aboutPage(view, site));
}
