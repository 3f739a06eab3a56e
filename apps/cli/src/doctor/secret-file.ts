import type { Files } from '../files.store';
import { warn, type Finding } from './finding';

/** A warning where more than the owner and its group can read the file. */
export const secretFileFinding = async (
  check: string,
  file: string,
  files: Pick<Files, 'isOpenToOthers'>,
): Promise<readonly Finding[]> =>
  (await files.isOpenToOthers(file))
    ? [
        warn(
          check,
          'users other than its owner and its group can read the file, or the group can change it',
          'restrict it: chmod 600, or 640 where a group needs it',
        ),
      ]
    : [];
