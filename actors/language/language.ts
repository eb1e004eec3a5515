/**
 * What one language has of its own in a conversation: a file for each language. Everything is optional: a language of
 * which nothing is known is spoken all the same.
 *
 * Lists are compared with words in lower case. Those of `openEndings` and `frequentWords` keep their accents ("si" is if,
 * "sí" is yes); `backchannels` are compared without them, and `spokenDigits` and all from `commands` on are written
 * without them.
 */
export interface Language {
  /** What the service itself says, or asks the LLM to say. */
  readonly sentences?: StandardSentences;
  /** After which words the user goes on. */
  readonly openEndings?: OpenEndings;
  /** What a sentence about somebody's doing begins with, behind any of `leads`: a short one may be half of it. */
  readonly sentenceOpenings?: { readonly leads: readonly string[]; readonly words: readonly string[] };
  /** The same as `openEndings` in scripts without spaces between words, and in agglutinated ones: compared with the end of the text. */
  readonly openSuffixes?: readonly string[];
  /** Whole words that accidentally end like one of `openSuffixes`. */
  readonly closedWords?: readonly string[];
  /** Articles, pronouns, conjunctions and greetings that tell the language of a text, besides those of `openEndings`. */
  readonly frequentWords?: readonly string[];
  readonly backchannels?: BackchannelWords;
  /** For telephone numbers and codes. */
  readonly spokenDigits?: readonly string[];
  readonly abbreviations?: Abbreviations;
  /** One of these alone interrupts, however short: nobody says them to be polite. */
  readonly commands?: readonly string[];
  /** With other words they interrupt: "yeah but". Alone they are not: "uh-huh" is heard as "but". */
  readonly objections?: readonly string[];
  /** Too short to be trusted alone: recognizers hear them in coughs and breath. */
  readonly weakWords?: readonly string[];
  /** Requests to wait. "One minute" is not among them: it is also how long something takes. */
  readonly waitRequests?: readonly string[];
  /** May stand before, between and behind requests to wait, and say nothing alone. */
  readonly politeWords?: readonly string[];
  /** Whom one speaks to in the room. */
  readonly vocatives?: readonly string[];
  /** Why somebody has to wait: said to the persona or to somebody in the room, and neither wants an answer. */
  readonly busyPhrases?: readonly string[];
  /** In sentences said to somebody else in the room, besides `busyPhrases`. */
  readonly sideTalk?: readonly string[];
}

/** What the service itself says or asks the LLM to say. */
export interface StandardSentences {
  /** Spoken when `end_call` ends the conversation. */
  readonly goodbye: string;
  /** Spoken when no model answers. */
  readonly apology: string;
  /** To the LLM, when the session begins without a fixed greeting. Hidden from the user. */
  readonly greetInstruction: string;
  /** To the LLM, when the user has been silent. Hidden from the user. */
  readonly promptInstruction: string;
}

/**
 * Words after which a sentence continues: articles, conjunctions, fillers. Words that may also close a sentence ("on" in
 * "turn it on") are left out: a wrong "continues" costs the user time.
 */
export interface OpenEndings {
  /** Single words. */
  readonly words: readonly string[];
  /** Groups of words. */
  readonly phrases?: readonly string[];
  /** Open at the beginning of a sentence; after one they only soften it ("it is good, I think"). */
  readonly opinions?: readonly string[];
}

/**
 * What listeners say to show that they listen. What is a hum in one language is the ordinary yes of another (うん, 嗯, 어,
 * haan, อืม, ага): there it is an assent. Phrases may follow each other: "yeah, right, okay".
 */
export interface BackchannelWords {
  /** They contain no answer. */
  readonly hums: readonly string[];
  /** They answer a yes-or-no question if there is one; otherwise they only mean "continue". */
  readonly assents: readonly string[];
  /** They comment. */
  readonly reactions: readonly string[];
  /** Words of the language that look like a hum: Portuguese "um" (one), German "er" (he). They can be an answer. */
  readonly lookalikes?: readonly string[];
}

/** Words that end in a point without ending the sentence; written without it. */
export interface Abbreviations {
  /** A name or number follows: never the end of a sentence. */
  readonly beforeName?: readonly string[];
  /** These may also end a sentence: they do if a capital follows. */
  readonly anywhere?: readonly string[];
}

/** @param text words or groups of words with "|" between. */
export function list(text: string): readonly string[] {
  return text.split('|').map((item) => item.trim());
}
