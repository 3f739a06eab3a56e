import { memoryMiBOf } from './watch-processes';

it('has no figure of a process that cannot be read', async () => {
  await expect(memoryMiBOf(0, 'VmHWM')).rejects.toThrow('ENOENT');
});
