import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Customers, Refused } from './customers';

const email = (value: string) => [
  { identity_type: 'controller_customer_id', identity_value: 'ann@example.com' },
  { identity_type: 'email', identity_value: value },
];

describe('the store of the example participant', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'participant-'));
    file = join(folder, 'customers.json');
    writeFileSync(
      file,
      JSON.stringify({
        customers: [
          { email: 'Bob@example.com' },
          { email: 'eve@example.com', hold: true },
          { email: 'kim@example.com' },
        ],
      }),
    );
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const left = () =>
    (JSON.parse(readFileSync(file, 'utf8')) as { customers: { email: string }[] }).customers.map(
      (customer) => customer.email,
    );

  it('erases by e-mail alone, and a second time changes nothing', () => {
    const customers = new Customers(file);
    for (const address of ['bob@example.com', 'bob@example.com', 'nobody@example.com']) customers.erase(email(address));
    expect(left()).toEqual(['eve@example.com', 'kim@example.com']);
  });

  it('refuses to erase a customer that it must keep, without personal data', () => {
    const customers = new Customers(file);
    expect(() => customers.erase(email('eve@example.com'))).toThrow(Refused);
    expect(() => customers.erase(email('eve@example.com'))).not.toThrow(/eve/);
    expect(left()).toContain('eve@example.com');
  });

  it('hands out a copy of what it holds', () => {
    expect(new Customers(file).export('id', email('kim@example.com'))).toBe(1);
    expect(new Customers(file).export('id', email('nobody@example.com'))).toBe(0);
    expect(JSON.parse(readFileSync(`${file}.id`, 'utf8'))).toEqual([{ email: 'kim@example.com' }]);
  });

  it('remembers across a restart what it has dealt with, and what is still open', () => {
    const before = new Customers(file);
    before.begin('one', { srid: 'one' });
    before.begin('two', { srid: 'two' });
    before.settle('one');
    const after = new Customers(file);
    expect([after.isSettled('one'), after.isSettled('two')]).toEqual([true, false]);
    expect(after.open()).toEqual([{ srid: 'two' }]);
  });
});
