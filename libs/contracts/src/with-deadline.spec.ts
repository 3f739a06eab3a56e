import { withDeadline } from './with-deadline';

const never = new Promise<never>(() => undefined);

describe('withDeadline', () => {
  it('settles as the work if that is in time', async () => {
    expect(await withDeadline(Promise.resolve('done'), 10_000, () => 'late')).toBe('done');
    await expect(withDeadline(Promise.reject(new Error('broken')), 10_000, () => 'late')).rejects.toThrow('broken');
  });

  it('settles as onDeadline if the work takes longer', async () => {
    expect(await withDeadline(never, 1, () => 'late')).toBe('late');
    const late = () => {
      throw new Error('too slow');
    };
    await expect(withDeadline(never, 1, late)).rejects.toThrow('too slow');
  });

  it('drops the result of the work after the deadline', async () => {
    const work = Promise.withResolvers<string>();
    expect(await withDeadline(work.promise, 1, () => 'late')).toBe('late');
    work.reject(new Error('of no interest'));
    await new Promise(setImmediate);
  });
});
