import type { SessionResources } from '../../../actors/session-config.ts';
import { headOf, type RestorableSession } from '../../../engine/index.ts';
import { releaseLinkUse } from './link-uses.ts';
import { modelOf, readHead } from './session-head.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Store } from '../../store/open.ts';
import type { Engine } from '../../../engine/ports.ts';
import type { ControlPorts } from '../../ports.ts';
import type { Knowledge } from '../../api/knowledge/knowledge.ts';
import type { SessionStore } from '../records/session-store.ts';
import type { SessionSlots } from '../../placement/session-slots.ts';
import type { EnginePlaces } from '../../placement/engine-places.ts';
import type { Logger } from '../../../runtime/log.ts';

/** What is taken of the service here. */
export interface TakeoverParts {
  readonly settings: Pick<Settings, 'PARLEY_ENGINE_ID' | 'PARLEY_REGION'>;
  readonly store: Store;
  readonly engine: Engine;
  readonly ports: Pick<ControlPorts, 'llms'>;
  readonly knowledge: Knowledge;
  readonly sessions: SessionStore;
  readonly slots: SessionSlots;
  readonly places: EnginePlaces;
  readonly log: Logger;
}

/**
 * Goes on here with a session of another process. Its organization and its visitor have their slots already, so no limit
 * is asked. Resolves when it is live.
 * @throws SessionRestoreError, CapacityError, or an error of the store; nothing of it is live then.
 */
export async function takeOverSession(control: TakeoverParts, past: RestorableSession): Promise<void> {
  const { sessionId } = past;
  const { config, head: text } = headOf(past);
  const head = readHead(text);
  const resources: SessionResources = {
    llm: modelOf(control.ports.llms, head.llm),
    knowledge: control.knowledge,
    head: text,
    ...(head.onlyOrigin !== null && { onlyOrigin: head.onlyOrigin }),
  };
  const place = control.places.hold();
  const giveBackSlot = control.slots.adopt(head.holder, sessionId);
  const left = (): void => {
    control.slots.leave(sessionId);
    place.giveBack();
  };
  try {
    const loggedLines = await control.sessions.resume({
      sessionId,
      organizationId: config.organizationId,
      engineId: control.settings.PARLEY_ENGINE_ID,
      region: control.settings.PARLEY_REGION,
      startedAt: head.startedAt,
      startedBy: head.startedBy,
      zeroDataRetention: config.zeroDataRetention,
      closed: (end) => {
        giveBackSlot();
        place.giveBack();
        if (end?.connected === false && head.shareLinkId !== null) void releaseLinkUse(control, head.shareLinkId);
      },
      left,
    });
    await control.engine.takeOver(past, resources, loggedLines);
    await place.startedAs(sessionId);
  } catch (error) {
    control.sessions.forget(sessionId);
    left();
    throw error;
  }
}
