import { InstanceFacts } from '../../model/facts/instance-facts.ts';

const FactSet = InstanceFacts.omit({ usage: true });

/** Facts without their counts, as JSON. Facts are put together in the order of the table, so that equal ones give equal texts. */
export function toFactSetText({ usage: _, ...facts }: InstanceFacts): string {
  return JSON.stringify(facts);
}

/** Reads what {@link toFactSetText} wrote; throws when it is anything else. */
export function readFactSetText(text: string, usage: InstanceFacts['usage']): InstanceFacts {
  return { ...FactSet.parse(JSON.parse(text)), usage };
}
