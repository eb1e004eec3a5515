import type { Frame, Locator, Page } from 'playwright-core';
import type { MeetingProvider, Screen, Sign, Target } from '../providers/provider.ts';

/** ms that a page may take for a press or for text. */
const ACT_WITHIN_MS = 3_000;

/** What a meeting's page shows, and what a guest does in it. */
export class MeetingScreen {
  readonly #page: Page;
  readonly #provider: MeetingProvider;

  constructor(page: Page, provider: MeetingProvider) {
    this.#page = page;
    this.#provider = provider;
  }

  /** @returns null when no sign is visible. */
  async read(): Promise<Screen | null> {
    return this.#first(this.#provider.signs);
  }

  /** Like `read`, of somebody who is in the call: as long as the page shows the call, chat cannot end it. */
  async readInCall(): Promise<Screen | null> {
    const { signs } = this.#provider;
    return (
      (await this.#first(signs.filter(({ evenInCall }) => evenInCall === true))) ??
      (await this.#first(signs.filter(({ shows }) => shows === 'in_call'))) ??
      (await this.#first(signs))
    );
  }

  async #first(signs: readonly Sign[]): Promise<Screen | null> {
    for (const { shows, find } of signs) if (await this.isVisible(find)) return shows;
    return null;
  }

  async isVisible(target: Target): Promise<boolean> {
    return (await this.#find(target)) !== null;
  }

  /** Does nothing when it is not there. @returns whether it was pressed. */
  async press(target: Target): Promise<boolean> {
    const found = await this.#find(target);
    if (found === null || !(await found.isEnabled().catch(() => false))) return false;
    return found.click({ timeout: ACT_WITHIN_MS }).then(
      () => true,
      () => false,
    );
  }

  /** Does nothing when it is not there, or says this already. */
  async fill(target: Target, text: string): Promise<void> {
    const found = await this.#find(target);
    if (found === null || !(await found.isEditable().catch(() => false))) return;
    if ((await found.inputValue().catch(() => text)) === text) return;
    await found.fill(text, { timeout: ACT_WITHIN_MS }).catch(() => undefined);
  }

  async #find(target: Target): Promise<Locator | null> {
    const places = this.#provider.inFrames === true ? this.#page.frames() : [this.#page];
    for (const place of places) {
      const found = locate(place, target).filter({ visible: true });
      // The page may go somewhere else at any time.
      if ((await found.count().catch(() => 0)) > 0) return found.first();
    }
    return null;
  }
}

function locate(place: Page | Frame, target: Target): Locator {
  if ('role' in target) return place.getByRole(target.role, { name: target.name });
  if ('label' in target) return place.getByLabel(target.label);
  if ('placeholder' in target) return place.getByPlaceholder(target.placeholder);
  if ('text' in target) return place.getByText(target.text);
  return place.locator(target.css);
}
