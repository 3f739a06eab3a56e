import type { LookupMeasured } from './data';
import type { DataRig } from './data-rig';
import { statusFaults } from './rig';
import { addProfiles } from './stored';

const PREFIX = 'lookup';
const CUSTOMERS = 200;
const LOOKUPS = 2_000;

/** How long it takes to find a customer by an identity, one call at a time, among more and more others. */
export async function measureLookups(
  { service, generator, say }: DataRig,
  sizes: readonly number[],
): Promise<LookupMeasured[]> {
  await generator.ask('identify', { prefix: PREFIX, count: CUSTOMERS });
  const measured: LookupMeasured[] = [];
  let profiles = CUSTOMERS;
  for (const total of sizes) {
    say(`look-ups among ${String(total)} profiles`);
    await addProfiles(service.stores, { from: profiles, total });
    profiles = total;
    await generator.ask('lookups', { prefix: PREFIX, customers: CUSTOMERS, count: CUSTOMERS });
    const { statuses, spread } = await generator.ask('lookups', {
      prefix: PREFIX,
      customers: CUSTOMERS,
      count: LOOKUPS,
    });
    measured.push({ profiles: total, spread, faults: statusFaults(statuses, 200) });
  }
  return measured;
}
