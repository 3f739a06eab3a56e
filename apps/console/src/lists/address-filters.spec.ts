import { filtersIn, withFilters } from './address-filters';

const NAMES = ['workspace', 'status'] as const;
const of = (text: string) => new URLSearchParams(text);

it('reads the filters that it knows, without empty ones', () => {
  expect(filtersIn(of('workspace=acme&status=&theme=dark'), NAMES)).toEqual({ workspace: 'acme' });
  expect(filtersIn(of('workspace=%20acme%20'), NAMES)).toEqual({ workspace: 'acme' });
});

it('sets and removes filters, and leaves what is not its own', () => {
  const address = of('a=1&status=pending');
  expect(withFilters(address, { status: ' completed ' }).toString()).toBe('a=1&status=completed');
  expect(withFilters(address, { status: '  ', workspace: 'x' }).toString()).toBe('a=1&workspace=x');
  expect(withFilters(address, { status: undefined }).toString()).toBe('a=1');
});

it('brings any text back unchanged', () => {
  const text = `"><script>alert(1)</script>&status=x`;
  expect(filtersIn(withFilters(of(''), { workspace: text }), NAMES)).toEqual({ workspace: text });
});
