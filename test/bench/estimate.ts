/**
 * How often the interval of the population estimate holds the truth. Run alone: node test/bench/estimate.ts [DRAWS, default 200]
 * Fleets of known size, listed by independent, overlapping and dependent sources; each is drawn anew for every seed.
 */
import {
  copyingFleets,
  type Fleet,
  independentFleets,
  overlappingFleets,
  sharingFleets,
} from '../export/population/fleets.ts';
import { surveyFleet } from '../export/population/survey-fleet.ts';

const draws = Number(process.argv[2] ?? 200);
const say = (line: string) => process.stdout.write(`${line}\n`);

const table: readonly (readonly [string, readonly Fleet[]])[] = [
  ['independent sources', independentFleets],
  ['overlapping: some instances are on more lists than others', overlappingFleets],
  ['dependent: a source copies another', copyingFleets],
  ['dependent: sources share the instances out', sharingFleets],
];
say(`${draws} draws each; medians as parts of the true size`);
for (const [title, fleets] of table) {
  say(`\n${title}`);
  say('  fleet                        size  interval  Chao2   too    too    sources    known  estimate  low    high');
  say('                                     holds it  would  high   low    disagree');
  for (const fleet of fleets) {
    const { held, heldByChao2, above, below, doubted, known, estimate, low, high } = surveyFleet(fleet, draws);
    const share = (count: number) => `${((count / draws) * 100).toFixed(1)}%`.padEnd(7);
    const part = (value: number) => value.toFixed(2).padEnd(7);
    say(
      `  ${fleet.name.padEnd(28)} ${String(fleet.size).padEnd(5)} ${share(held)}   ${share(heldByChao2)} ${share(above)}${share(below)}${share(doubted)}      ${part(known)}${part(estimate)}   ${part(low)}${part(high)}`,
    );
  }
}
