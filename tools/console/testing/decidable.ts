import { Controller } from '../../e2e/controller';
import { register, type Registered } from '../../e2e/operator';
import type { Service } from '../../e2e/service';
import { Receiver } from '../../receiver/receiver';
import { create, spoil, takePart } from './filled';

/** What is in the service with a provider, so that every action has something to act on. */
export interface Decidable {
  readonly receiver: Receiver;
  /** Takes part in requests for access, and has not reported. */
  readonly participant: Registered;
  /** Waits for as long as the tests take. */
  readonly pending: string;
  /** In progress: its participant failed, and its callbacks arrived. */
  readonly inProgress: string;
}

/** Makes them, and a parked record. */
export async function fillDecidable(service: Service): Promise<Decidable> {
  const receiver = await Receiver.start(service.receiverTls);
  const participant = await register(service, { name: 'billing', types: 'access' });
  const [pending, inProgress] = await Promise.all([
    create(new Controller(service), { subject_request_type: 'portability' }),
    takePart(service, participant, receiver.url('/taken')),
    spoil(service),
  ]);
  await receiver.wait('/taken', 1);
  return { receiver, participant, pending, inProgress };
}
