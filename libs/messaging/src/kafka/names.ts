/** Our names and the cluster's: the prefix keeps installations apart that share a cluster. */
export class Names {
  constructor(private readonly prefix: string) {}

  /** The topic or group as the cluster knows it. */
  onCluster(name: string): string {
    return this.prefix + name;
  }

  /** The topic as we know it. */
  ours(name: string): string {
    return name.slice(this.prefix.length);
  }
}
