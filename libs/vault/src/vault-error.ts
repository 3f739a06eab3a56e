type VaultFault =
  | 'master-key-file' // the file is absent, unreadable or does not hold a key
  | 'log-key-file' // the file of the log's key is absent, unreadable or does not hold a key
  | 'master-key-wrong' // the keys in the database were wrapped by another master key
  | 'generation-files' // the file of a generation cannot be read or destroyed
  | 'generation-lost' // the secret of a generation that is in use does not exist, or is another one
  | 'generations-unset' // the keys are wrapped by generations, whose secrets this process was not given
  | 'key-service' // the key service refuses, or does not answer
  | 'key-unreadable' // a stored key does not unwrap: altered, or its workspace key is gone
  | 'seal-broken'; // a sealed value was altered, or stands where it does not belong

/** The message never contains key material or sealed content. */
export class VaultError extends Error {
  override readonly name = 'VaultError';

  constructor(
    readonly kind: VaultFault,
    message: string,
  ) {
    super(message);
  }
}
