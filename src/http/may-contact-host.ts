import type { Domain } from '../model/domain/domain.ts';

/**
 * Whether a host that the visited one leads to may be asked now. Asked once before it is, so that who hands in domains can not send visit
 * after visit to a host of somebody else's. A host that may not be asked is named in no step.
 */
export type MayAskGuest = (url: URL, visited: Domain) => boolean;

/** Every visit may: guests have places at their addresses, and visits their cadence. */
export const EVERY_GUEST: MayAskGuest = () => true;
