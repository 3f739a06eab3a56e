export { ACKNOWLEDGED_WITHIN_MS } from '../intake/ingest-publisher';
export { Service } from './service';
export { World } from './world';
