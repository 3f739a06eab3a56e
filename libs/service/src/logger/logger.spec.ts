import { ErrorSummary } from '@opendsr-service/messaging';
import { StartupError } from '../process/startup-error';
import { createLogger, type LogFields } from './logger';
import { nestLogger } from './nest-logger';

function open(level?: 'debug' | 'warn') {
  const lines: string[] = [];
  const log = createLogger('app', level, { write: (line) => void lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') as Record<string, unknown> };
}

it('writes JSON lines with the app, a level by name and a time', () => {
  const { log, last } = open();
  log.info({ topic: 't', partition: 3, offset: 12n, count: 0 }, 'Done');
  expect(last()).toEqual({
    level: 'info',
    time: expect.stringMatching(/Z$/) as string,
    app: 'app',
    msg: 'Done',
    topic: 't',
    partition: 3,
    offset: '12',
    count: 0,
  });
});

it('drops fields that are not on the list, and values that are no plain ones', () => {
  const { log, lines, last } = open();
  const fields: unknown = { identity: 'planted', body: 'planted', headers: { a: 'planted' }, topic: { a: 'planted' } };
  log.warn(fields as LogFields, 'Done');
  expect(lines[0]).not.toMatch(/planted/);
  expect(Object.keys(last()).sort()).toEqual(['app', 'level', 'msg', 'time']);
});

it('cuts long texts', () => {
  const { log, last } = open();
  log.info({ reason: 'x'.repeat(1000) }, 'Done');
  expect(last().reason).toHaveLength(200);
});

it('leaves out what is below the level', () => {
  const { log, lines } = open('warn');
  log.info({}, 'Done');
  expect(lines).toEqual([]);
});

it('logs the name, code, stack and causes of an error, not its message, which may hold values', () => {
  const { log, lines, last } = open();
  const cause = Object.assign(new SyntaxError('planted\n    at planted'), { code: 'E_BAD' });
  log.error({ error: new TypeError('planted of ann@example.com', { cause }) }, 'Failed');
  expect(lines[0]).not.toMatch(/planted|ann/);
  expect(last().error).toMatchObject({
    name: 'TypeError',
    stack: expect.stringContaining('logger.spec.ts') as string,
    cause: { name: 'SyntaxError', code: 'E_BAD' },
  });
});

it('keeps the message of an error that says it holds no values, and of what is no error the kind', () => {
  const { log, lines, last } = open();
  log.error({ error: new StartupError('port 1 is taken') }, 'Failed');
  expect(last().error).toMatchObject({ message: 'port 1 is taken' });
  log.error({ error: 'Planted' }, 'Failed');
  expect(last().error).toEqual({ name: 'NotAnError', thrown: 'string' });
  log.error({ error: undefined }, 'Failed');
  expect(last().error).toEqual({ name: 'NotAnError', thrown: 'undefined' });
  expect(lines.join()).not.toMatch(/planted/i);
});

it('keeps the summary of an error unchanged: every name, also one with a single capital letter, and no stack', () => {
  class Silent extends Error {
    override readonly name = 'Silent';
  }
  const { log, last } = open();
  log.warn({ error: new ErrorSummary(new Error('planted', { cause: new Silent('planted') })) }, 'Failed');
  expect(last().error).toEqual({ name: 'Error', cause: { name: 'Silent' } });
});

it('sends warnings and errors of Nest the same way, without its chatter', () => {
  const { log, lines, last } = open('debug');
  const nest = nestLogger(log);
  nest.log('Mapped {/x, GET} route', 'RouterExplorer');
  expect(lines).toEqual([]);
  nest.error(new Error('planted'), 'ExceptionsHandler');
  expect(last()).toMatchObject({ level: 'error', msg: 'Nest', source: 'ExceptionsHandler', error: { name: 'Error' } });
  expect(lines[0]).not.toMatch(/planted/);
  nest.error({ planted: 'planted' }, 'ExceptionsHandler');
  expect(last()).toMatchObject({ source: 'ExceptionsHandler', error: { name: 'NotAnError', thrown: 'Object' } });
  nest.warn('A parameter is misread', 'FastifyAdapter');
  expect(last()).toMatchObject({ level: 'warn', reason: 'A parameter is misread' });
});
