import { checkOffPage } from '../check/check-page.ts';
import { pageFile, type StaticContext, type StaticFile } from '../static/static-file.ts';
import { addPage } from './add-page.ts';

/** The pages that stand for those of a running service, unless `site.liveUrl` names one. */
export function* deskFiles(context: StaticContext): Iterable<StaticFile> {
  const { contact } = context.about;
  if ((context.brand?.liveUrl ?? null) !== null) return;
  yield pageFile('/add/', context, (site) => addPage({ domain: '', problem: null, contact }, site));
  yield pageFile('/check/', context, checkOffPage);
}
