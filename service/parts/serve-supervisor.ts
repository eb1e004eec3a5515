import type { FastifyInstance } from 'fastify';
import {
  videoFunctions,
  type Cluster,
  type EngineFunctions,
  type AvatarPrerendering,
  type Supervisor,
} from '../../control/index.ts';
import type { RunningEngine, RestorableSession } from '../../engine/index.ts';

/** How often an engine process tells its state, ms. Places are told at once, by its lease. */
const TELL_EVERY_MS = 500;

/** Does what the supervisor asks of this engine process, and tells it how this one is. @returns ends the telling. */
export function serveSupervisor(
  supervisor: Supervisor,
  parts: {
    readonly engine: RunningEngine;
    readonly cluster: Cluster | null;
    readonly faces: AvatarPrerendering;
    readonly app: FastifyInstance;
    readonly meetingsUnavailable: string | null;
    /** Takes over a session of another process. */
    readonly takeOver: (past: RestorableSession) => Promise<void>;
  },
): () => void {
  const { engine, cluster, faces, app, meetingsUnavailable } = parts;
  const functions: EngineFunctions = {
    takeOver: parts.takeOver,
    sessionTakenOver: async (sessionId) => engine.sessionTakenOver(sessionId),
    async drain() {
      engine.drain();
      await cluster?.drain();
    },
    metrics: async () => (await app.inject('/metrics')).body,
    ...videoFunctions((request) => engine.renderAvatarVideo(request)),
  };
  supervisor.serve(functions);
  const tell = (): void =>
    supervisor.tellState({ status: engine.status(), faces: faces.status(), meetingsUnavailable });
  tell();
  const timer = setInterval(tell, TELL_EVERY_MS);
  return () => clearInterval(timer);
}
