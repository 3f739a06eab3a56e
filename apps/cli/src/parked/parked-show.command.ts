import type { LogRecord } from '@opendsr-service/messaging';
import { parkedFacts, hashOf, knownHeaders, MOST_BEHIND, requestOf, shownId } from '@opendsr-service/operator-answers';
import { command, EXIT, type Terminal } from '../command';
import { CommandError } from '../command-error';
import { flag, optional, UsageError } from '../options';
import { jsonOption, show } from '../output';
import type { KeyedStores } from '../keyed-stores.wiring';
import { line } from '../participants/participant-options';
import { id } from './parked-options';
import { withParked, type Found } from './parked.wiring';

/** `dsr parked show`: the audit trail names the operator who sees a value (docs/parked.md). */
export const parkedShow = command({
  words: 'parked show',
  meaning:
    'shows a parked record: its reason, its place, our headers, and what waits behind it. --value also ' +
    'shows its value, which may hold personal data from outsiders; NAME is noted first',
  options: { id, value: flag, by: optional('NAME', line), ...jsonOption },
  run: (given, terminal) => {
    if ((given.value === undefined) !== (given.by === undefined)) throw new UsageError('--value and --by go together');
    return withParked(terminal, given.id, async (found, { audit }) => {
      const { head } = found;
      const { service, admin } = found.records;
      const record = await admin.readRecord(head._id);
      if (!record) throw new CommandError(`no record ${shownId(given.id)} is parked`);
      const behind = await admin.countBehind(head, MOST_BEHIND);
      const shown = {
        ...parkedFacts(head, service),
        behind,
        headers: knownHeaders(head),
        bytes: record.value.length,
        hash: hashOf(record.value),
      };
      const value = given.by === undefined ? undefined : await noted({ found, audit, by: given.by, terminal }, record);
      show(terminal, given, { ...shown, ...value }, ({ headers, ...facts }) => [
        ...Object.entries(facts).map(([name, fact]) => `${name.padEnd(9)}  ${String(fact)}`),
        ...Object.entries(headers.known).map(([name, of]) => `header     ${name}: ${of}`),
        ...(headers.others > 0 ? [`header     ${headers.others} of others, which are not shown`] : []),
      ]);
      return EXIT.ok;
    });
  },
});

/** Notes the operator in the audit trail, then returns the value. */
async function noted(
  {
    found: { head },
    audit,
    by,
    terminal,
  }: { found: Found; audit: KeyedStores['audit']; by: string; terminal: Terminal },
  { value }: LogRecord,
): Promise<{ readonly value: string }> {
  const request = requestOf(head.key) ?? { ws: '', srid: '' };
  await audit({ ...request, action: 'parked-value-shown', record: shownId(head._id), by, at: terminal.now() });
  const text = value.toString('utf8');
  // JSON text can neither start a new line nor move the cursor. Binary values are base64.
  return { value: Buffer.from(text).equals(value) ? JSON.stringify(text) : `base64:${value.toString('base64')}` };
}
