import {
  ageOf,
  filtersOfAge,
  filtersOfDue,
  filtersOfEnded,
  filtersOfLegalState,
  filtersOfOrder,
  type RequestFilters,
} from './list-parameters';

it.each(['24h', '7d', 'over 30d'])('brings the age %j back, and takes away what does not go with it', (age) => {
  const filters = filtersOfAge(age);
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  expect([ageOf(given), Object.keys(given).length]).toEqual([age, 1]);
  expect(Object.keys(filters)).toEqual(expect.arrayContaining(['received_from', 'received_to']));
});

it('leaves the days alone where no age is chosen', () => {
  expect(filtersOfAge(undefined)).toEqual({ received_within: undefined, older_than: undefined });
  expect(ageOf({})).toBeUndefined();
});

const CHOICES: Readonly<Record<string, (filters: RequestFilters) => Readonly<Record<string, string | undefined>>>> = {
  overdue: (filters) => filtersOfDue('overdue', filters),
  'due within a day': (filters) => filtersOfDue('1d', filters),
  'at risk': () => filtersOfLegalState('at_risk'),
  missed: () => filtersOfLegalState('missed'),
  'ended within a day': (filters) => filtersOfEnded('24h', filters),
  'newest first': (filters) => filtersOfOrder('received', filters),
  'by legal date': (filters) => filtersOfOrder('due', filters),
  'last ended first': (filters) => filtersOfOrder('ended', filters),
};

/** What the API says of the order, and that what is overdue is not at risk. */
function isAccepted({ overdue, due_within, legal_state, ended_within, order }: RequestFilters): boolean {
  const isMissed = legal_state === 'missed';
  const isByDue = [overdue, due_within, isMissed ? undefined : legal_state].some((one) => one !== undefined);
  const orders = [order, isByDue ? 'due' : undefined, (isMissed || ended_within) && 'ended'].filter(Boolean);
  return new Set(orders).size <= 1 && !(overdue === 'true' && (due_within ?? legal_state) !== undefined);
}

it.each(Object.keys(CHOICES).flatMap((one) => Object.keys(CHOICES).map((other) => [one, other] as const)))(
  'gives filters that go together after %j, then %j',
  (one, other) => {
    const first = CHOICES[one]?.({}) ?? {};
    const then = CHOICES[other]?.(first) ?? {};
    const both: RequestFilters = { ...first, ...then };
    expect([both, isAccepted(both)]).toEqual([expect.objectContaining(then), true]);
  },
);

it('lets what missed its legal date be asked of a time', () => {
  const missed = filtersOfLegalState('missed');
  expect(filtersOfEnded('30d', missed)).not.toHaveProperty('legal_state');
  expect(filtersOfOrder('ended', missed)).not.toHaveProperty('legal_state');
  expect(missed).not.toHaveProperty('ended_within');
});

it('takes nothing else away where a choice is taken back', () => {
  expect([filtersOfDue(undefined, {}), filtersOfLegalState(undefined), filtersOfEnded(undefined, {})]).toEqual([
    { overdue: undefined, due_within: undefined },
    { legal_state: undefined },
    { ended_within: undefined },
  ]);
  expect(filtersOfOrder(undefined, {})).toEqual({ order: undefined });
});
