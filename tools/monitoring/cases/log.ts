import { each, seriesOf, type AlertCase, type Scenario } from './alert-case';

const outbox = seriesOf('gateway', 'opendsr_outbox_oldest_age_seconds', { outbox: 'commands' });
const parked = (kind: string) =>
  seriesOf('request', 'opendsr_parked_records', { group: 'request', topic: 'dsr.commands.v1', kind });
const oldest = (kind: string) => seriesOf('request', 'opendsr_parked_oldest_age_seconds', { group: 'request', kind });
const lag = seriesOf('request', 'opendsr_consumer_lag_records', { group: 'request', topic: 'dsr.commands.v1' });
const leaderless = seriesOf('request', 'opendsr_consumer_leaderless_partitions', {
  group: 'request',
  topic: 'dsr.commands.v1',
});
const state = (pod: string, name: string) =>
  seriesOf('request', 'opendsr_consumer_state', { group: 'request', state: name, pod });

/** Two members of a group, each in one state. */
const members = (first: string, second: string): Scenario['series'] =>
  Object.fromEntries(
    ['joining', 'consuming', 'away'].flatMap((name) => [
      [state('a', name), `${Number(name === first)}x30`],
      [state('b', name), `${Number(name === second)}x30`],
    ]),
  );

export const LOG: readonly AlertCase[] = [
  {
    alert: 'OpenDSROutboxOld',
    fires: {
      series: { [outbox]: '61x20' },
      at: '10m',
      labels: { outbox: 'commands' },
      says: 'The oldest entry of the outbox commands is 1m 1s old. Nothing is lost, but its requests wait.',
    },
    silent: [...each(outbox, '10m', ['60x20']), ...each(outbox, '4m', ['61x20'])],
  },
  {
    alert: 'OpenDSROutboxStuck',
    fires: {
      series: { [outbox]: '3601x20' },
      at: '10m',
      labels: { outbox: 'commands' },
      says: 'The oldest entry of the outbox commands is 1h 0m 1s old.',
    },
    silent: each(outbox, '10m', ['3600x20']),
  },
  {
    alert: 'OpenDSRRecordsParked',
    fires: {
      series: { [parked('blocking')]: '2x20' },
      at: '6m',
      labels: { group: 'request', topic: 'dsr.commands.v1' },
      says: '2 records of dsr.commands.v1 are parked by the group request: their requests wait.',
    },
    silent: [
      ...each(parked('blocking'), '6m', ['0x20']),
      ...each(parked('blocking'), '4m', ['2x20']),
      ...each(parked('aside'), '6m', ['5x20']),
    ],
  },
  {
    alert: 'OpenDSRRecordsParkedForADay',
    fires: {
      series: { [oldest('blocking')]: '90000x20', [oldest('aside')]: '0x20', [parked('blocking')]: '1x20' },
      at: '6m',
      labels: { group: 'request' },
      says: 'The group request parked a record 1d 1h 0m 0s ago that blocks later records; the deadline of its request approaches.',
    },
    silent: [
      ...each(oldest('blocking'), '6m', ['86400x20']),
      // The old records block nothing, and the blocking ones are new.
      {
        series: {
          [oldest('blocking')]: '60+60x20',
          [oldest('aside')]: '90000x20',
          [parked('blocking')]: '1x20',
          [parked('aside')]: '1x20',
        },
        at: '6m',
      },
    ],
  },
  {
    alert: 'OpenDSRPartitionLeaderless',
    fires: {
      // The lag of the others is known meanwhile.
      series: { [leaderless]: '1x20', [lag]: '0x20' },
      at: '6m',
      labels: { topic: 'dsr.commands.v1' },
      says: '1 partitions of dsr.commands.v1 have no leader: their records are neither read nor written, and no lag counts them.',
    },
    silent: [...each(leaderless, '6m', ['0x20']), ...each(leaderless, '4m', ['1x20'])],
  },
  {
    alert: 'OpenDSRLagGrowing',
    fires: {
      series: { [lag]: '1001+100x40' },
      at: '20m',
      labels: { group: 'request', topic: 'dsr.commands.v1' },
      says: 'The group request has been more than 1.501k records behind the end of dsr.commands.v1 for 15 minutes, and its lag grows.',
    },
    // It shrinks; it came a short time ago; it is small.
    silent: each(lag, '20m', ['9000-100x40', '0x10 5000+100x20', '100+10x40']),
  },
  {
    alert: 'OpenDSRConsumerStuck',
    fires: {
      series: { [lag]: '40x50' },
      at: '35m',
      labels: { group: 'request', topic: 'dsr.commands.v1' },
      says: 'The group request has had 40 records of dsr.commands.v1 or more to read for half an hour, and its lag never fell.',
    },
    firesToo: [
      {
        series: { [lag]: '0x5 1+1x50' },
        at: '45m',
        labels: { group: 'request', topic: 'dsr.commands.v1' },
        says: 'The group request has had 10 records of dsr.commands.v1 or more to read for half an hour, and its lag never fell.',
      },
    ],
    silent: [
      ...each(lag, '31m', ['40x50']),
      // It never has more to do, comes on each few minutes, came on once, or has had something to do for a short time.
      ...each(lag, '45m', ['0x60', '50-10x4 '.repeat(12).trim(), '40x25 39x30', '0x20 40x30']),
      // After a restart the earlier value is unknown.
      ...each(lag, '40m', ['40x15 stale _x4 40x40']),
    ],
  },
  {
    alert: 'OpenDSRConsumerAway',
    fires: {
      series: members('away', 'joining'),
      at: '6m',
      labels: { group: 'request' },
      says: 'None of the 2 members of the group request has been in contact with Kafka for 5 minutes.',
    },
    silent: [
      { series: members('away', 'consuming'), at: '6m' },
      { series: members('away', 'away'), at: '4m' },
    ],
  },
];
