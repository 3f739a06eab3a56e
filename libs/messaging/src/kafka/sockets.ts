/// <reference types="./kafkajs-internals" />
import type { ISocketFactory } from 'kafkajs';
import socketFactory from 'kafkajs/src/network/socketFactory';

const open = socketFactory();

/**
 * Opens the sockets of Kafka as kafkajs does. kafkajs lets go of a socket as often as it disconnects, also when it is
 * gone long since: each time
 * Node would put by a listener for a connection that never comes, until it warns of a leak.
 */
export const openSocket: ISocketFactory = (args) => {
  const socket = open(args);
  const unref = socket.unref.bind(socket);
  socket.unref = () => (socket.destroyed ? socket : unref());
  return socket;
};
