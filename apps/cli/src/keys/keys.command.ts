import { MAX_KEYS, SCOPES, type ApiKey, type Workspaces } from '@opendsr-service/workspaces';
import { command, EXIT, type Terminal } from '../command';
import { CommandError } from '../command-error';
import { withKeyedStores } from '../keyed-stores.wiring';
import { optional } from '../options';
import { jsonOption, show } from '../output';
import { answeredFor } from '../participants/answered-for';
import { workspace } from '../participants/participant-options';
import { key, lifetime, overlap, scopes } from './key-options';

const DAY_MS = 86_400_000;

/** `dsr keys create` (docs/workspaces.md). */
export const keysCreate = command({
  words: 'keys create',
  meaning:
    `creates a key for a workspace, which has at most ${MAX_KEYS} in force, and shows its secret once. ` +
    'Scopes: dsr for requests, ingest for data; the default is both. Without --expires-in the key does not expire',
  options: {
    workspace,
    scopes: optional('dsr,ingest', scopes),
    'expires-in': optional('90d', lifetime),
    ...answeredFor,
    ...jsonOption,
  },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const { credentials } = await stores.workspaces();
      const chosen = given.scopes ?? SCOPES;
      const expiresAt = afterNow(terminal, given['expires-in']);
      await stores.note(given, { ws: given.workspace, action: 'api-key-create-asked' });
      const { key: id, secret } = await credentials.createKey(given.workspace, { scopes: chosen, expiresAt });
      const made = { workspace: given.workspace, key: id, secret, scopes: chosen, expiresAt };
      show(terminal, given, made, () => [
        `created a key of ${made.workspace} for ${chosen.join(', ')}: it is in effect at once, and ${endOf(expiresAt)}`,
        ...secretLines(made),
      ]);
      return EXIT.ok;
    }),
});

/** `dsr keys rotate`: replaces a key; the old one stays valid for the overlap. */
export const keysRotate = command({
  words: 'keys rotate',
  meaning:
    'creates a key with the workspace and the scopes of an old key, and shows its secret once. The old ' +
    'key expires after the overlap, by default 24h. Without --expires-in the new key does not expire',
  options: {
    key,
    overlap: optional('24h', overlap),
    'expires-in': optional('90d', lifetime),
    ...answeredFor,
    ...jsonOption,
  },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const { credentials } = await stores.workspaces();
      const expiresAt = afterNow(terminal, given['expires-in']);
      await stores.note(given, {
        ws: await workspaceOf(credentials, given.key),
        key: given.key,
        action: 'api-key-rotation-asked',
      });
      const { ws, oldExpiresAt, ...successor } = await credentials.rotateKey(given.key, {
        overlapMs: given.overlap ?? DAY_MS,
        expiresAt,
      });
      const made = { workspace: ws, ...successor, expiresAt, old: { key: given.key, expiresAt: oldExpiresAt } };
      show(terminal, given, made, () => [
        `rotated ${made.old.key} of ${made.workspace}: it ${endOf(made.old.expiresAt)}`,
        `The new key, for ${made.scopes.join(', ')}, is in effect at once, and ${endOf(expiresAt)}`,
        ...secretLines(made),
      ]);
      return EXIT.ok;
    }),
});

/** `dsr keys revoke`: for keys that are lost, leaked or unused. */
export const keysRevoke = command({
  words: 'keys revoke',
  meaning: 'ends a key permanently, everywhere within 30 seconds',
  options: { key, ...answeredFor },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const { credentials } = await stores.workspaces();
      await stores.note(given, {
        ws: await workspaceOf(credentials, given.key),
        key: given.key,
        action: 'api-key-revocation-asked',
      });
      await credentials.revokeKey(given.key);
      terminal.print(`revoked ${given.key}: every service refuses it within 30 seconds`);
      return EXIT.ok;
    }),
});

/** `dsr keys list`: shows no secrets. */
export const keysList = command({
  words: 'keys list',
  meaning:
    'lists the keys of a workspace and the last hundred that have ended: key, scopes, state, when ' +
    'created, when it expires, when revoked',
  options: { workspace, ...jsonOption },
  run: (given, terminal) =>
    withKeyedStores(terminal, async (stores) => {
      const { credentials } = await stores.workspaces();
      const keys = await credentials.keys(given.workspace);
      show(terminal, given, { keys }, () =>
        keys.length === 0 ? [`${given.workspace} has no keys`] : keys.map(lineOf),
      );
      return EXIT.ok;
    }),
});

async function workspaceOf(credentials: Workspaces['credentials'], wanted: string): Promise<string> {
  const ws = await credentials.workspaceOf(wanted);
  if (ws === undefined) throw new CommandError(`there is no key ${wanted}`);
  return ws;
}

const afterNow = ({ now }: Terminal, ms: number | undefined): Date | undefined =>
  ms === undefined ? undefined : new Date(now().getTime() + ms);
const endOf = (expiresAt: Date | undefined): string =>
  expiresAt ? `expires at ${expiresAt.toISOString()}` : 'does not expire';

const secretLines = (made: { readonly key: string; readonly secret: string }): readonly string[] => [
  `key  ${made.key}`,
  `secret  ${made.secret}`,
  'This secret is shown once: save it now.',
];

const lineOf = ({ key: id, scopes: of, state, createdAt, expiresAt, revokedAt }: ApiKey): string =>
  [id, of.join(','), state, ...[createdAt, expiresAt, revokedAt].map((at) => at?.toISOString() ?? '-')].join('  ');
