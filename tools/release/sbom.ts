/** The part of a CycloneDX document, version 1.5, that a release reads. */
export interface Bom {
  readonly metadata: { readonly component: { readonly 'bom-ref': string } };
  readonly components: readonly { readonly 'bom-ref': string }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** The document with only the components that `shipped` needs, on which its root then depends. */
export function reachable(bom: Bom, shipped: readonly string[]): Bom {
  const edges = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const reached = new Set(shipped);
  for (const ref of reached) for (const next of edges.get(ref) ?? []) reached.add(next);
  return {
    ...bom,
    components: bom.components.filter((one) => reached.has(one['bom-ref'])),
    dependencies: [
      { ref: bom.metadata.component['bom-ref'], dependsOn: shipped },
      ...bom.dependencies.filter(({ ref }) => reached.has(ref)),
    ],
  };
}
