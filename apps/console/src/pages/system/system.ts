import type { Answer } from '../../api/answer';

export type System = Answer<'/operator/v1/system'>;
export type Service = System['services'][number];
export type Topic = NonNullable<System['topics']>[number];

/** A consumer group on one topic. */
export interface GroupLag {
  readonly service: string;
  readonly group: string;
  readonly state: string;
  readonly topic: string;
  readonly lag: number;
}

export const lagsOf = (services: readonly Service[]): readonly GroupLag[] =>
  services.flatMap(({ service, consumer_groups: groups }) =>
    groups.flatMap(({ group, state, topics }) =>
      topics.map(({ topic, lag }) => ({ service, group, state, topic, lag })),
    ),
  );

/** Something that should have been done by now. */
export interface Waiting {
  readonly service: string;
  readonly what: string;
  readonly seconds: number;
}

export const waitingOf = (services: readonly Service[]): readonly Waiting[] =>
  services.flatMap(({ service, outboxes, overdue_work: work }) => [
    ...outboxes.map(({ outbox, oldest_age_seconds: seconds }) => ({ service, what: outbox, seconds })),
    ...work.map(({ work: what, overdue_seconds: seconds }) => ({ service, what, seconds })),
  ]);

export interface Setting {
  readonly service: string;
  readonly name: string;
  /** Null: none, or hidden. */
  readonly value: string | null;
  /** It has a value that is not shown. */
  readonly hidden: boolean;
}

/** The settings of all services whose name or value holds the text. */
export function settingsOf(services: readonly Service[], text: string): readonly Setting[] {
  const wanted = text.trim().toLowerCase();
  return services
    .flatMap(({ service, settings }) => settings.map((setting) => ({ service, ...setting })))
    .filter(({ name, value }) => `${name} ${value ?? ''}`.toLowerCase().includes(wanted));
}
