export { MemoryTiles } from './memory-tiles';
export { testSigner } from './test-signer';
export { cosigner } from '../notes/keys';
export { isConsistent } from './is-consistent';
export { WitnessDouble } from './witness-double';
