import type { Answer } from '../../api/answer';

type System = Answer<'/operator/v1/system'>;
export type Service = System['services'][number];
export type Topic = NonNullable<System['topics']>[number];

/** A line for each consumer group and topic. */
export const lagsOf = (services: readonly Service[]) =>
  services.flatMap(({ service, consumer_groups: groups }) =>
    groups.flatMap(({ group, state, topics }) =>
      topics.map(({ topic, lag }) => ({ service, group, state, topic, lag })),
    ),
  );

/** What should have been done by now. */
export const waitingOf = (services: readonly Service[]) =>
  services.flatMap(({ service, outboxes, overdue_work: work }) => [
    ...outboxes.map(({ outbox, oldest_age_seconds: seconds }) => ({ service, what: outbox, seconds })),
    ...work.map(({ work: what, overdue_seconds: seconds }) => ({ service, what, seconds })),
  ]);

/** The settings of all services whose name or value holds the text. A value is null where there is none, or it is hidden. */
export function settingsOf(services: readonly Service[], text: string) {
  const wanted = text.trim().toLowerCase();
  return services
    .flatMap(({ service, settings }) => settings.map((setting) => ({ service, ...setting })))
    .filter(({ name, value }) => `${name} ${value ?? ''}`.toLowerCase().includes(wanted));
}
