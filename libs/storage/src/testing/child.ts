// Runs in a process of its own: `node <bundle> <what> <options as JSON> <collection>`.
import { openStorage } from '../open-storage';
import type { StorageOptions } from '../storage';

const [what, options = '{}', name = ''] = process.argv.slice(2);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function main(): Promise<void> {
  const storage = await openStorage(JSON.parse(options) as StorageOptions);
  const collection = (await storage.database('contract')).collection(name);
  say('ready');
  if (what === 'hold') await new Promise((resolve) => process.stdin.once('end', resolve).resume());
  if (what === 'increment')
    for (let n = 0; n < 50; n++)
      await collection.updateOne({ _id: 'shared' as never }, { $inc: { n: 1 }, $push: { by: 'child' as never } });
  if (what === 'write') {
    const writer = async (worker: number): Promise<void> => {
      for (let n = 0; ; n++) {
        const id = `${worker}:${n}`;
        await collection.insertOne({ _id: id as never, slot: id, pad: 'x'.repeat(700) });
        await collection.updateOne({ _id: id as never }, { $set: { changed: true } });
        say(id);
      }
    };
    await Promise.all(Array.from({ length: 16 }, (_, worker) => writer(worker)));
  }
  await storage.close();
}

main().catch((error: unknown) => {
  say(`failed ${error instanceof Error ? error.name : String(error)}`);
  process.exitCode = 1;
});
