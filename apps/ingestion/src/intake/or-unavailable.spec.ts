import type { ApiError } from '@opendsr-service/edge';
import { PublishRefused, PublishTimeout } from '@opendsr-service/messaging';
import { mongo } from 'mongoose';
import { IdentitiesBusy } from '../identities/subject';
import { orUnavailable } from './or-unavailable';

const outcomeOf = (error: Error): Promise<unknown> => orUnavailable(() => Promise.reject(error)).catch((thrown: unknown) => thrown);

describe('the work of a call', () => {
  it.each([new PublishTimeout('late'), new PublishRefused('away', 'away'), new IdentitiesBusy('busy'), new mongo.MongoNetworkError('away')])(
    'becomes a 503 that says when to come again where something is away for a while: %s',
    async (error) => {
      const thrown = (await outcomeOf(error)) as ApiError;
      expect([thrown.status, thrown.headers]).toEqual([503, { 'retry-after': '1' }]);
    },
  );

  it('fails as it does where it fails for another reason', async () => {
    const error = new TypeError('a fault of our own');
    expect(await outcomeOf(error)).toBe(error);
  });

  it('answers what it answers', async () => {
    expect(await orUnavailable(() => Promise.resolve(1))).toBe(1);
  });
});
