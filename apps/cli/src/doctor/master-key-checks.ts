import type { Storage } from '@opendsr-service/storage';
import { loadMasterKey, masterKeyOpens } from '@opendsr-service/vault';
import type { Files } from '../files.store';
import { ok, warn, type Finding } from './finding';

/** Whether only the owner and its group can read the file, and whether it opens what is stored. Never shows the key. */
export async function masterKeyFindings(
  storage: Storage,
  file: string | undefined,
  files: Files,
): Promise<readonly Finding[]> {
  if (file === undefined)
    return [
      warn(
        'master key',
        'MASTER_KEY_FILE is not set here, so it was not tested',
        'set it to test whether it opens what is stored',
      ),
    ];
  const key = await loadMasterKey(file);
  const opens = await masterKeyOpens(await storage.database('keys'), key);
  return [
    opens ? ok('master key', 'it opens what is stored') : ok('master key', 'nothing is stored under a master key yet'),
    ...((await files.isOpenToOthers(file))
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
