import { useSearchParams } from 'react-router';
import { filtersIn, withFilters, withoutFilters, type Filters } from './address-filters';

interface FilterControls<Name extends string> {
  readonly filters: Filters<Name>;
  readonly isFiltered: boolean;
  readonly set: (changes: Readonly<Partial<Record<Name, string | undefined>>>) => void;
  readonly reset: () => void;
}

/** The filters of a list. They live in the address, so that a link shows the same list. */
export function useFilters<const Name extends string>(names: readonly Name[]): FilterControls<Name> {
  const [parameters, change] = useSearchParams();
  const filters = filtersIn(parameters, names);
  return {
    filters,
    isFiltered: Object.keys(filters).length > 0,
    set: (changes) => change((before) => withFilters(before, changes), { replace: true }),
    reset: () => change((before) => withoutFilters(before, names), { replace: true }),
  };
}
