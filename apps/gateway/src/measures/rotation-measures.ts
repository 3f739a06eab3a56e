import { secondsSince, type Clock, type StoreGauge } from '@opendsr-service/service';
import type { KeyRotation } from '@opendsr-service/vault';

/** Of the generations of workspace keys; none where there are none. */
export const rotationMeasures = (
  clock: Clock,
  rotation?: Pick<KeyRotation, 'state' | 'passedRatio'>,
): readonly StoreGauge[] =>
  rotation
    ? [
        {
          name: 'opendsr_key_generation_age_seconds',
          help: 'Age of the generation of workspace keys that wraps new data keys.',
          labels: [],
          measure: async () => [{ labels: {}, value: secondsSince((await rotation.state()).turnedAt, clock.now()) }],
        },
        {
          name: 'opendsr_key_rotation_progress_ratio',
          help: 'How far the data keys are wrapped under the current generation; 1 once the old one is destroyed.',
          labels: [],
          measure: async () => [{ labels: {}, value: await rotation.passedRatio() }],
        },
      ]
    : [];
