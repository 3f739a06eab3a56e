export { MemoryTiles } from './memory-tiles';
export { cosigner } from '../notes/keys';
