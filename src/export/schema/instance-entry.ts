import { z } from 'zod';
import { InstanceFacts } from '../../record/facts/instance-facts.ts';
import { Via } from '../../record/verdict.ts';
import { noted } from './noted.ts';
import { Time } from './time.ts';

const { shape } = InstanceFacts;
const registration = shape.registration.shape;
const features = shape.features.shape;
const limits = shape.limits.shape;
const usage = shape.usage.shape;
const part = noted(z.number().min(0).max(1), { unit: 'share' });
const share = part.nullable();

/** One listed instance, as published. Types are those of the record; here each field is told to its reader. */
export const InstanceEntry = z
  .object({
    domain: noted(
      z.string().describe('Host name in A-label form, with the port when it is not 443; unique, the sort key.'),
      { source: 'Loopscout' },
    ),
    url: noted(z.string().describe('Origin of the instance: https:// and the domain.'), { source: 'the domain' }),
    name: noted(shape.name.describe('Name the instance gives itself; null when it gives none.'), {
      source: 'config `app.name`, else NodeInfo `metadata.nodeName`',
    }),
    description: noted(
      shape.description.describe('Description the instance gives of itself; null when it gives none.'),
      { source: 'config `app.description`, else NodeInfo `metadata.nodeDescription`' },
    ),
    software: noted(shape.software.describe('Software id, exactly as the instance states it.'), {
      source: 'config `app.software`, else NodeInfo `software.name`',
    }),
    version: noted(shape.version.describe('Software version, as the instance states it; null when it states none.'), {
      source: 'config `app.version`, else NodeInfo `software.version`',
    }),
    via: noted(
      Via.nullable().describe('Probe that identified it: the configuration endpoint or NodeInfo; null when unknown.'),
      {
        source: 'the probe that answered',
      },
    ),
    registration: z
      .object({
        open: noted(registration.open.describe('Whether registration is switched on; null when unknown.'), {
          source: 'config `registration`, else NodeInfo `openRegistrations`',
        }),
        mode: noted(
          registration.mode.describe(
            'Registration mode in the words of the instance, independent of `open`; null when unknown.',
          ),
          { source: 'config `registration_mode`' },
        ),
      })
      .describe('Who can join.'),
    federation: noted(shape.federation.describe('Whether federation is switched on; null when unknown.'), {
      source: 'config `federation`',
    }),
    features: z
      .object({
        forYouFeed: noted(features.forYouFeed.describe('Whether a "for you" feed is offered; null when unknown.'), {
          source: 'config `fyf`',
        }),
        pushNotifications: noted(
          features.pushNotifications.describe('Whether push notifications are offered; null when unknown.'),
          { source: 'config `pushNotifications`' },
        ),
        starterKits: noted(features.starterKits.describe('Whether starter kits are offered; null when unknown.'), {
          source: 'config `starterKits`',
        }),
        atomFeeds: noted(features.atomFeeds.describe('Whether Atom feeds are offered; null when unknown.'), {
          source: 'config `atomFeeds`',
        }),
        gifProvider: noted(features.gifProvider.describe('Whether a GIF provider is set up; null when unknown.'), {
          source: 'config `hasGifProvider`, else its earlier name with a brand in it, `hasKlipy`',
        }),
      })
      .describe('What the instance offers.'),
    limits: z
      .object({
        maxVideoSizeMB: noted(
          limits.maxVideoSizeMB.describe('Largest video accepted, in megabytes; null when unknown.'),
          { unit: 'MB', source: 'config `media.max_video_size`' },
        ),
        maxVideoDurationSeconds: noted(
          limits.maxVideoDurationSeconds.describe('Longest video accepted, in seconds; null when unknown.'),
          { unit: 's', source: 'config `media.max_video_duration`' },
        ),
        videoFormats: noted(
          limits.videoFormats.describe('Video formats accepted, in the words of the instance; null when unknown.'),
          { source: 'config `media.allowed_video_formats`' },
        ),
        maxBioLength: noted(
          limits.maxBioLength.describe('Longest profile text accepted, in characters; null when unknown.'),
          { unit: 'characters', source: 'config `account.max_bio_length`' },
        ),
      })
      .describe('What the instance allows.'),
    usage: noted(
      z
        .object({
          users: noted(usage.users.describe('Accounts, as the instance reports them; null when unknown.'), {
            unit: 'accounts',
          }),
          activeMonth: noted(
            usage.activeMonth.describe('Accounts active in the last 30 days, as reported; null when unknown.'),
            { unit: 'accounts' },
          ),
          activeHalfyear: noted(
            usage.activeHalfyear.describe('Accounts active in the last 180 days, as reported; null when unknown.'),
            { unit: 'accounts' },
          ),
          posts: noted(usage.posts.describe('Local posts, as the instance reports them; null when unknown.'), {
            unit: 'posts',
          }),
          asOf: noted(Time.nullable().describe('When these counts were read; null when they never were.'), {
            source: 'Loopscout',
          }),
        })
        .describe('How much the instance is used, by its own account.'),
      { source: 'NodeInfo `usage`' },
    ),
    status: noted(
      z
        .enum(['up', 'down'])
        .describe(
          '`down` when the last visit failed, or its name leads to an address that is not public; the facts are then the last good ones.',
        ),
      { source: 'Loopscout' },
    ),
    uptime: noted(
      z
        .object({
          day: share.describe(
            'Of the watched part of the last 24 hours, 0 to 1, to four digits; null when less than half was watched.',
          ),
          week: share.describe('The same of the last 7 days; null when less than half was watched.'),
          month: share.describe('The same of the last 30 days; null when less than half was watched.'),
          coverage: z
            .object({
              day: part.describe('Of the last 24 hours.'),
              week: part.describe('Of the last 7 days.'),
              month: part.describe('Of the last 30 days.'),
            })
            .describe(
              'The part of each time that was watched, 0 to 1: a visit vouches until the next one, or until a tenth after the time planned for that; two days at most when it succeeded, 30 when it failed.',
            ),
        })
        .describe('How much of the time the instance was up, as far as it was watched.'),
      { source: 'visits', unit: 'share' },
    ),
    flags: noted(shape.flags.describe('What is odd about the instance; empty when nothing is.'), {
      source: 'Loopscout, by rules with names',
    }),
    firstSeen: noted(Time.describe('When the domain first became known.'), { source: 'Loopscout' }),
    lastSeen: noted(Time.nullable().describe('The last successful visit; null when there was none.'), {
      source: 'Loopscout',
    }),
    checkedAt: noted(Time.describe('When the facts of this entry were read.'), { source: 'Loopscout' }),
  })
  .describe('A Loops instance that is listed.');
noted(InstanceEntry, { source: 'Loopscout' });
export type InstanceEntry = z.infer<typeof InstanceEntry>;
