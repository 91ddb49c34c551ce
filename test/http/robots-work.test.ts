import { describe, expect, it } from 'vitest';
import { parseRobots } from '../../src/http/robots.ts';

/** The work grows with the size at most linearly, so that a smaller file than the largest shows it. */
const BYTES = 65_536;

/** A file of these lines, repeated up to a size. */
function fileOf(bytes: number, start: string, line: string): Buffer {
  return Buffer.from(start + line.repeat(Math.floor((bytes - start.length) / line.length)));
}

/** Files that took long with regular expressions, with a list of rules, or with a search for each line end. */
const WORST: [what: string, start: string, line: string][] = [
  ['empty lines', '', '\n'],
  ['empty lines that end with CR', '', '\r'],
  ['blanks', 'User-agent: *\nDisallow: /', ' '],
  ['characters U+2028', '', '\u2028'],
  ['user-agent lines', '', 'User-agent: a\n'],
  ['user-agent lines that name us', '', 'User-agent: Loopscout\n'],
  ['groups that name us', '', 'User-agent: Loopscout\nDisallow: *x\n'],
  ['lines without a value', 'User-agent: *\n', 'Allow:\n'],
  ['tiny rules', 'User-agent: *\n', 'Allow:/\n'],
  ['tiny rules with a wildcard', 'User-agent: *\n', 'Allow:*x\n'],
  ['rules with many wildcards', 'User-agent: *\n', `Disallow: /${'*a'.repeat(12)}x\n`],
  ['rules that almost match', 'User-agent: *\n', `Disallow: *${'a'.repeat(240)}x\n`],
  ['one rule of wildcards', 'User-agent: *\nDisallow: ', '*'],
  ['one rule of *a', 'User-agent: *\nDisallow: ', '*a'],
  ['one rule of escapes', 'User-agent: *\nDisallow: /', '%61'],
  ['one rule of bytes outside ASCII', 'User-agent: *\nDisallow: /', '\u00e9'],
];

/** The steps for reading a file once, and for matching a target of this length. */
function stepsFor(body: Buffer, targetLength: number): { reading: number; matching: number } {
  const work = { steps: 0 };
  const { forbiddenBy } = parseRobots(body, 'Loopscout', work);
  const reading = work.steps;
  forbiddenBy(`/${'a'.repeat(targetLength - 1)}`);
  return { reading, matching: work.steps - reading };
}

describe('the work for a robots.txt:', () => {
  it.each(WORST)('%s', (_what, start, line) => {
    const body = fileOf(BYTES, start, line);
    for (const targetLength of [14, 500, 4_000]) {
      const { reading, matching } = stepsFor(body, targetLength);
      expect(reading).toBeLessThanOrEqual(body.length);
      // Reading again, and a step for each character of a rule, three for an escaped byte, and each 64 characters of the target.
      expect(matching).toBeLessThanOrEqual(body.length * (1 + 3 * Math.ceil((targetLength + 1) / 64)));
    }
  });

  it.each(WORST)('at most doubles if the file or the target is twice as long: %s', (_what, start, line) => {
    const [half, whole] = [BYTES / 2, BYTES].map((bytes) => fileOf(bytes, start, line));
    const [ofHalf, ofWhole] = [stepsFor(half as Buffer, 640), stepsFor(whole as Buffer, 640)];
    expect(ofWhole.matching / ofHalf.matching).toBeLessThan(2.01);
    expect(stepsFor(whole as Buffer, 1_280).matching / ofWhole.matching).toBeLessThan(2.01);
  });
});
