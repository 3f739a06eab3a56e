import { openCheckpoint, type Checkpoint, type NoteVerifier } from '@opendsr-service/transparency';
import { command, EXIT, type Terminal } from '../command';
import { CommandError } from '../command-error';
import { withStores } from '../db/stores.wiring';
import { baseAddress, flag, optional, required, wholeNumber } from '../options';
import { jsonOption, show } from '../output';
import { compareDocuments, type Compared } from './compare-documents';
import { cosignaturesOf, hasEnough, shown, wantedWitnesses, witnessLines } from './cosigned';
import { expectedDocuments, isKnowable } from './expected-documents';
import { logTotals, totalLines } from './log-totals';
import { openPublicLog } from './public-log.wiring';
import { isLostIn, spans, type Span } from './lost-entries';
import { readLog, type LogEntry, type LogFault, type ReadLog } from './read-log';
import { ownVerifierKey, ownWitnesses, publicUrl, verifierKey, verifierKeys, witnessKeys } from './transparency.config';

const MOST_SHOWN = 20;
const MOST_WITNESSES = 99;

const FAULTS: Readonly<Record<LogFault, string>> = {
  'not-signed': 'its checkpoint is not signed by this key',
  'rolled-back': 'its checkpoint is smaller than the last one that was seen',
  forked: 'the last checkpoint that was seen is no prefix of it: its history was rewritten',
  changed: 'its entries do not have the root of its checkpoint: one was changed, removed or moved',
  'tiles-differ': 'its tiles of hashes are not those of its entries',
  'unreadable-entry': 'an entry is not written as this service writes them',
};

/** `dsr transparency audit` (docs/evidence.md). */
export const transparencyAudit = command({
  words: 'transparency audit',
  meaning:
    'reads the whole transparency log through its public tiles, checks that it continues the last checkpoint, which is ' +
    'kept in FILE, and compares its leaves with the documents and the event log: missing, changed, added, late, open. --log-only compares with no ' +
    'document, needs no store, and counts what the leaves say. The default of URL is PUBLIC_URL_V2, that of KEY the verifier key of this installation. ' +
    '--old-keys: verifier keys that the log had before; they open the checkpoint in FILE, and no newer one. ' +
    '--witnesses: verifier keys of witnesses, by default those of this installation, whose cosignatures of the checkpoint ' +
    'are checked; it fails where fewer than N hold (default 0). ' +
    '--restored: for each restore of the gateway’s database from a copy, the time of the copy and of the restore: leaves of ' +
    'the audit trail in between may lack their entries, and are counted as lost',
  options: {
    state: required('FILE', String),
    url: optional('URL', baseAddress),
    key: optional('KEY', verifierKey),
    'old-keys': optional('KEY,…', verifierKeys),
    witnesses: optional('KEY,…', witnessKeys),
    'require-witnesses': optional('N', wholeNumber(0, MOST_WITNESSES)),
    'log-only': flag,
    restored: optional('FROM/TO,…', spans),
    ...jsonOption,
  },
  run: async (given, terminal) => {
    const verifier = given.key ?? verifierKey(await ownVerifierKey(terminal));
    const wanted = wantedWitnesses(given.witnesses ?? ownWitnesses(terminal), given['require-witnesses']);
    const last = await lastSeen(given.state, [verifier, ...(given['old-keys'] ?? [])], terminal);
    const isCosigned = (note: string) => hasEnough(cosignaturesOf(note, wanted), wanted);
    // Before the log is read: what comes while that lasts has no leaf in it.
    const now = terminal.now();
    const read = await readLog(openPublicLog(String(given.url ?? publicUrl(terminal)), isCosigned), verifier, last);
    const cosigned = cosignaturesOf(read.note, wanted);
    const isSound = read.faults.length === 0;
    const findings = isSound ? await findingsIn(read.entries, now, given, terminal) : NO_FINDINGS;
    const isGood = isSound && hasEnough(cosigned, wanted);
    const found = { ...foundIn(read, last), ...shown(cosigned, wanted), ...findings.found };
    show(terminal, given, found, () => [...logLines(found), ...findings.lines, ...witnessLines(cosigned, wanted)]);
    // Last: what was found is shown also where the file cannot be written.
    if (isGood) await terminal.files.replace({ file: given.state, text: read.note, mode: 0o644 });
    return isGood && findings.isComplete ? EXIT.ok : EXIT.failed;
  },
});

/** What the leaves of a sound log say. */
interface Findings {
  readonly found: object;
  readonly lines: readonly string[];
  readonly isComplete: boolean;
}

interface Asked {
  readonly 'log-only': true | undefined;
  readonly restored: readonly Span[] | undefined;
}

const NO_FINDINGS: Findings = { found: {}, lines: [], isComplete: true };

async function findingsIn(
  entries: readonly LogEntry[],
  now: Date,
  { 'log-only': isLogOnly, restored = [] }: Asked,
  terminal: Terminal,
): Promise<Findings> {
  if (isLogOnly) {
    const found = logTotals(entries, now);
    return { found, lines: totalLines(found), isComplete: true };
  }
  const compared = await compare(entries, now, terminal);
  const isLost = (place: number) => isLostIn(restored)(entries[place] as LogEntry);
  const [lost, added] = [compared.added.filter(isLost), compared.added.filter((place) => !isLost(place))];
  const found = { ...compared, added, ...(restored.length > 0 && { lost }) };
  return { found, lines: linesOf(found, entries), isComplete: isComplete(found) };
}

const isComplete = ({ missing, changed, added }: Compared): boolean => [...missing, ...changed, ...added].length === 0;

interface Found {
  readonly size: number;
  readonly lastSize: number;
  readonly faults: readonly LogFault[];
}

const foundIn = ({ checkpoint, faults }: ReadLog, last: Checkpoint | undefined): Found => ({
  size: checkpoint?.size ?? 0,
  lastSize: last?.size ?? 0,
  faults,
});

const logLines = ({ size, lastSize, faults }: Found): string[] =>
  faults.length > 0
    ? faults.map((fault) => `the log is NOT what it was: ${FAULTS[fault]}`)
    : [`the log has ${size} leaves, continues the ${lastSize} that were seen, and is what it says`];

async function lastSeen(
  file: string,
  verifiers: readonly NoteVerifier[],
  { files }: Pick<Terminal, 'files'>,
): Promise<Checkpoint | undefined> {
  if (!(await files.has(file))) return undefined;
  const note = await files.text(file);
  for (const verifier of verifiers) {
    const last = openCheckpoint(note, verifier);
    if (last) return last;
  }
  throw new CommandError(`${file} does not hold a checkpoint of this log (--old-keys: where it had another key)`);
}

const compare = (entries: readonly LogEntry[], now: Date, terminal: Terminal): Promise<Compared> =>
  withStores(terminal, (stores) => compareDocuments(entries, expectedDocuments(stores, now), now, isKnowable(now)));

interface FoundDocuments extends Compared {
  /** Places of leaves whose documents a restore has lost. */
  readonly lost?: readonly number[];
}

const linesOf = (
  { documents, missing, onTheirWay, changed, added, lost, open, late }: FoundDocuments,
  entries: readonly LogEntry[],
): string[] => [
  `${documents} documents, ${missing.length} missing in the log, ${onTheirWay} on their way, ${changed.length} changed, ${added.length} leaves without a document`,
  `${open} requests open, ${late} late`,
  ...(lost ? [`${lost.length} leaves of the audit trail whose entries a restore has lost`] : []),
  ...some(missing.map((of) => `missing: ${of}`)),
  ...some(changed.map((of) => `changed: ${of}`)),
  ...some(added.map((place) => `added: leaf ${place}${saysOf(entries[place])}`)),
];

/** The time is what the log says, so it is printed only as a time. */
function saysOf(entry: LogEntry | undefined): string {
  const at = new Date(entry?.at ?? '');
  return entry && !Number.isNaN(at.getTime()) ? ` (${entry.kind} of ${at.toISOString()})` : '';
}

const some = (lines: readonly string[]): string[] => [
  ...lines.slice(0, MOST_SHOWN),
  ...(lines.length > MOST_SHOWN ? [`and ${lines.length - MOST_SHOWN} more`] : []),
];
