import type { Storage } from '@opendsr-service/storage';
import { masterKeyOpens, openKeys, type KeySource } from '@opendsr-service/vault';
import type { Files } from '../files.store';
import { ok, warn, type Finding } from './finding';

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
  const { masterKey } = await openKeys(source);
  const opens = await masterKeyOpens(await storage.database('keys'), masterKey);
  return [
    opens ? ok('master key', 'it opens what is stored') : ok('master key', 'nothing is stored under a master key yet'),
    ...((await files.isOpenToOthers(source.masterKeyFile))
      ? [
          warn(
            'master key',
            'users other than its owner and its group can read the file, or the group can change it',
            'restrict it: chmod 600, or 640 where a group needs it',
          ),
        ]
      : []),
  ];
}
