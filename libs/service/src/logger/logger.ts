import { ErrorSummary } from '@opendsr-service/messaging';
import { trace } from '@opentelemetry/api';
import { type DestinationStream, pino } from 'pino';

/** The only fields of a log line: none can hold an identity, a body or a header. */
const fieldNames = [
  'adminPort',
  'ageMs',
  'attempt',
  'cidrs',
  'client',
  'code',
  'count',
  'delivery',
  'durationMs',
  'eventId',
  'eventType',
  'for',
  'generation',
  'group',
  'host',
  'hosts',
  'lag',
  'limitMs',
  'memberId',
  'method',
  'mode',
  'offset',
  'participant',
  'partition',
  'poller',
  'port',
  'ports',
  'profile',
  'reason',
  'records',
  'requestId',
  'requestStatus',
  'requestType',
  'route',
  'seconds',
  'seq',
  'settled',
  'signal',
  'source',
  'spanId',
  'srid',
  'status',
  'step',
  'stuck',
  'topic',
  'traceId',
  'version',
  'waitMs',
  'ws',
] as const;

type FieldName = (typeof fieldNames)[number];
const isField: ReadonlySet<string> = new Set(fieldNames);
export type LogFields = Readonly<
  Partial<Record<FieldName, string | number | boolean | bigint | undefined>> & { error?: unknown }
>;

/** Writes JSON lines. The message is a fixed text; values go into fields, and unknown fields are dropped. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  fatal(fields: LogFields, message: string): void;
}

type LogLevel = 'debug' | 'info' | 'warn' | 'error';
const longestText = 200;

function allowed(fields: LogFields): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (!isField.has(name)) continue;
    if (typeof value === 'string') kept[name] = value.slice(0, longestText);
    else if (typeof value === 'bigint') kept[name] = value.toString();
    else if (typeof value === 'number' || typeof value === 'boolean') kept[name] = value;
  }
  if ('error' in fields)
    kept.error = fields.error instanceof ErrorSummary ? fields.error : new ErrorSummary(fields.error, { stack: true });
  return kept;
}

function activeSpan(): { traceId?: string; spanId?: string } {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { traceId: span.traceId, spanId: span.spanId } : {};
}

/** Opens a logger: JSON lines, by default on stdout, one write for each. */
export function createLogger(
  app: string,
  level: LogLevel = 'info',
  out: DestinationStream = pino.destination({ fd: 1, sync: true }),
): Logger {
  const lines = pino(
    {
      level,
      base: { app },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    out,
  );
  const at = (name: LogLevel | 'fatal') => (fields: LogFields, message: string) => {
    if (lines.isLevelEnabled(name)) lines[name](allowed({ ...fields, ...activeSpan() }), message);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), fatal: at('fatal') };
}

const nothing = (): void => undefined;

export const silentLogger: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing };
