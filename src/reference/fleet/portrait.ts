import { createHash } from 'node:crypto';

/** What the servers of a fleet are called and say of themselves: each is for a place and a subject. */
const PLACES = [
  ...['Harbour', 'Old Town', 'Lakeside', 'Northern', 'Hillside', 'Riverbank', 'Island', 'Valley', 'Coast', 'Market'],
  ...['Garden', 'Station', 'Bridge', 'Campus', 'Village', 'Mountain'],
];
const SUBJECTS = [
  ['Clips', 'Short videos by people who live here. Be kind, credit others, and no advertising.'],
  ['Loops', 'A small server, run by volunteers and paid for by its members.'],
  ['Kitchen', 'Recipes in a minute: cooking, baking, and what went wrong.'],
  ['Skaters', 'Tricks, falls and spots. Newcomers are welcome.'],
  ['Music', 'Songs, rehearsals and street music, all recorded by those who play.'],
  ['Crafts', 'Wood, wool, clay and metal: how things are made and mended.'],
  ['Wildlife', 'Birds, foxes and the odd hedgehog, filmed without disturbing them.'],
  ['Trains', 'Everything on rails, from trams to night trains.'],
  ['Film Club', 'Short films and animation; we talk about them on Thursdays.'],
  ['Classroom', 'Teachers and pupils explain one thing in a minute.'],
  ['Cats', 'Cats. Dogs by invitation.'],
  ['Makers', 'Electronics, printing and code, with the mistakes left in.'],
] as const;

/** The name and description of a host: the same for the same host, and drawn from no random numbers, whose order the fleet promises. */
export function portraitOf(host: string): { name: string; description: string } {
  const hash = createHash('sha256').update(host).digest().readUInt32BE(0);
  const [subject, description] = SUBJECTS[hash % SUBJECTS.length] ?? SUBJECTS[0];
  const place = PLACES[Math.floor(hash / SUBJECTS.length) % PLACES.length] ?? '';
  return { name: `${place} ${subject}`, description };
}
