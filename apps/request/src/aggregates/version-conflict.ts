/** Another live writer was faster: load again and decide again. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';
}
