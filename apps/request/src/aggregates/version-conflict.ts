/** Another writer was faster: load and decide again. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';
}
