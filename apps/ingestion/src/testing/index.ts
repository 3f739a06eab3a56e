export { Service } from './service';
export { World } from './world';
