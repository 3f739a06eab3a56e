export { openTransparencyLog } from '../evidence/transparency-log.module';
export { publishCancellation } from './cancellation';
export { callbackEvents } from './callback-events';
export { Service } from './service';
export { NamedSigner } from './signer';
export { World } from './world';
