/** Our names and the cluster's: the prefix keeps installations apart that share a cluster. */
export class ClusterNames {
  constructor(private readonly prefix: string) {}

  /** The topic or group as the cluster knows it. */
  toCluster(name: string): string {
    return this.prefix + name;
  }

  /** The topic as we know it. */
  fromCluster(name: string): string {
    return name.slice(this.prefix.length);
  }
}
