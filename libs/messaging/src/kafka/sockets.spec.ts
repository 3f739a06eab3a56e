import { openSocket } from './sockets';

it('a closed socket accepts the repeated unref calls of kafkajs without a warning of a leak', async () => {
  const socket = openSocket({ host: '127.0.0.1', port: 1, onConnect: () => undefined } as Parameters<
    typeof openSocket
  >[0]);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('close', resolve));
  for (let n = 0; n < 20; n++) socket.unref();
  // That of kafkajs itself.
  expect(socket.listenerCount('connect')).toBe(1);
});
