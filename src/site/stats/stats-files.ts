import { trendsViewOf } from '../../directory/trends.ts';
import { pageFile, type StaticContext, type StaticFile } from '../static/static-file.ts';
import { statsPage } from './stats-page.ts';

/** The page of trends. */
export function* statsFiles(context: StaticContext): Iterable<StaticFile> {
  yield pageFile('/stats/', context, (site) => statsPage(trendsViewOf(context), site));
}
