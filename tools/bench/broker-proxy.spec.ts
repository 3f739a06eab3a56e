import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { BrokerProxy, RequestHeads } from './broker-proxy';

const request = (kind: number, length: number): Buffer => {
  const bytes = Buffer.alloc(4 + length);
  bytes.writeInt32BE(length, 0);
  bytes.writeInt16BE(kind, 4);
  return bytes;
};
const requests = Buffer.concat([request(0, 2), request(1, 900), request(8, 40), request(18, 10), request(0, 70_000)]);

it.each([1, 3, 5, 7, 64, 100_000])('finds each request in bytes that come %i at a time', (size) => {
  const kinds: number[] = [];
  const heads = new RequestHeads((kind) => kinds.push(kind));
  for (let at = 0; at < requests.length; at += size) heads.take(requests.subarray(at, at + size));
  expect(kinds).toEqual([0, 1, 8, 18, 0]);
});

it('hands on what both sides send, and counts produces, fetches and commits', async () => {
  const heard: Buffer[] = [];
  const broker = createServer((socket) => socket.on('data', (bytes) => heard.push(bytes)).write('answer'));
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  const proxy = await BrokerProxy.listen();
  proxy.forwardTo((broker.address() as AddressInfo).port);
  const client = connect(Number(proxy.address.split(':')[1]), '127.0.0.1');
  client.write(requests);
  const [answer] = (await once(client, 'data')) as [Buffer];
  client.end();
  await once(client, 'close');
  proxy.close();
  broker.close();
  expect(String(answer)).toBe('answer');
  expect(Buffer.concat(heard)).toEqual(requests);
  expect(proxy.counts).toEqual({ produces: 2, fetches: 1, commits: 1 });
});
