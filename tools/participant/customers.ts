import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Identity } from './identities';

interface Customer {
  readonly email: string;
  /** Something that keeps us from erasing this customer for now, such as an open invoice. */
  readonly hold?: boolean;
}

interface Kept {
  readonly customers: Customer[];
  /** Requests that wait for us still. */
  readonly open: Record<string, unknown>;
  /** Requests that we have reported about, once and for all. */
  readonly settled: string[];
}

/** Our own rules forbid it for now; the message may be shown to controllers. */
export class Refused extends Error {}

/** The system of a downstream team, as small as it gets: its customers, and which requests it has dealt with, in one JSON file. */
export class Customers {
  constructor(private readonly file: string) {}

  /** Erases the customers with one of these e-mail addresses. Throws Refused. */
  erase(identities: readonly Identity[]): void {
    const kept = this.read();
    const found = matches(kept, identities);
    if (found.some(({ hold }) => hold)) throw new Refused('An open invoice forbids it for now; it is tried again.');
    this.write({ ...kept, customers: kept.customers.filter((customer) => !found.includes(customer)) });
  }

  /** Writes a copy of the data into a file beside the store. Returns the number of people. */
  export(srid: string, identities: readonly Identity[]): number {
    const found = matches(this.read(), identities);
    if (found.length > 0) writeFileSync(`${this.file}.${srid}`, JSON.stringify(found), { mode: 0o600 });
    return found.length;
  }

  isSettled(srid: string): boolean {
    return this.read().settled.includes(srid);
  }

  begin(srid: string, request: object): void {
    const kept = this.read();
    this.write({ ...kept, open: { ...kept.open, [srid]: request } });
  }

  settle(srid: string): void {
    const { open, settled, ...rest } = this.read();
    const others = Object.fromEntries(Object.entries(open).filter(([id]) => id !== srid));
    this.write({ ...rest, open: others, settled: [...new Set([...settled, srid])] });
  }

  open<T>(): readonly T[] {
    return Object.values(this.read().open) as T[];
  }

  private read(): Kept {
    const kept = existsSync(this.file) ? (JSON.parse(readFileSync(this.file, 'utf8')) as Partial<Kept>) : {};
    return { customers: [], open: {}, settled: [], ...kept };
  }

  /** A crash leaves the old file or the new one, never half of either. */
  private write(kept: Kept): void {
    writeFileSync(`${this.file}.new`, JSON.stringify(kept, undefined, 2), { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

/** E-mail addresses come in small letters, as the service compares them. */
function matches({ customers }: Kept, identities: readonly Identity[]): Customer[] {
  const emails = new Set(
    identities.filter(({ identity_type: type }) => type === 'email').map(({ identity_value: value }) => value),
  );
  return customers.filter(({ email }) => emails.has(email.toLowerCase()));
}
