import * as real from 'node:crypto';
import { inPlaceOf } from '../engine/takeover';

/** `node:crypto` for the services of a simulation: random values come from the seed. */
export * from 'node:crypto';
export default real;

export const randomBytes = (size: number): Buffer => inPlaceOf.chance.bytes(size);
export const randomUUID = (): string => inPlaceOf.chance.uuid();
export const randomInt = (least: number, limit?: number): number =>
  limit === undefined ? inPlaceOf.chance.below(least) : least + inPlaceOf.chance.below(limit - least);
