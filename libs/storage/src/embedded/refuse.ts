import { EmbeddedUnsupported } from './errors';

/** Gives `target` every method of MongoDB's class that it lacks, to say that it is not supported. */
export function refuseOthers(target: object, original: object, noun: string): void {
  for (const name of Object.getOwnPropertyNames(original)) {
    if (name in target || typeof Object.getOwnPropertyDescriptor(original, name)?.value !== 'function') continue;
    const refuse = (): never => {
      throw new EmbeddedUnsupported(`${noun}.${name}()`);
    };
    Object.defineProperty(target, name, { value: refuse });
  }
}
