/** Signatures a second that this machine can make: what everything is measured against. */
export interface Floor {
  readonly oneCorePerSecond: number;
  readonly allCoresPerSecond: number;
}

/** What is behind a rate as a part of the floor. */
export const ratios = (perSecond: number, { oneCorePerSecond, allCoresPerSecond }: Floor) => ({
  ofAllCores: perSecond / allCoresPerSecond,
  ofOneCore: perSecond / oneCorePerSecond,
});
