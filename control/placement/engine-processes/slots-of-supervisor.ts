import { randomUUID } from 'node:crypto';
import { HttpError } from '../../errors/http-error.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import type { SlotLedger, SlotShare, SlotStarts, TakenSlot } from '../slot-ledger.ts';
import type { Supervisor } from './supervisor.ts';

/** Sessions as the supervisor counts them, for all engine processes of this machine. */
export class SlotsOfSupervisor implements SlotLedger {
  readonly #supervisor: Pick<Supervisor, 'call' | 'tell'>;

  constructor(supervisor: Pick<Supervisor, 'call' | 'tell'>) {
    this.#supervisor = supervisor;
  }

  async take(shares: readonly SlotShare[], starts: SlotStarts | null, slot: string = randomUUID()): Promise<TakenSlot> {
    const answer = await this.#supervisor.call('slots.take', shares, starts, slot).catch(() => {
      throw new HttpError(sessionErrors.noEngines);
    });
    return answer.taken ? { taken: true, giveBack: () => this.leave(slot) } : answer;
  }

  adopt(shares: readonly SlotShare[], slot: string): () => void {
    this.#supervisor.tell({ kind: 'slot.adopt', shares, slot });
    return () => this.leave(slot);
  }

  leave(slot: string): void {
    this.#supervisor.tell({ kind: 'slot.drop', slot });
  }

  async isFree(shares: readonly SlotShare[]): Promise<boolean> {
    return this.#supervisor.call('slots.isFree', shares).catch(() => false);
  }

  async count(key: string): Promise<number> {
    return this.#supervisor.call('slots.count', key);
  }
}
