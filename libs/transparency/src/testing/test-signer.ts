import { noteSigner, privateKeyText, type NoteSigner } from '../notes/keys';

/** A log key for specs: the same at each call. */
export const testSigner = (name = 'log.example/transparency', fill = 1): NoteSigner =>
  noteSigner(privateKeyText(name, Buffer.alloc(32, fill)));
