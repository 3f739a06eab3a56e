import { useSearchParams } from 'react-router';
import { filtersIn, withFilters, type Filters } from './address-filters';

export interface FilterField {
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

interface FilterControls<Name extends string> {
  readonly filters: Filters<Name>;
  readonly isFiltered: boolean;
  readonly set: (changes: Readonly<Partial<Record<Name, string | undefined>>>) => void;
  /** What a field of one filter needs. */
  readonly field: (name: Name) => FilterField;
  readonly reset: () => void;
}

/** The filters of a list. They live in the address, so that a link shows the same list. */
export function useFilters<const Name extends string>(names: readonly Name[]): FilterControls<Name> {
  const [parameters, change] = useSearchParams();
  const filters = filtersIn(parameters, names);
  const set = (changes: Readonly<Record<string, string | undefined>>): void =>
    change((before) => withFilters(before, changes), { replace: true });
  return {
    filters,
    isFiltered: Object.keys(filters).length > 0,
    set,
    field: (name) => ({ value: filters[name], onChange: (value) => set({ [name]: value }) }),
    reset: () => set(Object.fromEntries(names.map((name) => [name, undefined]))),
  };
}
