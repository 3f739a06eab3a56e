export { abortableLog } from './abortable-log';
export { decodeValid, foldByRequest } from './by-request';
export { scanById } from './id-order';
export type { Facts, FoldContext, Projection, StoredDocument } from './projection';
export { ProjectionError } from './projection-error';
export { type RebuildOptions, rebuildProjection } from './rebuild';
export type { RestorePlan } from './restore-plan';
export { type Comparison, countDifferences } from './tally';
export { verifyProjection } from './verify';
