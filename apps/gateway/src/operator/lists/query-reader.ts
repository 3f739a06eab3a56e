import { parseDurationMs } from '@opendsr-service/config';
import { badRequest, invalid, type Fault } from '@opendsr-service/edge';
import { parseCursor } from './cursor';

/** The length of a page. */
export const PAGE = 50;
export const LARGEST_PAGE = 200;

const MOST_CHARACTERS = 512;
/** A hundred years: before or after now, it is still a date. */
const MOST_DAYS = 36_525;
const DAY_MS = 86_400_000;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)$/;

export type QueryParameters = Readonly<Record<string, unknown>>;

/** Which page of a list. `after`: behind what it goes on; undefined: from its beginning. */
export interface WantedPage<P> {
  readonly limit: number;
  readonly after: P | undefined;
}

type PlaceOf<P> = (parts: readonly string[]) => P | undefined;

/** Reads parameters. `read` must read every one that there may be. Throws a 400 that names every fault. */
export function readQuery<Q>(parameters: QueryParameters, read: (reader: QueryReader) => Q): Q {
  const reader = new QueryReader(parameters);
  const query = read(reader);
  reader.end();
  return query;
}

/** Reads the parameters of a list without filters. */
export const parsePage = <P>(parameters: QueryParameters, list: string, placeOf: PlaceOf<P>): WantedPage<P> =>
  readQuery(parameters, (reader) => reader.page(list, placeOf));

/** Collects the faults of parameters. No message repeats a value. */
export class QueryReader {
  private readonly known = new Set<string>();
  private readonly faults: Fault[] = [];

  constructor(private readonly parameters: QueryParameters) {}

  text(name: string): string | undefined {
    this.known.add(name);
    const value = this.parameters[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS) return value;
    const isLong = typeof value === 'string' && value !== '';
    this.fault(name, isLong ? `must have at most ${MOST_CHARACTERS} characters` : 'must be given once, and not empty');
    return undefined;
  }

  word<W extends string>(name: string, words: readonly W[]): W | undefined {
    const value = this.text(name);
    const known = words.find((word) => word === value);
    if (value !== undefined && known === undefined) this.fault(name, `must be ${words.join(' or ')}`);
    return known;
  }

  matching(name: string, form: RegExp, kind: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || form.test(value.toLowerCase())) return value;
    this.fault(name, `must be ${kind}`);
    return undefined;
  }

  time(name: string): Date | undefined {
    const value = this.text(name);
    const date = value !== undefined && TIME.test(value) ? new Date(value) : undefined;
    if (value === undefined || (date && !Number.isNaN(date.getTime()))) return date;
    this.fault(name, 'must be a time of RFC 3339');
    return undefined;
  }

  /** In milliseconds. */
  duration(name: string): number | undefined {
    const value = this.text(name);
    const ms = value === undefined ? undefined : parseDurationMs(value);
    if (value === undefined || (ms !== undefined && ms <= MOST_DAYS * DAY_MS)) return ms;
    this.fault(name, `must be a duration such as 7d or 48h, of at most ${MOST_DAYS}d`);
    return undefined;
  }

  /** `list` names the list in its cursors, and `placeOf` knows no other parts of a cursor than its own. */
  page<P>(list: string, placeOf: PlaceOf<P>): WantedPage<P> {
    return { limit: this.limit(), after: this.place(list, placeOf) };
  }

  fault(name: string, what: string): void {
    this.faults.push(invalid(`${name} ${what}.`));
  }

  end(): void {
    const unknown = Object.keys(this.parameters).some((name) => !this.known.has(name));
    if (unknown) this.faults.unshift(invalid('There is a parameter that this list does not know.'));
    if (this.faults.length > 0) throw badRequest(this.faults);
  }

  private limit(): number {
    const limit = Number(this.matching('limit', /^\d{1,3}$/, 'a whole number') ?? PAGE);
    if (limit < 1 || limit > LARGEST_PAGE) this.fault('limit', `must be from 1 to ${LARGEST_PAGE}`);
    return limit;
  }

  private place<P>(list: string, placeOf: PlaceOf<P>): P | undefined {
    const cursor = this.text('cursor');
    const place = cursor === undefined ? undefined : placeOf(parseCursor(list, cursor) ?? []);
    if (cursor !== undefined && place === undefined) this.fault('cursor', 'is none of this list');
    return place;
  }
}
