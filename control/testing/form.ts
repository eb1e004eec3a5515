/** A multipart form as browsers write it. */
export class Form {
  readonly #boundary = 'parley-test-boundary';
  readonly #parts: Buffer[] = [];
  readonly contentType = `multipart/form-data; boundary=${this.#boundary}`;

  field(name: string, value: string): this {
    this.#parts.push(
      Buffer.from(`--${this.#boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    );
    return this;
  }
  file(name: string, filename: string, contentType: string, bytes: Uint8Array | string): this {
    this.#parts.push(
      Buffer.from(
        `--${this.#boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: ${contentType}\r\n\r\n`,
      ),
      Buffer.from(bytes as Uint8Array),
      Buffer.from('\r\n'),
    );
    return this;
  }
  bytes(): Buffer {
    return Buffer.concat([...this.#parts, Buffer.from(`--${this.#boundary}--\r\n`)]);
  }
}
