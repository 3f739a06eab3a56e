import { Card, CardBody, CardTitle, Gallery } from '@patternfly/react-core';
import { Link } from 'react-router';
import { useFormats, useTexts } from '../../language/language-context';
import { PlainTable } from '../../lists/plain-table';
import { DayBars } from './day-bars';
import type { Numbers } from './figures';
import { listOfDay } from './list-of-day';
import { overviewTexts } from './texts';

type Days = NonNullable<Numbers['overview']>['days'];

/** How many requests were received and ended on each of the last days: as bars of one scale, and as a table. */
export default function ThroughputChart({ days }: { readonly days: Days }) {
  const t = useTexts(overviewTexts).perDay;
  const { count, utcDay } = useFormats();
  const most = Math.max(...days.flatMap(({ received, ended }) => [received, ended]));
  const countsOf = (what: 'received' | 'ended') => days.map((one) => ({ day: one.day, count: one[what] }));
  return (
    <>
      <Gallery hasGutter minWidths={{ default: '100%', md: '26rem' }}>
        <Card isCompact>
          <CardTitle component="h3">{t.received}</CardTitle>
          <CardBody>
            <DayBars
              {...{ name: t.received, counts: countsOf('received'), most, label: t.receivedOn, listOf: listOfDay }}
            />
          </CardBody>
        </Card>
        <Card isCompact>
          <CardTitle component="h3">{t.ended}</CardTitle>
          <CardBody>
            <DayBars {...{ name: t.ended, counts: countsOf('ended'), most, label: t.endedOn }} />
          </CardBody>
        </Card>
      </Gallery>
      <p>{t.note}</p>
      <details>
        <summary>{t.table}</summary>
        <PlainTable
          name={t.name}
          rows={days}
          keyOf={({ day }) => day}
          columns={[
            { title: t.day, text: ({ day }) => utcDay(day) },
            {
              title: t.received,
              text: ({ received }) => count(received),
              cell: ({ day, received }) => <Link to={listOfDay(day)}>{count(received)}</Link>,
            },
            { title: t.ended, text: ({ ended }) => count(ended) },
          ]}
        />
      </details>
    </>
  );
}
