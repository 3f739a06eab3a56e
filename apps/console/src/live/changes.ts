import type { components } from '../api/operator';

/** A request that changed. */
export interface Changed {
  readonly workspace: string;
  readonly subject_request_id: string;
}

interface ChangeMessage {
  readonly requests: readonly Changed[];
  /** Whether others changed too that are not named. */
  readonly more: boolean;
}

type Summary = components['schemas']['OperatorRequest'];

/** Reads a message of the stream; undefined for anything else. */
export function readChange(text: string): ChangeMessage | undefined {
  try {
    const { requests, more } = JSON.parse(text) as Partial<ChangeMessage>;
    return Array.isArray(requests) ? { requests, more: more === true } : undefined;
  } catch {
    return undefined;
  }
}

export const keyOfChanged = ({ workspace, subject_request_id: id }: Changed): string =>
  `${workspace}:${id.toLowerCase()}`;

/** Collects what changed until it is taken; an id counts once. */
export class ChangedRequests {
  private readonly changed = new Map<string, Changed>();

  add(requests: readonly Changed[]): void {
    for (const request of requests) this.changed.set(keyOfChanged(request), request);
  }

  take(): readonly Changed[] {
    const taken = [...this.changed.values()];
    this.changed.clear();
    return taken;
  }
}

/** The pages of a list with newer rows in the place of those that they replace. Pages without one stay the same objects. */
export const withNewer = <Page extends { readonly rows: readonly Summary[] }>(
  pages: readonly Page[],
  newer: ReadonlyMap<string, Summary>,
): Page[] =>
  pages.map((page) =>
    page.rows.some((row) => newer.has(keyOfChanged(row)))
      ? { ...page, rows: page.rows.map((row) => newer.get(keyOfChanged(row)) ?? row) }
      : page,
  );
