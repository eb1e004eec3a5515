import { list, type Language } from './language.ts';

/** English. */
export const en = {
  sentences: {
    goodbye: 'Thank you for talking with me. Goodbye!',
    apology: "I'm sorry, I'm having trouble answering right now. Please try again in a moment.",
    greetInstruction:
      'The conversation begins. Greet the user in English in one short, friendly sentence that fits your role.',
    promptInstruction:
      'The user has been silent for a while. Ask in English, in one short, friendly sentence, whether they are still there or how you can help. Do not repeat an earlier question word for word.',
  },
  openEndings: {
    words: list(`
      a | an | the | and | or | but | because | cause | if | unless | until | although | whereas | while | whether |
      than | as | that's | it's | i'm | you're | we're | they're | there's | he's | she's | i'll | i'd | we'll |
      you'll | they'll | who's | what's | where's | how's | let's | my | your | our | their | whose | every | um |
      uh | er | erm | hmm | hm | uhm | very | quite | rather | pretty | extremely | versus | per | via | into | onto |
      upon | between | among | towards | during | including | regarding | concerning | mr | mrs | dr
    `),
    phrases: list(`
      i would like | i want | i need | i was wondering | can you | could you | would you | do you | did you |
      have you | let me | tell me | do you know | to know | want to | need to | have to | going to | gonna | wanna |
      would like to | like to | able to | used to | supposed to | trying to | try to | due to | such as |
      for example | for instance | kind of | sort of | a lot of | lots of | one of | some of | all of | most of |
      because of | instead of | as well as | in order to | how about | and then | and also | and so | so that |
      even if | only if | as if | in case | the thing is | the problem is | my name is | my number is | my email is |
      the question is | of the | in the | on the | at the | to the | for the | with the | from the | and i | but i |
      so i | when i | if i | that i
    `),
    opinions: list('i think | i mean | i guess | you know | i suppose | i believe'),
  },
  sentenceOpenings: {
    leads: list('and | but | so | because | well | um | uh'),
    words: list(`
      i | you | he | she | it | we | they | there | this | that | these | those | my | your | his | her | our | their |
      the | who | what | where | when | why | how | if | to
    `),
  },
  frequentWords: list(`
    i | he | she | we | they | is | are | was | so | what | it | you | me | do | does | did | not | that | this | to |
    of | in | on | for | with | have | how | go | all | no | yes | up | out | about | at | will | can | would | been |
    has | had | from | there | here | just | like | good | please | thank | thanks
  `),
  backchannels: {
    hums: list('huh | gosh | whoa | oh my | oh my god | my goodness | oh dear'),
    assents: list(`
      yeah | yep | yup | yes | ya | yeah yeah | right | sure | alright | all right | of course | exactly |
      absolutely | definitely | totally | indeed | true | correct | agreed | fair enough | that's right |
      that's true | for sure | good | fine | sounds good | i know | i agree | no problem
    `),
    reactions: list(`
      i see | got it | gotcha | makes sense | that makes sense | really | great | nice | cool | perfect | awesome |
      amazing | wonderful | excellent | interesting | that's interesting | that's great | that's nice | oh really |
      oh wow | no way | oh no | understood | i understand | go on | very good | good point | oh i see | ah i see |
      oh okay | very nice | thats right | thats true | thats great | thats interesting | thats nice | wow really |
      is that so | i hear you | you bet
    `),
  },
  spokenDigits: list('zero | oh | one | two | three | four | five | six | seven | eight | nine | double'),
  abbreviations: {
    beforeName: list(`
      mr | mrs | ms | dr | prof | st | rev | hon | gen | col | capt | lt | sgt | gov | sen | rep | pres | messrs |
      mt | ft | no | nos | fig | vol | vs | ch | pp | cf | approx | ca | ext | rs | eq | p | e.g | i.e | viz
    `),
    anywhere: list(`
      etc | inc | ltd | co | corp | jr | bros | dept | est | min | max | sec | hrs | a.m | p.m | am | pm | u.s | u.k |
      e.u | ph.d | b.a | m.a | b.c | a.d | jan | feb | mar | apr | jun | jul | aug | sep | sept | oct | nov | dec |
      mon | tue | wed | thu | fri | sat | sun | vs
    `),
  },
  commands: list(`
    stop | wait | no | nope | nah | quiet | enough | cancel | hold | pause | hey | excuse | sorry | question
  `),
  objections: list('but | actually'),
  weakWords: list(`
    a | an | the | of | to | and | or | in | it | is | i | he | we | her | him | who | oh | ah | uh | um | huh | ha |
    heh | hm | hmm | er | eh
  `),
  waitRequests: list(`
    just a minute | just a second | just a moment | just a sec | just one minute | just one second | just one moment |
    just one sec | one moment | one second | one sec | a moment please | one minute please | hold on |
    hold on a second | hold on a minute | hang on | hang on a second | hang on a minute | give me a second |
    give me a sec | give me a minute | give me a moment | give me just a second | give me just a minute |
    give me one second | give me one minute | wait a second | wait a minute | wait a moment
  `),
  politeWords: list(`
    right now | at the moment | please | sorry | hey | oh | okay | ok | yes | yeah | um | uh | wait
  `),
  vocatives: list(`
    mom | mum | mommy | mummy | dad | daddy | honey | sweetie | sweetheart | darling | babe | kids | guys | mama |
    papa
  `),
  busyPhrases: list(`
    i'm on a call | i'm on the phone | i'm in a meeting | be right there | i'll be right there |
    be there in a minute | be there in a second | i'll be there in a minute | i'll be there in a second | not you
  `),
  sideTalk: list(`
    i'm talking to | be there in a | in a minute | close the door | shut the door | come in | dinner is |
    leave it on the | put it on the | put it over there | thanks just put
  `),
} as const satisfies Language;
