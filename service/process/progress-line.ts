const WIDTH = 30;
/** Often enough to look alive, seldom enough for a slow terminal. */
const REDRAW_MS = 100;

/** One line of a terminal that is drawn over itself; elsewhere, a line at the end only. */
export class ProgressLine {
  readonly #name: string;
  readonly #stream: NodeJS.WriteStream;
  #drawnAt = 0;

  constructor(name: string, stream: NodeJS.WriteStream) {
    this.#name = name;
    this.#stream = stream;
  }

  update(received: number, total: number): void {
    const now = performance.now();
    if (this.#stream.isTTY !== true || (now - this.#drawnAt < REDRAW_MS && received !== total)) return;
    this.#drawnAt = now;
    this.#stream.write(`\r\x1b[2K  ${progressText(this.#name, received, total)}`);
  }

  /** In place of the line. */
  say(text: string): void {
    if (this.#stream.isTTY === true) this.#stream.write(`\r\x1b[2K  ${text}`);
  }

  finish(text: string): void {
    this.#stream.write(`${this.#stream.isTTY === true ? '\r\x1b[2K' : ''}  ${text}\n`);
  }
}

/** @returns for example `smart-turn  [=====>    ]  52 %  4.5 / 8.7 MB`. */
export function progressText(name: string, received: number, total: number): string {
  const share = Math.min(1, received / total);
  const filled = Math.round(share * WIDTH);
  const bar = '='.repeat(filled).padEnd(WIDTH);
  return `${name}  [${bar}]  ${String(Math.round(share * 100)).padStart(3)} %  ${megabytes(received)} / ${megabytes(total)} MB`;
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
