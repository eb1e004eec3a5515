/**
 * 0…1 of the packets. Random loss up to here is the network's normal weather; retransmissions that are asked for mend
 * it.
 */
export const TOLERABLE_LOSS = 0.02;
/** Above this, retransmissions and concealment no longer hide what is lost. */
export const HEAVY_LOSS = 0.1;

/** A burst of loss passes by itself; what lasts longer is the link. */
const SUSTAINED_MS = 4_000;
/** Below this again for a while: the link is well. */
const LIGHT_LOSS = 0.05;
const RECOVERED_MS = 5_000;

/** How long a session that asked for the highest quality holds on to it while packets are lost. Pure. */
export class SustainedLoss {
  #stage: {
    readonly kind: 'holding' | 'yielding';
    /** Since when loss speaks against the stage; null: it does not. */ readonly against: number | null;
  } = { kind: 'holding', against: null };

  /** Whether it has lasted for so long that the quality yields to it. */
  get isSustained(): boolean {
    return this.#stage.kind === 'yielding';
  }

  /** @param loss 0…1 of late. */
  saw(loss: number, now: number): void {
    const { kind, against } = this.#stage;
    const contradicted = kind === 'holding' ? loss > HEAVY_LOSS : loss < LIGHT_LOSS;
    if (!contradicted) this.#stage = { kind, against: null };
    else if (against === null) this.#stage = { kind, against: now };
    else if (now - against >= (kind === 'holding' ? SUSTAINED_MS : RECOVERED_MS))
      this.#stage = { kind: kind === 'holding' ? 'yielding' : 'holding', against: null };
  }
}
