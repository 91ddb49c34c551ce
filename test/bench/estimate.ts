/**
 * How often the interval of the population estimate holds the truth. Run alone: node test/bench/estimate.ts [DRAWS, default 200]
 * Fleets of known size, listed by independent, overlapping and dependent sources; each is drawn anew for every seed.
 */
import {
  completeFleets,
  copyingFleets,
  type Fleet,
  independentFleets,
  mixedFleets,
  overlappingFleets,
  sharingFleets,
  sparseFleets,
  tinyFleets,
  vagueFleets,
} from '../export/population/fleets.ts';
import { surveyFleet } from '../export/population/survey-fleet.ts';

const draws = Number(process.argv[2] ?? 200);
const say = (line: string) => process.stdout.write(`${line}\n`);

const table: readonly (readonly [string, readonly Fleet[]])[] = [
  ['independent sources', independentFleets],
  ['overlapping: some instances are on more lists than others', overlappingFleets],
  ['tiny: few instances, on most lists', tinyFleets],
  ['complete: sources that know nearly all', completeFleets],
  ['sparse: hardly any on two lists', sparseFleets],
  ['dependent: a source copies another, or a part of it', copyingFleets],
  ['the same, with too little to tell', vagueFleets],
  ['dependent: a source copies a part of another and has its own', mixedFleets],
  ['dependent: sources share the instances out', sharingFleets],
];
say(`${draws} draws each; medians as parts of the true size`);
for (const [title, fleets] of table) {
  say(`\n${title}`);
  say(
    '  fleet                              size  told   interval  Chao2  too    too    warned missed   taken  known  estimate  low    high',
  );
  say('                                                  holds it  would  high   low           unwarned as one');
  for (const fleet of fleets) {
    const survey = surveyFleet(fleet, draws);
    const { untold, held, heldByChao2, above, below, warned, missedUnwarned, merged, known, estimate, low, high } =
      survey;
    const share = (count: number, width = 7) => `${((count / draws) * 100).toFixed(1)}%`.padEnd(width);
    const part = (value: number, width = 7) => value.toFixed(2).padEnd(width);
    const shares = `${share(draws - untold)}${share(held, 10)}${share(heldByChao2)}${share(above)}${share(below)}`;
    const doubts = `${share(warned)}${share(missedUnwarned, 9)}${share(merged)}`;
    const medians = `${part(known)}${part(estimate, 10)}${part(low)}${part(high)}`;
    say(`  ${fleet.name.padEnd(34)} ${String(fleet.size).padEnd(5)} ${shares}${doubts}${medians}`);
  }
}
