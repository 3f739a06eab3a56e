import type { Readable } from 'node:stream';

/** What the results service answers for a link: the archive, or why there is none. */
export type ResultsAnswer =
  | { readonly status: 200; readonly stream: Readable; readonly bytes: number }
  | { readonly status: 404 }
  | { readonly status: 410 };

/** Where the gateway gets archives from: the results service over HTTP, or the one in the same process. */
export interface ResultsSource {
  open(token: string): Promise<ResultsAnswer>;
}
