import type { Rule } from '../rule.ts';
import { federationActor } from './federation/federation-actor.ts';
import { federationActorDocument } from './federation/federation-actor-document.ts';
import { federationWebfinger } from './federation/federation-webfinger.ts';
import { federationWebfingerUnknown } from './federation/federation-webfinger-unknown.ts';

/** The rules of federation, in the order of a report. */
export const federationRules: readonly Rule[] = [
  federationWebfinger,
  federationWebfingerUnknown,
  federationActor,
  federationActorDocument,
];
