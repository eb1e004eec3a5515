/** What the offline LLM can understand and say in one language. Each list has variants of one sentence. */
export interface Language {
  /** Words that are frequent in this language and rare in the others here: they show which one is spoken. */
  readonly marks: readonly string[];
  /** What people say, matched against lower-case words joined by blanks. */
  readonly hears: {
    readonly hello: RegExp;
    readonly howAreYou: RegExp;
    readonly thanks: RegExp;
    readonly goodbye: RegExp;
    readonly pause: RegExp;
    readonly whoAreYou: RegExp;
    readonly whatCanYouDo: RegExp;
    /** Group 1 is the name. */
    readonly myNameIs: RegExp;
    readonly whatIsMyName: RegExp;
    readonly yes: RegExp;
    readonly no: RegExp;
  };
  /** `{name}` and `{topic}` are filled in. */
  readonly says: {
    readonly greeting: readonly string[];
    readonly hello: readonly string[];
    readonly fine: readonly string[];
    readonly welcome: readonly string[];
    readonly goodbye: readonly string[];
    readonly pause: readonly string[];
    readonly stillThere: readonly string[];
    readonly iAm: readonly string[];
    readonly offlineLlm: readonly string[];
    readonly niceToMeet: readonly string[];
    readonly yourNameIs: readonly string[];
    readonly nameUnknown: readonly string[];
    readonly languageChanged: readonly string[];
    readonly nothingFound: readonly string[];
    readonly done: readonly string[];
    readonly failed: readonly string[];
    readonly running: readonly string[];
    readonly endCall: readonly string[];
    readonly whichValue: readonly string[];
    readonly dontKnow: readonly string[];
    readonly encouragement: readonly string[];
    readonly tellMeMore: readonly string[];
    readonly allRight: readonly string[];
  };
}
