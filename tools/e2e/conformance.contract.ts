import { VERSIONS } from '@opendsr-service/contracts';
import { CATALOGUE } from '../conformance/catalogue';
import { runConformance, type Report } from '../conformance/run';
import { FULL } from './full';
import { suiteSettings } from './service';
import { somebody, ingestPerson, type Rule, type World } from './world';

const NO_PORTABILITY = 'a request was still pending after 0 ms: give it more time';

/**
 * What this run cannot show: a link that is older than seven days, a 429 where no limit is set (limits.contract.ts
 * meets some), and the end of
 * portability requests, which stay pending here so that the rules about pending ones have some.
 */
const NOT_APPLICABLE: Readonly<Record<string, string>> = {
  'results.gone': 'needs --old-results-url',
  'throttling.retry-after': 'no call was answered with 429',
  'throttling.seconds': 'no call was answered with 429',
  'results.portability': NO_PORTABILITY,
  'results.portability-nobody': NO_PORTABILITY,
  'results.portability-zip': NO_PORTABILITY,
};

/** What other rules of the suite show in each run: isolation.contract.ts, and the group of races.contract.ts. */
const isShownElsewhere = ({ id }: (typeof CATALOGUE)[number]): boolean =>
  id.startsWith('isolation.') || id === 'groups.limit';
const RULES = CATALOGUE.filter((one) => FULL || !isShownElsewhere(one));

const WAIT_MS = 60_000;
const CALLBACK_TICK_MS = Number(suiteSettings.CALLBACK_TICK_MS);

async function prove(world: World): Promise<Report> {
  const { service, receiver } = world;
  const person = somebody(world);
  await ingestPerson(world, person);
  return runConformance(
    {
      baseUrls: { '2.0': service.trust.baseUrl, '1.0': service.trustV1.baseUrl },
      account: service,
      other: await service.other(),
      domains: [...service.trust.domains, ...service.trustV1.domains],
      authorityPem: service.trust.authorityPem,
      receiver,
      known: { type: 'email', value: person.email },
    },
    // The service ends with the suite, so nothing is cleaned up.
    {
      only: RULES.map(({ id }) => id),
      notes: true,
      slow: true,
      keep: true,
      waitMs: WAIT_MS,
      portabilityWaitMs: 0,
      callbackIntervalMs: CALLBACK_TICK_MS,
      callsPerMinute: 0,
    },
  );
}

/** The conformance suite with all that it can be given: the rules of docs/protocol.md, a test for each row (docs/conformance.md). */
export function conformanceRules(rule: Rule): void {
  let report: Promise<Report> | undefined;
  for (const { apiVersion } of VERSIONS) {
    for (const { id, title, versions } of RULES) {
      if (versions?.includes(apiVersion) === false) continue;
      rule(`conformance to ${apiVersion}: ${title} (${id})`, async (world) => {
        report ??= prove(world);
        const row = (await report).rows.find((one) => one.id === id && one.version === apiVersion);
        expect({ outcome: row?.outcome, detail: row?.detail }).toEqual(
          NOT_APPLICABLE[id] === undefined ? { outcome: 'passed' } : { outcome: 'n/a', detail: NOT_APPLICABLE[id] },
        );
      });
    }
  }
}
