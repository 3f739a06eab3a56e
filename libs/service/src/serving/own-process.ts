import type { ShownSetting } from '@opendsr-service/config';
import manifest from '../../package.json';
import type { Readiness } from '../http/health';
import type { Metric, Sample } from '../metrics/metrics';

/** What a process knows of itself, from memory. */
export class OwnProcess {
  readonly version: string = manifest.version;
  private readiness: () => Promise<Readiness> = () => Promise.resolve({ status: 'unavailable', checks: {} });
  private metrics: readonly Metric[] = [];

  /** `settings`: those of the process, without secrets. */
  constructor(
    readonly name: string,
    readonly settings: readonly ShownSetting[],
  ) {}

  /** Called once by the process that begins to serve. */
  attach(readiness: () => Promise<Readiness>, metrics: readonly Metric[]): void {
    this.readiness = readiness;
    this.metrics = metrics;
  }

  get uptimeSeconds(): number {
    return Math.floor(process.uptime());
  }

  /** As `/readyz` says it. */
  ready(): Promise<Readiness> {
    return this.readiness();
  }

  /** The present samples of a metric, those of all services of the process. */
  samples(metric: string): readonly Sample[] {
    return this.readOf(metric).flat();
  }

  /** The same; none while a service of the process has none, for a part of a sum would pass for the whole. */
  completeSamples(metric: string): readonly Sample[] {
    const read = this.readOf(metric);
    return read.some(({ length }) => length === 0) ? [] : read.flat();
  }

  private readOf(metric: string): readonly (readonly Sample[])[] {
    return this.metrics.filter(({ name }) => name === metric).map(({ read }) => read());
  }
}
