import { gatherOutput, print } from './output';
import { run } from './command';

it('prints what a phase and its commands say whole and in order when the phase ends', async () => {
  const written: string[] = [];
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((chunk) => written.push(String(chunk)) > 0);
  const phase = (name: string) =>
    gatherOutput(async () => {
      print(`${name} begins`);
      await run(process.execPath, ['-e', `console.log('${name} says'); console.error('${name} complains')`]);
      print(`${name} ends`);
    });
  await Promise.all([phase('one'), phase('two')]);
  write.mockRestore();
  const whole = (name: string) => `${name} begins\n${name} says\n${name} complains\n${name} ends\n`;
  expect(written.filter((text) => text.includes('begins')).sort()).toEqual([whole('one'), whole('two')]);
});
