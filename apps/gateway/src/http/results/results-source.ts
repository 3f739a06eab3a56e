import type { Readable } from 'node:stream';

export type ResultsAnswer =
  | { readonly status: 200; readonly stream: Readable; readonly bytes: number }
  | { readonly status: 404 }
  | { readonly status: 410 };

/** The results service, over HTTP or in the same process. */
export interface ResultsSource {
  open(token: string): Promise<ResultsAnswer>;
}
