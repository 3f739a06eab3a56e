import { requestKey } from '@opendsr-service/contracts';
import { ParkedAdmin } from '@opendsr-service/messaging';
import { databaseOfService, parkedFacts, type ParkedFacts, SERVICE_NAMES } from '@opendsr-service/operator-answers';
import type { OpenStores } from '@opendsr-service/service';
import { hasDataKey, keysDatabase } from '@opendsr-service/vault';
import { operations } from '../operations';

interface RequestId {
  readonly ws: string;
  readonly srid: string;
}

/** What the stores hold about one request, by service, without personal data. */
export async function requestFacts({ storage }: Pick<OpenStores, 'storage'>, { ws, srid }: RequestId) {
  const { gateway, request, 'callback-dispatcher': dispatcher, results, ingestion } = await operations();
  const known = {
    gateway: await gateway.shownAdmission(await storage.database(gateway.database.name), ws, srid),
    request: await request.shownAggregate(await storage.database(request.database.name), ws, srid),
    'callback-dispatcher': await dispatcher.shownDestinations(
      await storage.database(dispatcher.database.name),
      ws,
      srid,
    ),
    results: await results.shownShare(await storage.database(results.database.name), ws, srid),
    ingestion: await ingestion.shownErasure(await storage.database(ingestion.database.name), ws, srid),
  };
  const parked = await parkedOf({ storage }, requestKey(ws, srid));
  const key =
    known.gateway?.kid !== undefined
      ? await keyState({ storage }, ws, { kid: known.gateway.kid, goneAt: known.gateway.times.keyGoneAt })
      : 'unknown';
  const isKnown = parked.length > 0 || Object.values(known).some((facts) => facts !== undefined);
  return isKnown ? { workspace: ws, id: srid, key, ...matchedBy(known), ...known, parked } : undefined;
}

interface Matched {
  readonly ingestion?: { readonly erasure: { readonly matched?: number } };
  readonly results?: { readonly archive?: { readonly matched?: number } };
}

/** How many profiles matched, once known: ingestion knows it for an erasure, results for all others. */
function matchedBy({ ingestion, results }: Matched): { readonly matched?: number; readonly hint?: string } {
  const matched = ingestion?.erasure.matched ?? results?.archive?.matched;
  return {
    matched,
    ...(matched === 0 && {
      hint: 'nothing matched: no profile has these identities (docs/erasure.md, "Whom a request reaches")',
    }),
  };
}

/** A missing key was destroyed only if the gateway says so; otherwise the restored copy of the keys may be too old. */
async function keyState(
  { storage }: Pick<OpenStores, 'storage'>,
  ws: string,
  { kid, goneAt }: { readonly kid: string; readonly goneAt: Date | undefined },
): Promise<string> {
  if (await hasDataKey(await storage.database(keysDatabase.name), ws, kid)) return 'alive';
  return goneAt ? 'destroyed' : 'lost: it does not exist and was not destroyed';
}

async function parkedOf({ storage }: Pick<OpenStores, 'storage'>, key: string): Promise<readonly ParkedFacts[]> {
  const found: ParkedFacts[] = [];
  for (const service of SERVICE_NAMES) {
    // Reads only, so the clock is not used.
    const admin = new ParkedAdmin(await storage.database(databaseOfService(service).database), () => 0);
    for await (const page of admin.listPages({ key })) found.push(...page.map((head) => parkedFacts(head, service)));
  }
  return found;
}
