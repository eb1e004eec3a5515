/** Names that participants of a meeting give themselves. They come from strangers, and the LLM reads them. */

/** Nobody's name is longer. It bounds what a name can tell the LLM. */
const MAX_NAME_LENGTH = 100;
/** Line ends, control characters, letters of no width, marks that turn the direction of text. */
const UNSEEN = /[\p{C}\p{Z}\s]+/gu;
/** These would end the quotation marks, or the name before what is said ("Alice: …"). */
const MARKS = /["“”„«»<>{}[\]\\`:：]+/gu;

/** @returns one line of at most 100 characters that can be quoted; empty where nothing of the name is left. */
export function participantName(name: string): string {
  const line = name.replaceAll(MARKS, ' ').replaceAll(UNSEEN, ' ').trim();
  return [...line].slice(0, MAX_NAME_LENGTH).join('').trimEnd();
}
