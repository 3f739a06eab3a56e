/** A request that changed. */
export interface ChangedRequest {
  readonly ws: string;
  readonly srid: string;
}

/** What one process changed in a second or so. */
export interface Changes {
  readonly requests: readonly ChangedRequest[];
  /** More changed than are named. */
  readonly more: boolean;
}

/** `changes` as JSON: each process reads a batch for some seconds, and what it holds once. */
export interface ChangesDocument {
  readonly _id: string;
  readonly at: Date;
  readonly changes: string;
}

export const changesOf = ({ changes }: Pick<ChangesDocument, 'changes'>): Changes => JSON.parse(changes) as Changes;
