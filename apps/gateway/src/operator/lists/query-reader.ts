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

/** Collects the faults of parameters. No message repeats a value. */
export class QueryReader {
  private readonly faults: Fault[] = [];

  /** `names`: the parameters that the list knows. */
  constructor(
    private readonly parameters: Readonly<Record<string, unknown>>,
    names: readonly string[],
  ) {
    if (Object.keys(parameters).some((name) => !names.includes(name)))
      this.faults.push(invalid('There is a parameter that this list does not know.'));
  }

  text(name: string): string | undefined {
    const value = this.parameters[name];
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS) return value;
    this.fault(name, `must be given once, with 1 to ${MOST_CHARACTERS} characters`);
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

  /** How many a page has. */
  limit(): number {
    const limit = Number(this.matching('limit', /^\d{1,3}$/, 'a whole number') ?? PAGE);
    if (limit < 1 || limit > LARGEST_PAGE) this.fault('limit', `must be from 1 to ${LARGEST_PAGE}`);
    return limit;
  }

  /** Behind what a list goes on; undefined: from its beginning. `placeOf` knows no other parts than its own. */
  place<P>(list: string, placeOf: (parts: readonly string[]) => P | undefined): P | undefined {
    const cursor = this.text('cursor');
    const place = cursor === undefined ? undefined : placeOf(parseCursor(list, cursor) ?? []);
    if (cursor !== undefined && place === undefined) this.fault('cursor', 'is none of this list');
    return place;
  }

  fault(name: string, what: string): void {
    this.faults.push(invalid(`${name} ${what}.`));
  }

  end(): void {
    if (this.faults.length > 0) throw badRequest(this.faults);
  }
}
