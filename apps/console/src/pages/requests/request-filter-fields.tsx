import { useTexts } from '../../language/language-context';
import { FilterChoice, FilterDay, FilterText } from '../../lists/filter-fields';
import type { useFilters } from '../../lists/use-filters';
import { requestWords } from '../../requests/texts';
import {
  ageOf,
  dueOf,
  filtersOfAge,
  filtersOfDue,
  filtersOfEnded,
  filtersOfLegalState,
  filtersOfOrder,
  LISTED_STATES,
  type REQUEST_FILTERS,
} from './list-parameters';
import { requestsTexts } from './texts';

type Controls = ReturnType<typeof useFilters<(typeof REQUEST_FILTERS)[number]>>;

export function RequestFilterFields({ filters, set, field }: Controls) {
  const t = useTexts(requestsTexts);
  const words = useTexts(requestWords);
  return (
    <>
      <FilterText label={t.columns.workspace} {...field('workspace')} />
      <FilterText label={t.columns.controller} {...field('controller')} />
      <FilterText label={t.filters.group} {...field('group')} />
      <FilterChoice label={t.columns.status} {...field('status')} choices={Object.entries(words.status)} />
      <FilterChoice label={t.columns.type} {...field('type')} choices={Object.entries(words.type)} />
      <FilterChoice label={t.columns.regulation} {...field('regulation')} choices={Object.entries(words.regulation)} />
      <FilterChoice
        label={t.filters.overdue}
        value={dueOf(filters)}
        onChange={(due) => set(filtersOfDue(due, filters))}
        choices={Object.entries(t.due)}
      />
      <FilterChoice
        label={t.columns.legal}
        value={filters.legal_state}
        onChange={(state) => set(filtersOfLegalState(state))}
        choices={LISTED_STATES.map((state) => [state, words.legal[state]])}
      />
      <FilterChoice label={t.filters.callbacks} {...field('callbacks')} choices={Object.entries(t.callbacks)} />
      <FilterChoice
        label={t.filters.age}
        value={ageOf(filters)}
        onChange={(age) => set(filtersOfAge(age))}
        choices={Object.entries(t.age)}
      />
      <FilterChoice
        label={t.filters.ended}
        value={filters.ended_within}
        onChange={(ended) => set(filtersOfEnded(ended, filters))}
        choices={Object.entries(t.ended)}
      />
      <FilterChoice
        label={t.filters.order}
        value={filters.order}
        onChange={(order) => set(filtersOfOrder(order, filters))}
        choices={Object.entries(t.order)}
      />
      <FilterDay
        label={t.filters.from}
        value={filters.received_from}
        onChange={(from) => set({ received_from: from, received_within: undefined })}
      />
      <FilterDay
        label={t.filters.to}
        value={filters.received_to}
        onChange={(to) => set({ received_to: to, older_than: undefined })}
        isEnd
      />
    </>
  );
}
