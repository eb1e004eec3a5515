import type { SessionResources } from '../../../actors/session-config.ts';
import { headOf, type SessionPast } from '../../../engine/index.ts';
import type { Control } from '../../app/control.ts';
import { giveBackLinkUse } from './link-uses.ts';
import { modelOf, readHead } from './session-head.ts';

/**
 * Goes on here with a session of another process. Its organization and its visitor have their slots already, so no limit
 * is asked. Resolves when it is live.
 * @throws SessionPastError, CapacityError, or an error of the store; nothing of it is live then.
 */
export async function takeOverSession(control: Control, past: SessionPast): Promise<void> {
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
        if (end?.connected === false && head.shareLinkId !== null) void giveBackLinkUse(control, head.shareLinkId);
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
