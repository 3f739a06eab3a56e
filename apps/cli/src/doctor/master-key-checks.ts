import type { Storage } from '@opendsr-service/storage';
import { loadMasterKey, masterKeyOpens } from '@opendsr-service/vault';
import type { Files } from '../files.store';
import { ok, warn, type Finding } from './finding';

/** Whether the file is the owner's alone, and opens what is stored. The key itself is never shown. */
export async function masterKeyFindings(
  storage: Storage,
  file: string | undefined,
  files: Files,
): Promise<readonly Finding[]> {
  if (file === undefined)
    return [
      warn(
        'master key',
        'MASTER_KEY_FILE is not set here, so it was not tried',
        'set it, to see whether it opens what is stored',
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
            'others than its owner may read the file',
            'take their rights: chmod 600 or, where a group mounts it, see that nobody else is in that',
          ),
        ]
      : []),
  ];
}
