export { EMPTY_ROOT, HASH_BYTES, leafHash } from './merkle/hash';
export { bundleOf, entriesOf } from './merkle/entries';
export { grownTiles, type FilledTile } from './merkle/grow';
export {
  bundlePath,
  readTilePath,
  TILE_WIDTH,
  tileName,
  tilePath,
  tilesOf,
  widthIn,
  type EntryBundle,
  type Tile,
} from './merkle/tile';
export { RunningRoot } from './merkle/running-root';
export { StoredTree, type TileSource } from './merkle/tree';
export { isIncluded, type TreeHead } from './merkle/verify';
export { checkpointText, openCheckpoint, readCheckpoint, type Checkpoint } from './notes/checkpoint';
export {
  cosignedAt,
  noteSigner,
  noteVerifier,
  NoteKeyError,
  privateKeyText,
  witnessVerifier,
  type NoteSigner,
  type NoteVerifier,
} from './notes/keys';
export {
  isSignedBy,
  readNote,
  signatureBy,
  signatureLine,
  signatureOf,
  signNote,
  writeNote,
  type Note,
  type NoteSignature,
} from './notes/note';
export { cosignatureIn, offerText } from './notes/offer';
