import type { Service } from '../e2e/service';
import type { DataTasks } from './data-generator';
import type { HelperProcess } from './helper-process';
import type { Rig } from './rig';

/** What the measurements about data of persons work with: one running service for all of them. */
export interface DataRig extends Pick<Rig, 'windowMs' | 'say' | 'brokers'> {
  readonly service: Service;
  readonly generator: HelperProcess<DataTasks>;
}
