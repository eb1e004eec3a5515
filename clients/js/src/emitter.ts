type Listener = (...args: never[]) => void;

/** Calls listeners by the name of an event. A listener that throws is reported to the page and harms nobody else. */
export class Emitter<Events extends { [Name in keyof Events]: readonly unknown[] }> {
  readonly #listeners = new Map<keyof Events, Set<Listener>>();

  /** @returns a function that removes the listener. */
  add<Name extends keyof Events>(event: Name, listener: (...args: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(event) ?? new Set();
    listeners.add(listener as unknown as Listener);
    this.#listeners.set(event, listeners);
    return () => this.remove(event, listener);
  }

  remove<Name extends keyof Events>(event: Name, listener: (...args: Events[Name]) => void): void {
    this.#listeners.get(event)?.delete(listener as unknown as Listener);
  }

  emit<Name extends keyof Events>(event: Name, ...args: Events[Name]): void {
    // A copy: a listener that removes itself must not shift the others.
    for (const listener of Array.from(this.#listeners.get(event) ?? [])) {
      try {
        listener(...(args as unknown as never[]));
      } catch (error) {
        reportError(error);
      }
    }
  }
}
