import type { SessionReportEntry, ToolCallRecord } from '../../../actors/report.ts';
import { redact, redactText } from '../../../actors/tools/redact.ts';

/**
 * Which part of a report entry may be stored. With zero data retention the content is dropped and the operational facts
 * stay: ids, times, counts and the end reason.
 * @returns null when nothing of it may be kept.
 */
export function keptEntry(entry: SessionReportEntry, zeroDataRetention: boolean): SessionReportEntry | null {
  if (entry.kind === 'message') return zeroDataRetention ? null : entry;
  if (entry.kind === 'turn' && zeroDataRetention)
    return { kind: 'turn', turn: { ...entry.turn, userText: null, personaText: null } };
  if (entry.kind === 'toolCall') {
    const { call } = entry;
    if (zeroDataRetention) return { kind: 'toolCall', call: withoutContent(call) };
    return {
      kind: 'toolCall',
      call: { ...call, arguments: redact(call.arguments) as typeof call.arguments, result: redactText(call.result) },
    };
  }
  return entry;
}

/** The facts of a call, without what was asked and answered. Messages of errors quote answers. */
export function withoutContent(call: ToolCallRecord): ToolCallRecord {
  return {
    ...call,
    arguments: null,
    result: null,
    documentsAccessed: null,
    errorMessage: call.errorMessage === null ? null : 'The tool failed',
  };
}
