import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { useTexts } from '../../language/language-context';
import { Page } from '../../parts/page';
import { QueryState } from '../../parts/query-state';
import { requestWords } from '../../requests/texts';
import { Attestation } from './attestation/attestation';
import { Deliveries } from './deliveries/deliveries';
import { Identities } from './identities/identities';
import { LegalClock } from './legal-clock';
import { LogEntries } from './log-entries';
import { LogRecords } from './log-records/log-records';
import { Participants } from './participants';
import { requestQuery, type Which } from '../../requests/request-query';
import { RequestActions } from './request-actions';
import { RequestFacts } from './request-facts';
import { Services } from './services/services';
import { requestTexts } from './texts';
import { TimeLine } from './time-line/time-line';

/** One request with its whole story. */
export default function RequestPage() {
  const { ws = '', srid = '' } = useParams();
  // What was revealed or typed about one request never stands on the page of another.
  return <Shown key={`${ws}/${srid}`} which={{ ws, srid }} />;
}

function Shown({ which }: { readonly which: Which }) {
  const t = useTexts(requestTexts);
  const words = useTexts(requestWords);
  const query = useQuery(requestQuery(which));
  const { data, isPending } = query;
  const title = data ? t.title(words.type[data.story.subject_request_type]) : t.title(which.srid);
  return (
    <Page title={title} isLoading={isPending} actions={data && <RequestActions read={data} />}>
      <QueryState query={query}>
        {(read) => (
          <div className="console-sections">
            <RequestFacts story={read.story} />
            <LegalClock story={read.story} />
            <TimeLine which={which} />
            <Participants read={read} />
            <Deliveries read={read} />
            <Services which={which} />
            <Attestation story={read.story} />
            <LogEntries which={which} />
            <LogRecords which={which} />
            <Identities story={read.story} />
          </div>
        )}
      </QueryState>
    </Page>
  );
}
