import type { Storage } from '@opendsr-service/storage';
import {
  generationFacts,
  masterKeyOpens,
  openKeys,
  type GenerationFacts,
  type KeySource,
} from '@opendsr-service/vault';
import type { Files } from '../files.store';
import { fail, ok, warn, type Finding } from './finding';
import { secretFileFinding } from './secret-file';

/** Whether only the owner and its group can read the file, and whether it opens what is stored. Never shows the key. */
export async function masterKeyFindings(
  storage: Storage,
  source: KeySource | undefined,
  files: Files,
): Promise<readonly Finding[]> {
  if (source === undefined)
    return [
      warn(
        'master key',
        'MASTER_KEY_FILE is not set here, so it was not tested',
        'set it to test whether it opens what is stored',
      ),
    ];
  const keys = await openKeys(source);
  const connection = await storage.database('keys');
  const opens = await masterKeyOpens(connection, keys.masterKey);
  return [
    opens ? ok('master key', 'it opens what is stored') : ok('master key', 'nothing is stored under a master key yet'),
    ...(await secretFileFinding('master key', source.masterKeyFile, files)),
    ...generationFindings(await generationFacts(connection, keys), keys.generations !== undefined),
  ];
}

const NAME = 'key generations';

function generationFindings(facts: GenerationFacts | undefined, areConfigured: boolean): readonly Finding[] {
  if (!facts)
    return areConfigured
      ? [ok(NAME, 'none exists yet: the first service that starts makes it')]
      : [
          warn(
            NAME,
            'there are none: a destroyed key opens from old copies of the database keys as long as they exist',
            'set KEY_SERVICE or KEY_GENERATION_FOLDER (docs/key-generations.md)',
          ),
        ];
  const { current, gone, turnedAt, isLost } = facts;
  const which = `generation ${current}, since ${turnedAt.toISOString()}`;
  if (!areConfigured)
    return [
      fail(
        NAME,
        `${which}, whose secret is not named here`,
        'set KEY_SERVICE or KEY_GENERATION_FOLDER as for the services',
      ),
    ];
  if (isLost)
    return [
      fail(
        NAME,
        `${which}, whose secret is not in its place`,
        'this is an older copy of the database keys, or another folder (docs/backup.md)',
      ),
    ];
  return [
    ok(
      NAME,
      gone >= current - 1 ? `${which}; earlier ones are destroyed` : `${which}; an earlier one is not destroyed yet`,
    ),
  ];
}
