import type { Request } from 'playwright-core';
import { FULL } from './full';

/** A list that goes on for as long as it is read: pages as the service answers them. */
export const LONG = {
  rows: 100,
  pagesRead: FULL ? 12 : 3,
  idOf: (at: number): string => `00000000-0000-4000-a000-${String(at).padStart(12, '0')}`,
} as const;

/** The page that a call asks for. */
export function longListPage(request: Request): object {
  const first = Number(new URL(request.url()).searchParams.get('cursor') ?? '0');
  const requests = Array.from({ length: LONG.rows }, (_, at) => ({
    ...{ workspace: 'sandbox', controller_id: 'sandbox', subject_request_id: LONG.idOf(first + at) },
    ...{
      subject_request_type: 'access',
      request_status: 'completed',
      regulation: 'gdpr',
      extended: false,
      callbacks_failing: false,
    },
    ...{ received_time: '2026-11-25T12:00:00.000Z', ended_time: '2026-11-25T12:00:00.000Z' },
    ...{ legal_due_time: null, legal_state: null, expected_completion_time: null },
  }));
  return { requests, next_cursor: String(first + LONG.rows) };
}
