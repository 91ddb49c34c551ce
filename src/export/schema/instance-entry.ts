import { z } from 'zod';
import { InstanceFacts } from '../../record/instance.ts';
import { Via } from '../../record/verdict.ts';
import { Time } from './time.ts';

const { shape } = InstanceFacts;
const registration = shape.registration.shape;
const features = shape.features.shape;
const limits = shape.limits.shape;
const usage = shape.usage.shape;
const share = z.number().min(0).max(1).nullable();

/** One listed instance, as published. Types are those of the record; here each field is told to its reader. */
export const InstanceEntry = z
  .object({
    domain: z.string().describe('Host name in A-label form, with the port when it is not 443; unique, the sort key.'),
    url: z.string().describe('Origin of the instance: https:// and the domain.'),
    name: shape.name.describe('Name the instance gives itself; null when it gives none.'),
    description: shape.description.describe('Description the instance gives of itself; null when it gives none.'),
    software: shape.software.describe('Software id, exactly as the instance states it.'),
    version: shape.version.describe('Software version, as the instance states it; null when it states none.'),
    via: Via.nullable().describe('Probe that identified it: the configuration endpoint or NodeInfo.'),
    registration: z
      .object({
        open: registration.open.describe('Whether registration is switched on; null when unknown.'),
        mode: registration.mode.describe(
          'Registration mode in the words of the instance, independent of `open`; null when unknown.',
        ),
      })
      .describe('Who can join.'),
    federation: shape.federation.describe('Whether federation is switched on; null when unknown.'),
    features: z
      .object({
        forYouFeed: features.forYouFeed.describe('Whether a "for you" feed is offered; null when unknown.'),
        pushNotifications: features.pushNotifications.describe(
          'Whether push notifications are offered; null when unknown.',
        ),
        starterKits: features.starterKits.describe('Whether starter kits are offered; null when unknown.'),
        atomFeeds: features.atomFeeds.describe('Whether Atom feeds are offered; null when unknown.'),
        gifProvider: features.gifProvider.describe('Whether a GIF provider is set up; null when unknown.'),
      })
      .describe('What the instance offers.'),
    limits: z
      .object({
        maxVideoSizeMB: limits.maxVideoSizeMB.describe('Largest video accepted, in megabytes; null when unknown.'),
        maxVideoDurationSeconds: limits.maxVideoDurationSeconds.describe(
          'Longest video accepted, in seconds; null when unknown.',
        ),
        videoFormats: limits.videoFormats.describe(
          'Video formats accepted, in the words of the instance; null when unknown.',
        ),
        maxBioLength: limits.maxBioLength.describe('Longest profile text accepted, in characters; null when unknown.'),
      })
      .describe('What the instance allows.'),
    usage: z
      .object({
        users: usage.users.describe('Accounts, as the instance reports them; null when unknown.'),
        activeMonth: usage.activeMonth.describe('Accounts active in the last 30 days, as reported; null when unknown.'),
        activeHalfyear: usage.activeHalfyear.describe(
          'Accounts active in the last 180 days, as reported; null when unknown.',
        ),
        posts: usage.posts.describe('Local posts, as the instance reports them; null when unknown.'),
        asOf: Time.nullable().describe('When these counts were read; null when they never were.'),
      })
      .describe('How much the instance is used, by its own account.'),
    status: z
      .enum(['up', 'down'])
      .describe('`down` when the last visit failed; the facts are then the last good ones.'),
    uptime: z
      .object({
        day: share.describe('Share of visits that succeeded in the last day, 0 to 1; null when unknown.'),
        week: share.describe('Share of visits that succeeded in the last 7 days, 0 to 1; null when unknown.'),
        month: share.describe('Share of visits that succeeded in the last 30 days, 0 to 1; null when unknown.'),
      })
      .describe('How often the instance answered.'),
    flags: shape.flags.describe('What is odd about the instance; empty when nothing is.'),
    firstSeen: Time.describe('When the domain first became known.'),
    lastSeen: Time.nullable().describe('The last successful visit; null when there was none.'),
    checkedAt: Time.describe('When the facts of this entry were read.'),
  })
  .describe('A Loops instance that is listed.');
export type InstanceEntry = z.infer<typeof InstanceEntry>;
