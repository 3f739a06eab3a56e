import type { CallbackBody, Check, ValidVerdict } from '@opendsr-service/client';
import { onOneLine } from '../on-one-line';

const LABEL_CHARS = 13;
const SHOWN_TOKEN_CHARS = 6;

export const line = (label: string, value: string): string => `  ${label.padEnd(LABEL_CHARS)}  ${onOneLine(value)}`;

/** The lines of a verified callback. Its results link grants access, so it is cut short. */
export function callbackLines({ callback, domain, version }: ValidVerdict): string[] {
  return [
    line('status', callback.request_status),
    line('request', callback.subject_request_id),
    line('from', `${domain}, version ${version}`),
    ...(callback.results_url ? [line('results', withoutToken(callback.results_url))] : []),
    ...reportLines(callback),
  ];
}

const reportLines = ({ extensions }: CallbackBody): string[] =>
  Array.isArray(extensions)
    ? extensions.map(({ domain, status }: { readonly domain: string; readonly status: string }) =>
        line('participant', `${domain} ${status}`),
      )
    : [];

export const checkLines = (checks: readonly Check<string>[]): string[] => checks.map(checkLine);

const checkLine = ({ check, passed, detail }: Check<string>): string =>
  `  ${passed ? '✓' : '✗'} ${check.padEnd(LABEL_CHARS - 2)}  ${onOneLine(detail)}`;

function withoutToken(link: string): string {
  const at = link.lastIndexOf('/') + 1;
  return `${link.slice(0, at)}${link.slice(at, at + SHOWN_TOKEN_CHARS)}…`;
}
