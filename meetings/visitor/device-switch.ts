/** Looks that the page may need until its buttons are there, or until it has done what was pressed. */
const SETTLES_WITHIN = 20;

type State =
  /** The page has just come up. */
  | 'new'
  | 'pressed'
  | 'on'
  /** Somebody has turned it off, or the press was of no use. */
  | 'off';

/** The persona's microphone or camera, as the meeting's page shows it by a button that is there while it is off. */
export class DeviceSwitch {
  #state: State = 'new';
  #looks = 0;

  /** The page was looked at. @param isOff its button is there. @returns whether to press it: once, at the beginning. */
  look(isOff: boolean): boolean {
    if (this.#state === 'new' && isOff) return true;
    this.#looks += 1;
    const settled = this.#looks >= SETTLES_WITHIN;
    if (this.#state === 'new') {
      if (settled) this.#state = 'on';
    } else if (!isOff) this.#state = 'on';
    else if (this.#state === 'on' || settled) this.#state = 'off';
    return false;
  }

  pressed(): void {
    this.#state = 'pressed';
    this.#looks = 0;
  }

  get isOff(): boolean {
    return this.#state === 'off';
  }
}
