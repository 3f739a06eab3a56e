import type { Answer } from '../answer';
import { expectEqual, expectFields, expectStatus, expectSuccess, expectThat, type Fields } from '../checks';
import { completed, completedRound } from '../life';
import { domainOf, headerOf } from '../processor';
import { inInterface, inNotes } from '../rule';
import { raw, type Session } from '../session';

const linkOf = async (session: Session): Promise<string> => String((await completedRound(session)).results_url);

/** The results link of a known person (--known). */
const knownResults = (session: Session, type: 'access' | 'portability', waitMs?: number): Promise<string> =>
  session.once(`known ${type}`, async () => {
    const { type: identityType = '', value = '' } = session.target.known ?? {};
    const { subject_request_id: id } = await session.admit({
      subject_request_type: type,
      subject_identities: [raw(identityType, value), raw('controller_customer_id', session.email())],
    });
    return String((await completed(session, id, waitMs)).results_url);
  });

const knownLink = (session: Session): Promise<string> => knownResults(session, 'access');

/** The record of a completed portability request about an unknown person. */
const completedPortability = (session: Session): Promise<Fields> =>
  session.once('completed portability', async () => {
    const { subject_request_id: id } = await session.admit({ subject_request_type: 'portability' });
    return completed(session, id, session.options.portabilityWaitMs);
  });

const download = (session: Session): Promise<Answer> =>
  session.once('download', async () => session.fetch(await knownLink(session)));

const ZIP_START = 'PK';

function expectZip(answer: Answer): void {
  expectEqual('Content-Type', headerOf(answer, 'content-type'), 'application/zip');
  expectThat(answer.body.toString('latin1', 0, 2) === ZIP_START, 'a zip archive', 'other bytes');
}

export const resultsRules = [
  ...inInterface('Request status record', [
    {
      id: 'results.url',
      title: 'a completed access request has a results_url',
      order: 'waits',
      run: async (session) => expectFields(await completedRound(session), { results_url: 'absolute http(s) URL' }),
    },
    {
      id: 'results.portability',
      title: 'a completed portability request has a results_url',
      order: 'waits',
      run: async (session) =>
        expectFields(await completedPortability(session), { results_url: 'absolute http(s) URL' }),
    },
    {
      id: 'results.erasure',
      title: 'a completed erasure request has no results_url',
      order: 'waits',
      run: async (session) => {
        const { subject_request_id: id } = await session.admit({ subject_request_type: 'erasure' });
        expectEqual('results_url', (await completed(session, id)).results_url, null);
      },
    },
  ]),
  ...inInterface('Endpoints', [
    {
      id: 'results.nobody',
      title: 'the results link gets 404 where nobody matched',
      order: 'waits',
      run: async (session) => expectStatus(await session.fetch(await linkOf(session)), 404),
    },
    {
      id: 'results.portability-nobody',
      title: 'the results link of a portability request gets 404 there too',
      order: 'waits',
      run: async (session) =>
        expectStatus(await session.fetch(String((await completedPortability(session)).results_url)), 404),
    },
    {
      id: 'results.download',
      title: 'the results link leads to results where somebody matched',
      needs: ['known'],
      order: 'waits',
      run: async (session) => expectSuccess(await download(session), 'the results link'),
    },
    {
      id: 'results.gone',
      title: 'the results link gets 410 after seven days',
      needs: ['oldLink'],
      run: async (session) => expectStatus(await session.fetch(session.target.oldResultsUrl ?? ''), 410),
    },
  ]),
  ...inNotes('results_url', [
    {
      id: 'results.root',
      title: 'results_url begins with the root of the version',
      order: 'waits',
      run: async (session) => expectUnder(session, await linkOf(session)),
    },
    {
      id: 'results.zip',
      title: 'results are application/zip',
      needs: ['known'],
      order: 'waits',
      run: async (session) => expectZip(await download(session)),
    },
    {
      id: 'results.portability-zip',
      title: 'results of a portability request are application/zip',
      needs: ['known'],
      order: 'waits',
      run: async (session) =>
        expectZip(await session.fetch(await knownResults(session, 'portability', session.options.portabilityWaitMs))),
    },
    {
      id: 'results.any-credentials',
      title: 'the results link ignores credentials',
      needs: ['known'],
      order: 'waits',
      run: async (session) => {
        for (const as of [session.target.account, { key: 'nobody', secret: 'wrong' }])
          expectStatus(await session.fetch(await knownLink(session), as), 200, 'the results link');
      },
    },
    {
      id: 'results.guess',
      title: 'an unknown results link gets 404',
      run: async (session) => (
        await domainOf(session),
        expectStatus(
          await session.fetch(`${session.root}/results/${Buffer.alloc(32, session.run).toString('base64url')}`),
          404,
        )
      ),
    },
  ]),
];

/** The rest of the link gives access to the results, so it is not shown. */
function expectUnder({ root }: Session, link: string): void {
  const shown = URL.canParse(link)
    ? `${new URL(link).origin}${new URL(link).pathname.split('/', 2).join('/')}/…`
    : 'none';
  expectThat(link.startsWith(`${root}/`), `an address under ${root}/`, shown);
}
