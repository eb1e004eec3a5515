import type { SessionEnvironment } from '../kernel/environment.ts';
import type { SystemRequest } from '../tools/system-tools.ts';
import { NO_EFFECT, type CallEffect } from './tool-call.ts';

/** Executes a system tool. @returns what the reply still has to do. */
export function performSystemCall(env: SessionEnvironment, request: SystemRequest, callId: string): CallEffect {
  switch (request.action) {
    case 'change_language':
      env.memory.settings = { ...env.memory.settings, languageCode: request.language };
      env.perform({ type: 'audioIn.configure', language: request.language });
      return NO_EFFECT;
    case 'skip_turn':
      env.tell({ type: 'silence.skip', timeoutMs: request.seconds * 1_000 });
      return { kind: 'silent' };
    case 'pause_conversation':
      return { kind: 'pause', durationMs: request.seconds * 1_000, callId };
    case 'end_call':
      return request.confirmed ? { kind: 'end-call', callId } : NO_EFFECT;
    case 'interrupt':
      return { kind: 'stop-speaking' };
  }
}
