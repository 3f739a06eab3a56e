import type { Service } from '../e2e/service';
import type { TlsFiles } from '../receiver/receiver';
import type { ReceiversTasks } from './callback-receivers';
import type { HelperProcess } from './helper-process';
import type { Rig } from './rig';

/** What the measurements of callbacks work with. */
export interface CallbackRig extends Rig {
  readonly receivers: HelperProcess<ReceiversTasks>;
  readonly tls: TlsFiles;
  /** Of this machine, each a host to the service. All of 127.0.0.0/8 answers on Linux. */
  readonly hosts: readonly string[];
  /** The most callbacks that go to one host at the same time. */
  readonly perHost: number;
}

/** Works with a service whose callbacks go out on such ticks. */
export type WithTick<T> = (tickMs: number, work: (service: Service) => Promise<T>) => Promise<T>;
