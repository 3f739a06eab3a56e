import { randomBytes } from 'node:crypto';

/** Whether bytes contain a text, plain or in Base64 or hexadecimal, at any position of the encoded text. */
export class PlantedText {
  /** In lower case, because identities are normalised; hunted in both. */
  readonly text = `planted${randomBytes(8).toString('hex')}`;
  private readonly forms = formsOf(this.text);

  in(bytes: Buffer): boolean {
    return this.forms.some((form) => bytes.includes(form));
  }
}

function formsOf(text: string): string[] {
  const cases = [text, text.toUpperCase()];
  return [...cases, ...cases.flatMap(base64Forms), ...cases.flatMap(hexForms)];
}

/** Three forms for the three offsets in groups of three bytes; the edges depend on neighbours and are left out. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(text)]);
    const from = before === 0 ? 0 : before + 1;
    const encoded = bytes.toString('base64').replace(/=+$/, '');
    const whole = encoded.slice(from, bytes.length % 3 === 0 ? undefined : -1);
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function hexForms(text: string): string[] {
  const hex = Buffer.from(text).toString('hex');
  return [hex, hex.toUpperCase()];
}
