/** Some words of the conversation, as the data channel brings them to the client. */
export interface SpeechText {
  readonly role: string;
  readonly content: string;
  /** Whether the message of this role is complete with them. */
  readonly isLast: boolean;
}

/** @returns null for a message of another kind. */
export function readSpeechText(message: string): SpeechText | null {
  const { messageType, data } = JSON.parse(message) as {
    messageType: string;
    data: { role?: string; content?: string; end_of_speech?: boolean };
  };
  if (messageType !== 'speechText') return null;
  return { role: data.role ?? '', content: data.content ?? '', isLast: data.end_of_speech === true };
}
