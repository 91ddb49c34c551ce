import type { Filter } from '../../directory/browse/choice.ts';
import { DAY_MS } from '../../model/time.ts';
import type { Words } from '../site.ts';

/** The name of a filter inside its group. */
export function optionName(filter: Filter, { directory, format }: Words): string {
  switch (filter.key) {
    case 'registration':
      return directory.registration[filter.value];
    case 'standing':
      return directory.standing[filter.value];
    case 'feature':
      return directory.features[filter.value];
    case 'status':
      return directory.status[filter.value];
    case 'country':
      return format.country(filter.value);
    case 'maxVideoSizeMB.min':
      return format.megabytes(filter.value);
    case 'maxVideoDurationSeconds.min':
      return format.duration(filter.value);
    case 'ageDays.min':
      return format.age(filter.value * DAY_MS);
    case 'growth.min':
      return format.signed(filter.value);
    default:
      return filter.value;
  }
}

/** The name of a filter outside its group. */
export function filterName(filter: Filter, words: Words): string {
  const { directory } = words;
  switch (filter.key) {
    case 'q':
      return directory.results.searched(filter.value);
    case 'registration':
      return directory.registrationFilter[filter.value];
    case 'standing':
      return directory.standingFilter[filter.value];
    case 'status':
      return directory.statusFilter[filter.value];
    case 'version':
      return directory.version(filter.value);
    case 'feature':
    case 'country':
    case 'network':
      return optionName(filter, words);
    default:
      return directory.atLeast[filter.key](optionName(filter, words));
  }
}
