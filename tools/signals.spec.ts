import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const script = (register: string) => `
  import { hearSignalsOnce } from ${JSON.stringify(join(__dirname, 'signals.mjs'))};
  // The time in which a signal counts as the same one never ends here: on a busy machine the second would come after it.
  globalThis.setTimeout = () => ({ unref: () => undefined });
  hearSignalsOnce();
  let heard = 0;
  process.${register}('SIGINT', () => { heard += 1; console.log('heard'); });
  // Standard input is what the test ends the process with, once all its signals have arrived.
  process.stdin.on('end', () => { console.log('times', heard); process.exit(5); }).resume();
  console.log('ready');
`;

it.each(['on', 'once'])(
  'hands a signal that comes twice at once to a listener (%s) one time, and does not die of the second',
  async (register) => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script(register)], {
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    const next = async () => (await lines.next()).value as string;
    expect(await next()).toBe('ready');
    child.kill('SIGINT');
    expect(await next()).toBe('heard');
    child.kill('SIGINT');
    child.stdin.end();
    expect(await next()).toBe('times 1');
    expect(await once(child, 'exit')).toEqual([5, null]);
  },
);
