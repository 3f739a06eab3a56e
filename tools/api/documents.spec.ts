import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { ATTESTATION_TYPE, TOPICS, type Topic } from '@opendsr-service/contracts';
import { attestedCancellation, attestedErasure, SchemaChecks } from '@opendsr-service/contracts/testing';
import asyncApiSchema from '@asyncapi/specs/schemas/3.0.0-without-$id.json';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv } from 'ajv';
import { repository } from '../e2e/repository';
import { itInFull, representative } from '../testing/form';
import { ApiContract } from './testing/contract';
import { CONSOLE_TYPES, consoleTypes, DOCUMENTS, textOf } from './documents';

const kept = (path: string): string => readFileSync(repository(path), 'utf8');
const openApis = DOCUMENTS.map(({ path }) => path).filter((path) => path.includes('/openapi/'));

it.each(DOCUMENTS)('$path says what the code says', (document) => {
  if (kept(document.path) === textOf(document)) return;
  throw new Error(`${document.path} is behind the code, or was changed by hand: run npm run openapi`);
});

it('the types of the console say what the operator’s API says', async () => {
  expect(kept(CONSOLE_TYPES) === (await consoleTypes())).toBe(true);
});

interface Part {
  readonly $ref?: string;
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
}

/** Every object in it, at any depth. */
const partsOf = (part: unknown): Part[] =>
  typeof part === 'object' && part !== null
    ? [...(Array.isArray(part) ? [] : [part]), ...Object.values(part).flatMap(partsOf)]
    : [];

/** What a reference to a place of the same document leads to. */
const at = (document: object, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);

describe.each(representative(openApis))('%s', (path) => {
  it('passes the recommended rules of Redocly without a warning', async () => {
    // As text: to check an object against the type of configurations takes the compiler as long as a hundred other files.
    const config = await createConfig('extends: [recommended]');
    const problems = await lintFromString({ source: kept(path), absoluteRef: repository(path), config });
    expect(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ''}`),
    ).toEqual([]);
  });

  it('has examples that fit its schemas', () => {
    expect(new ApiContract(JSON.parse(kept(path)) as object).faultsOfExamples()).toEqual([]);
  });

  it('takes null wherever a type does, whatever values stand beside it', () => {
    const nullable = partsOf(JSON.parse(kept(path))).filter(({ type }) => [type].flat().includes('null'));
    expect(nullable.length).toBeGreaterThan(0);
    for (const { const: only = null, enum: values = [null] } of nullable)
      expect([only, values]).toEqual([null, expect.arrayContaining([null])]);
  });
});

interface Message {
  readonly headers: object;
  readonly payload: object;
  readonly examples: readonly { readonly headers: unknown; readonly payload: unknown }[];
}

describe('docs/api/asyncapi.json', () => {
  const text = kept('docs/api/asyncapi.json');

  itInFull('fits the schema of AsyncAPI', () => {
    const fits = new Ajv({
      ...{ strict: false, allErrors: true, validateFormats: false },
      ...{ inlineRefs: false, code: { optimize: false } },
    }).compile(asyncApiSchema);
    fits(JSON.parse(text));
    expect(fits.errors ?? []).toEqual([]);
  });

  it('leads every reference to something in it', () => {
    const document = JSON.parse(text) as object;
    const references = partsOf(document).flatMap(({ $ref }) => $ref ?? []);
    expect(references.length).toBeGreaterThan(0);
    expect(references.filter((reference) => at(document, reference) === undefined)).toEqual([]);
  });

  it('has the golden samples for examples, and they fit its schemas, headers included', () => {
    const document = JSON.parse(text) as { components: { messages: Record<string, Message> } };
    const checks = new SchemaChecks(document);
    const messages = Object.entries(document.components.messages);
    expect(messages.map(([name]) => name).sort()).toEqual([
      'CallbackAttempted',
      'CallbackGivenUp',
      'CallbackQueued',
      'DeadlineExtended',
      'DestinationSettled',
      'ParticipantReport',
      'ParticipantReported',
      'RequestCancelled',
      'RequestCompleted',
      'RequestFulfilled',
      'RequestReceived',
      'RequestStarted',
    ]);
    for (const [name, { examples }] of messages) {
      expect(examples.length).toBeGreaterThan(0);
      const faults = examples.flatMap(({ headers, payload }) => [
        ...checks.faults(`/components/messages/${name}/headers`, headers),
        ...checks.faults(`/components/messages/${name}/payload`, payload),
      ]);
      expect(faults).toEqual([]);
    }
  });
});

it('docs/api/README.md has each topic with its audience, its partitions and its retention', () => {
  const DAY_MS = 86_400_000;
  const keptFor = ({ retentionMs, isCompacted }: Topic) =>
    isCompacted ? 'the newest' : retentionMs < 0 ? 'for ever' : `${String(retentionMs / DAY_MS)} days`;
  const rows = kept('docs/api/README.md').matchAll(/^\| `((?:dsr|ingest)\.[^|]+?) *\| (\d+) *\| ([^|]+?) *\|/gm);
  expect([...rows].map(([, ...cells]) => cells).sort()).toEqual(
    Object.values<Topic>(TOPICS)
      .map((topic) => [
        `${topic.name}\`${topic.audience === 'public' ? ', public' : ''}`,
        String(topic.partitions),
        keptFor(topic),
      ])
      .sort(),
  );
});

describe('docs/api/attestation-v1.json', () => {
  const schema = JSON.parse(kept('docs/api/attestation-v1.json')) as { readonly $id: string };

  it('lies where its id, the type of the predicate, says', () => {
    expect(schema.$id).toBe(ATTESTATION_TYPE);
    expect(ATTESTATION_TYPE.endsWith('/blob/main/docs/api/attestation-v1.json')).toBe(true);
  });

  it('takes attestations, and nothing less', () => {
    const checks = new SchemaChecks(schema);
    for (const attestation of [attestedErasure, attestedCancellation]) {
      expect(checks.faults('', attestation)).toEqual([]);
      expect(checks.faults('', { ...attestation, outcome: 'lost' })).not.toEqual([]);
    }
  });
});
