/**
 * The id of a parked record is group, topic, partition and offset. The store joins them by `|`, which is awkward in paths and
 * which a shell needs quotes for: paths and answers of the operator's API have `~` in its place, `dsr` and the audit trail
 * `/`. No name of a group or topic contains any of the three.
 */

/** As the operator's API writes it. */
export const pathId = (id: string): string => id.replaceAll('|', '~');
export const idOfPath = (written: string): string => written.replaceAll('~', '|');

/** As `dsr` and the audit trail write it. */
export const shownId = (id: string): string => id.replaceAll('|', '/');
export const idOfShown = (written: string): string => written.replaceAll('/', '|');
