/// <reference types="./kafkajs-internals" />
import type { ISocketFactory } from 'kafkajs';
import socketFactory from 'kafkajs/src/network/socketFactory';

const open = socketFactory();

/** Opens sockets as kafkajs does. kafkajs unrefs destroyed sockets too, and Node would add a listener each time. */
export const openSocket: ISocketFactory = (args) => {
  const socket = open(args);
  const unref = socket.unref.bind(socket);
  socket.unref = () => (socket.destroyed ? socket : unref());
  return socket;
};
