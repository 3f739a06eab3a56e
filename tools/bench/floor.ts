import { createPrivateKey, generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { answerTasks } from './helper-process';

const IN_FLIGHT = 64;
/** About as much as a receipt has. */
const message = Buffer.alloc(600, 'r');

/** Signatures a second with as many threads as this process was started with. */
async function signatures({ durationMs }: { readonly durationMs: number }): Promise<number> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await signFor(key, Math.min(durationMs, 500));
  const before = performance.now();
  const made = await signFor(key, durationMs);
  return (made / (performance.now() - before)) * 1000;
}

async function signFor(key: KeyObject, durationMs: number): Promise<number> {
  const end = performance.now() + durationMs;
  const signOnce = () =>
    new Promise<void>((done, fail) => {
      sign('sha256', message, key, (error) => {
        if (error) fail(error);
        else done();
      });
    });
  let made = 0;
  const worker = async () => {
    for (; performance.now() < end; made += 1) await signOnce();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return made;
}

const tasks = { signatures };
export type FloorTasks = typeof tasks;

answerTasks(tasks);
