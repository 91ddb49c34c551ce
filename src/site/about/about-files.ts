import { pageFile, type StaticContext, type StaticFile } from '../static/static-file.ts';
import { aboutPage } from './about-page.ts';

export function* aboutFiles(context: StaticContext): Iterable<StaticFile> {
  const { about, survey } = context;
  const view = { about, optOuts: survey.optOutCount, canCheck: false };
  yield pageFile('/about', context, (site) => aboutPage(view, site));
}
