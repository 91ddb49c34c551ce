import { about } from './english/about.ts';
import { add } from './english/add.ts';
import { charts } from './english/charts.ts';
import { check } from './english/check.ts';
import { crawler } from './english/crawler.ts';
import { data } from './english/data.ts';
import { directory } from './english/directory.ts';
import { domain } from './english/domain.ts';
import { errors } from './english/errors.ts';
import { frame } from './english/frame.ts';
import { instance } from './english/instance.ts';
import { stats } from './english/stats.ts';
import { createFormat } from './format.ts';

/** All words of all pages, in English, unless an owner replaces them. A text with values is a function of strings and at most one number, which chooses between
 * singular and plural: `own-words.ts` makes a template of it. */
export const english = {
  about,
  add,
  charts,
  check,
  crawler,
  data,
  frame,
  directory,
  domain,
  errors,
  instance,
  stats,
  format: createFormat('en'),
};
