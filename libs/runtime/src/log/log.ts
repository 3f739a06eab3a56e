import { type DestinationStream, pino } from 'pino';
import { errorFacts } from './error-facts';

/** The only fields that a line may carry: none of them can hold an identity, a body or a header. */
const fieldNames = [
  'adminPort', 'ageMs', 'attempt', 'cidrs', 'client', 'code', 'count', 'durationMs', 'eventId', 'eventType', 'for', 'generation', 'group', 'host', 'hosts', 'lag',
  'limitMs', 'memberId', 'method', 'mode', 'offset', 'partition', 'poller', 'port', 'ports', 'profile', 'reason', 'records', 'requestId', 'route',
  'seconds', 'seq', 'settled', 'signal', 'source', 'srid', 'status', 'step', 'stuck', 'topic', 'version', 'waitMs', 'ws',
] as const;

type FieldName = (typeof fieldNames)[number];
export type LogFields = Readonly<Partial<Record<FieldName, string | number | boolean | bigint | undefined>> & { error?: unknown }>;

/** Writes JSON lines. The message is a fixed text; what differs goes into fields, and fields that are not known are dropped. */
export interface Log {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  fatal(fields: LogFields, message: string): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
const longestText = 200;

// Who has only the name of an error at hand gives that.
const isErrorName = (value: unknown): value is string => typeof value === 'string' && /^[A-Z][a-z]*[A-Z]\w{2,60}$/.test(value);

function allowed(fields: LogFields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of fieldNames) {
    const value = fields[name];
    if (typeof value === 'string') kept[name] = value.slice(0, longestText);
    else if (typeof value === 'bigint') kept[name] = value.toString();
    else if (typeof value === 'number' || typeof value === 'boolean') kept[name] = value;
  }
  if (fields.error !== undefined) kept.error = isErrorName(fields.error) ? { name: fields.error } : errorFacts(fields.error);
  return kept;
}

/** Opens the log of a process: JSON lines on stdout, written at once so that none is lost when it exits. */
export function createLog(app: string, level: LogLevel = 'info', out: DestinationStream = pino.destination({ fd: 1, sync: true })): Log {
  const lines = pino({ level, base: { app }, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } }, out);
  const at = (name: LogLevel | 'fatal') => (fields: LogFields, message: string) => {
    if (lines.isLevelEnabled(name)) lines[name](allowed(fields), message);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), fatal: at('fatal') };
}
