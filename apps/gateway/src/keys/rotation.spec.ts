import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Service } from '../testing/service';
import { World } from '../testing/world';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

describe('the gateway', () => {
  let world: World;
  let service: Service;
  let folder: string;
  const secretOf = (generation: number) => existsSync(join(folder, `generation-${generation}.key`));
  const until = async (holds: () => boolean | Promise<boolean>) => {
    while (!(await holds())) await pause(10);
  };
  const measured = async (name: string) => {
    const line = (await service.metrics()).split('\n').find((one) => one.startsWith(`${name} `));
    return line === undefined ? undefined : Number(line.split(' ')[1]);
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'generations-'));
    world = await World.open();
    service = await Service.start(world, {
      KEY_GENERATION_FOLDER: folder,
      KEY_GENERATION_MS: '7d',
      KEY_GENERATION_KEEP_MS: '1d',
      SWEEP_POLL_MS: '10ms',
      METRICS_INTERVAL_MS: '50ms',
    });
  });
  afterAll(async () => {
    await service.stop();
    await world.close();
    rmSync(folder, { recursive: true });
  });

  it('rotates generations by itself, and measures the age of the current one and the progress of the pass', async () => {
    const { clock } = world.parts;
    await until(async () => (await measured('opendsr_key_rotation_progress_ratio')) === 0);
    clock.advance(MINUTE_MS);
    await until(async () => (await measured('opendsr_key_rotation_progress_ratio')) === 0.5);
    clock.advance(DAY_MS);
    await until(async () => (await measured('opendsr_key_rotation_progress_ratio')) === 1);
    expect([secretOf(2), secretOf(3)]).toEqual([true, false]);
    clock.advance(6 * DAY_MS);
    await until(() => secretOf(3));
    await until(async () => (await measured('opendsr_key_generation_age_seconds')) === 0);
    clock.advance(MINUTE_MS);
    await until(async () => (await measured('opendsr_key_rotation_progress_ratio')) === 0.5);
    expect(secretOf(2)).toBe(true);
    clock.advance(DAY_MS);
    await until(() => !secretOf(2));
    await until(async () => (await measured('opendsr_key_generation_age_seconds')) === (MINUTE_MS + DAY_MS) / 1_000);
  });
});
