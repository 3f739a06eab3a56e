import { exporterOf } from './tracing';
import { helpText, processSettings, readSettings, type Environment, traceSettings } from '@opendsr-service/config';

const read = (env: Environment) => readSettings(traceSettings, env);
const ENDPOINT = 'http://user:secret@collector:4318';

it.each<[Environment, 'none' | 'otlp' | 'console']>([
  [{}, 'none'],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, 'otlp'],
  [{ OTEL_TRACES_EXPORTER: 'console' }, 'console'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT }, 'otlp'],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT }, 'otlp'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, 'none'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_SDK_DISABLED: 'True' }, 'none'],
  [{ OTEL_TRACES_EXPORTER: 'otlp', OTEL_SDK_DISABLED: 'false' }, 'otlp'],
])('with %j traces go to: %s', (env, exporter) => {
  expect(exporterOf(read(env))).toBe(exporter);
});

it.each<[Environment, string]>([
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'OTEL_EXPORTER_OTLP_PROTOCOL: must be http/protobuf'],
  [{ OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json' }, 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: must be http/protobuf'],
  [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'OTEL_TRACES_EXPORTER: must be otlp or console or none'],
  [{ OTEL_TRACES_SAMPLER: 'xray' }, 'OTEL_TRACES_SAMPLER: must be always_on or always_off or'],
  [{ OTEL_TRACES_SAMPLER_ARG: '1.5' }, 'OTEL_TRACES_SAMPLER_ARG: must be a number from 0 to 1'],
  [{ OTEL_PROPAGATORS: 'tracecontext,b3' }, 'OTEL_PROPAGATORS: entry 2 must be tracecontext, baggage or none'],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'user:secret@collector' },
    'OTEL_EXPORTER_OTLP_ENDPOINT: must be an http or https address',
  ],
  [{ OTEL_RESOURCE_ATTRIBUTES: 'team=%zz' }, 'OTEL_RESOURCE_ATTRIBUTES: must be name=value, between commas'],
  [{ OTEL_RESOURCE_ATTRIBUTES: '=a' }, 'OTEL_RESOURCE_ATTRIBUTES: must be name=value, between commas'],
  [{ OTEL_SDK_DISABLED: 'maybe' }, 'OTEL_SDK_DISABLED: must be true or false'],
])('refuses %j in a line of its own', (env, line) => {
  expect(() => read(env)).toThrow(line);
});

it('reads attributes as OpenTelemetry writes them, and a share', () => {
  expect(
    read({ OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=prod, team=a%2Cb' }).OTEL_RESOURCE_ATTRIBUTES,
  ).toEqual({ 'deployment.environment': 'prod', team: 'a,b' });
  expect(
    ['0', '0.25', '.5', '1', '1.0'].map((share) => read({ OTEL_TRACES_SAMPLER_ARG: share }).OTEL_TRACES_SAMPLER_ARG),
  ).toEqual([0, 0.25, 0.5, 1, 1]);
});

it('appear in the help of every process', () => {
  const help = helpText('a', 'b', processSettings);
  expect(Object.keys(traceSettings).filter((name) => !help.includes(`  ${name}  (`))).toEqual([]);
});
