import { command, EXIT, type Terminal } from '../command';
import { withStores } from '../db/stores.wiring';
import { duration } from '../duration';
import { flag, optional, UsageError } from '../options';
import { jsonOption, showEach } from '../output';
import { workspace } from '../participants/participant-options';

const gatewayOperation = () => import('@opendsr-service/gateway/operation');
type ListDue = Awaited<ReturnType<typeof gatewayOperation>>['dueRequests'];
type DueFilter = Parameters<ListDue>[1];
type DueRequest = ReturnType<ListDue> extends AsyncGenerator<readonly (infer One)[]> ? One : never;

/** `dsr requests list` (docs/legal-clock.md). */
export const requestsList = command({
  words: 'requests list',
  meaning:
    'lists requests that have not ended, the earliest legal date first: date, how it stands, workspace, id, type, ' +
    'regulation, status. --due-within: those whose date is at most so far away, or over; --overdue: those ' +
    'whose date is over; --open: all that have a legal date',
  options: {
    'due-within': optional('7d', duration(0)),
    overdue: flag,
    open: flag,
    workspace: optional('W', workspace.parse),
    ...jsonOption,
  },
  run: (given, terminal) => {
    const filter = { ...filterOf(given, terminal), ...(given.workspace !== undefined && { ws: given.workspace }) };
    return withStores(terminal, async ({ storage }) => {
      const { database, dueRequests } = await gatewayOperation();
      const gateway = await storage.database(database.name);
      await showEach(terminal, given, {
        name: 'requests',
        items: shownOf(dueRequests(gateway, filter), terminal.now()),
        lines: (one) => [lineOf(one)],
        none: 'there is no such request',
      });
      return EXIT.ok;
    });
  },
});

interface Asked {
  readonly 'due-within': number | undefined;
  readonly overdue: true | undefined;
  readonly open: true | undefined;
}

function filterOf(
  { 'due-within': dueWithin, overdue, open }: Asked,
  { now }: Pick<Terminal, 'now'>,
): Pick<DueFilter, 'until'> {
  if ([dueWithin, overdue, open].filter((one) => one !== undefined).length !== 1)
    throw new UsageError('needs one of --due-within, --overdue and --open');
  if (open) return {};
  return { until: new Date(now().getTime() + (dueWithin ?? 0)) };
}

async function* shownOf(pages: AsyncIterable<readonly DueRequest[]>, now: Date) {
  for await (const page of pages) for (const request of page) yield shownRequest(request, now);
}

const shownRequest = (request: DueRequest, now: Date) => ({
  dueBy: request.dueBy.toISOString(),
  state: stateOf(request, now),
  workspace: request.ws,
  id: request.srid,
  type: request.type,
  regulation: request.countedBy,
  status: request.status,
  receivedAt: request.receivedAt.toISOString(),
  legalDueAt: request.legalDueAt?.toISOString(),
  extendedUntil: request.extendedUntil?.toISOString(),
});

function stateOf({ dueBy, atRiskAt }: DueRequest, now: Date): 'overdue' | 'at-risk' | 'on-track' {
  if (dueBy < now) return 'overdue';
  return atRiskAt && atRiskAt <= now ? 'at-risk' : 'on-track';
}

const lineOf = ({
  dueBy,
  state,
  workspace: ws,
  id,
  type,
  regulation,
  status,
  extendedUntil,
}: ReturnType<typeof shownRequest>): string =>
  [dueBy, state, ws, id, type, regulation ?? '-', status, ...(extendedUntil === undefined ? [] : ['extended'])].join(
    '  ',
  );
