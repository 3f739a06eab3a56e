import { PublishRefused } from '@opendsr-service/messaging';
import { ConfigurationError, isAway, lackIn } from '@opendsr-service/runtime';
import { EXIT } from './command';
import { UsageError } from './options';

/** Why a command came to nothing: for people, and for whatever called it. */
export interface Refusal {
  readonly code: number;
  readonly lines: readonly string[];
}

const SERVERS: readonly (string | undefined)[] = ['Kafka', 'MongoDB'];

/** What an error of a command means. Nothing of a driver's own words is told of a server that is away: they hold addresses. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof UsageError) return { code: EXIT.usage, lines: [error.message] };
  if (error instanceof ConfigurationError) return { code: EXIT.failed, lines: error.faults };
  const lack = lackIn(error);
  if (lack && SERVERS.includes(lack.what)) return { code: EXIT.away, lines: [`${lack.what}: ${lack.why}`] };
  return { code: passes(error) ? EXIT.away : EXIT.failed, lines: [error instanceof Error ? (error.message.split('\n', 1)[0] || error.name) : 'failed'] };
}

/** Whether it may succeed later as it is. That a topic does not exist, or a record is too large, passes by no waiting. */
const passes = (error: unknown): boolean => (error instanceof PublishRefused ? error.reason === 'away' || error.reason === 'full' : isAway(error));
