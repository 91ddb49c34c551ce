import { about } from './english/about.ts';
import { check } from './english/check.ts';
import { crawler } from './english/crawler.ts';
import { directory } from './english/directory.ts';
import { domain } from './english/domain.ts';
import { errors } from './english/errors.ts';
import { frame } from './english/frame.ts';
import { instance } from './english/instance.ts';
import { stats } from './english/stats.ts';
import { createFormat } from './format.ts';

/** All words of all pages, in English. Another language is another object of the same type. */
export const english = {
  about,
  check,
  crawler,
  frame,
  directory,
  domain,
  errors,
  instance,
  stats,
  format: createFormat('en-GB'),
};
