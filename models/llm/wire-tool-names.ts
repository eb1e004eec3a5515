import type { ToolSpec } from '../ports.ts';

/** Names of tools that OpenAI and Anthropic accept. Parley also accepts dots. */
const OTHER_CHARACTERS = /[^a-zA-Z0-9_-]/g;

/** Maps names of tools to the provider's form and back. Two tools never share a name. */
export class WireToolNames {
  readonly #toWire = new Map<string, string>();
  readonly #fromWire = new Map<string, string>();

  constructor(tools: readonly Pick<ToolSpec, 'name'>[]) {
    // Valid names stay.
    for (const { name } of tools.toSorted((a, b) => Number(mustChange(a.name)) - Number(mustChange(b.name))))
      this.#add(name);
  }

  toWire(name: string): string {
    return this.#toWire.get(name) ?? plain(name);
  }

  /** @param wireName from the model. */
  fromWire(wireName: string): string {
    return this.#fromWire.get(wireName) ?? wireName;
  }

  #add(name: string): void {
    let wireName = plain(name);
    for (let count = 2; this.#fromWire.has(wireName); count += 1) wireName = `${plain(name)}_${count}`;
    this.#toWire.set(name, wireName);
    this.#fromWire.set(wireName, name);
  }
}

function mustChange(name: string): boolean {
  return plain(name) !== name;
}

function plain(name: string): string {
  // Gemini: "Must start with a letter or an underscore".
  return name.replaceAll(OTHER_CHARACTERS, '_').replace(/^(?=[\d-])/, '_');
}
