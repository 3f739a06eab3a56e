export class ClusterNames {
  constructor(private readonly prefix: string) {}

  toCluster(name: string): string {
    return this.prefix + name;
  }

  fromCluster(name: string): string {
    return name.slice(this.prefix.length);
  }
}
