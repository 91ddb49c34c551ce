import type { Rule } from '../rule.ts';
import { robotsAvailable } from './robots/robots-available.ts';
import { robotsConfig } from './robots/robots-config.ts';
import { robotsCrawlDelay } from './robots/robots-crawl-delay.ts';
import { robotsCrawlers } from './robots/robots-crawlers.ts';
import { robotsNamesLoopscout } from './robots/robots-names-loopscout.ts';
import { robotsNodeInfo } from './robots/robots-nodeinfo.ts';
import { robotsNoindex } from './robots/robots-noindex.ts';
import { robotsRedirect } from './robots/robots-redirect.ts';
import { robotsSyntax } from './robots/robots-syntax.ts';
import { robotsText } from './robots/robots-text.ts';

/** Whether robots.txt can be read, and what it lets crawlers read of the rest. */
export const robotsRules: readonly Rule[] = [
  robotsAvailable,
  robotsRedirect,
  robotsText,
  robotsSyntax,
  robotsNamesLoopscout,
  robotsConfig,
  robotsNodeInfo,
  robotsNoindex,
  robotsCrawlers,
  robotsCrawlDelay,
];
