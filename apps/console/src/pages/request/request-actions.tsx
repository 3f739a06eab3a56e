import { Button, Flex } from '@patternfly/react-core';
import PrintIcon from '@patternfly/react-icons/dist/esm/icons/print-icon';
import { ActionButton } from '../../actions/action-button';
import { useReasonDialog } from '../../actions/use-reason-dialog';
import { may } from '../../api/permission';
import { useTexts } from '../../language/language-context';
import { useSession } from '../../session/session-context';
import type { ReadRequest } from '../../requests/request-query';
import { requestTexts } from './texts';
import { useDecisions } from './use-decisions';
import { usePrint } from './use-print';

/** What the roles of the viewer allow to decide about a request, as it stands. */
export function RequestActions({ read }: { readonly read: ReadRequest }) {
  const t = useTexts(requestTexts);
  const session = useSession();
  const { extend, cancel } = useDecisions(read);
  const { dialog, ask } = useReasonDialog();
  const { story } = read;
  const print = usePrint({ ws: story.workspace, srid: story.subject_request_id });
  const mayDecide = may(session, 'decide', story.workspace);
  const canExtend = (story.legal_state === 'on_track' || story.legal_state === 'at_risk') && !story.extended;
  return (
    <Flex>
      {mayDecide && canExtend && (
        <ActionButton action={{ label: t.extend.do, help: t.extend.help, onConfirm: extend }} ask={ask} />
      )}
      {mayDecide && story.request_status === 'pending' && (
        <ActionButton
          action={{ label: t.cancel.do, help: t.cancel.help, isDangerous: true, onConfirm: cancel }}
          ask={ask}
        />
      )}
      <Button variant="secondary" icon={<PrintIcon />} onClick={print}>
        {t.print}
      </Button>
      {dialog}
    </Flex>
  );
}
