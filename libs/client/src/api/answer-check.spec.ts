import { ScriptedService } from '../testing/scripted-service';
import { DOMAIN, makeSender, type Sender } from '../testing/sender';
import { DsrClient } from './dsr-client';
import { DsrSignatureError } from './errors';

const ID = '475974fa-6b42-4370-bb56-b5d845686bb5';
const text = JSON.stringify({ subject_request_id: ID, request_status: 'pending' }, null, 1);
let service: ScriptedService;
let sender: Sender;

beforeAll(async () => {
  [service, sender] = [await ScriptedService.start(), await makeSender()];
});
afterAll(() => service.close());

const statusOf = (signed: string, allowedDomains = [DOMAIN]) => {
  service.says({ status: 200, headers: sender.headersOf(signed), body: text });
  return new DsrClient({
    baseUrl: service.baseUrl,
    key: 'k',
    secret: 's',
    verifyAnswers: { ...sender.trusting, allowedDomains },
  }).status(ID);
};

it('accepts an answer that an allowed domain signed over its received bytes', async () => {
  await expect(statusOf(text)).resolves.toMatchObject({ request_status: 'pending' });
});

it.each<[string, () => Promise<unknown>, string]>([
  ['signed over other bytes', () => statusOf(`${text} `), 'signature'],
  ['of another domain', () => statusOf(text, ['other.example']), 'domain'],
])('refuses one %s, without a retry', async (_what, status, failed) => {
  const error = await status().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DsrSignatureError);
  expect(error).toMatchObject({ failed });
  expect(service.calls).toHaveLength(1);
});
