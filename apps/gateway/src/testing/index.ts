export { callbackEvents } from './callback-events';
export { Service } from './service';
export { World } from './world';
