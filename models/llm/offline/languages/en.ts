import type { Language } from './language.ts';

export const en: Language = {
  marks: 'the and you is are what how do can i my to of it that this have please would could with for'.split(' '),
  hears: {
    hello: /^(hello|hi|hey|good (morning|afternoon|evening|day)|greetings)( there| again| everyone)?( \w+)?$/,
    howAreYou: /\b(how are you|how do you do|how is it going|how's it going|how are things|what's up)\b/,
    thanks: /\b(thank you|thanks|thank)\b/,
    goodbye:
      /\b(goodbye|good bye|bye|bye bye|see you( later| soon)?|end the (call|conversation)|hang up|have a (good|nice) (day|one|evening))\b/,
    pause:
      /\b(give me (a|one|\w+) ?(\w+ )?(minutes?|moments?|seconds?|secs?)|(wait|hold on|hang on)( a| for a| one)?( minute| moment| second)?$|one moment|just a (minute|moment|second)|let me think|be right back|pause( the conversation)?$|i need (a|\w+) (minutes?|moments?|seconds?|break))\b/,
    whoAreYou:
      /\b(who are you|what are you|what is your name|what's your name|your name|introduce yourself|tell me about yourself|who am i talking to|who am i speaking (to|with))\b/,
    whatCanYouDo:
      /\b(what can you do|what do you do|how can you help|help me|what can i (ask|say|do)|what are you able)\b/,
    myNameIs: /\b(?:my name is|my name's|call me|i am called)\s+([\p{L}'-]+)/u,
    whatIsMyName: /\b(what is my name|what's my name|(do you )?(remember|know) my name|who am i$)/,
    yes: /^(yes|yeah|yep|sure|of course|ok|okay|please do|go ahead|right|correct|exactly|absolutely)( please| sure)?$/,
    no: /^(no|nope|not really|no thanks|no thank you|never mind|nah)$/,
  },
  says: {
    greeting: [
      "Hello{name}! I'm glad you're here. What would you like to talk about?",
      'Hi{name}, nice to see you! What can I do for you?',
      'Hello{name}! How can I help you today?',
    ],
    hello: ['Hello{name}! What is on your mind?', 'Hi{name}! Good to hear you. What shall we talk about?'],
    fine: ["I'm doing well, thank you. How about you?", 'Very well, thanks for asking! And how is your day?'],
    welcome: ["You're welcome! Is there anything else?", 'My pleasure. What else can I do for you?'],
    goodbye: ['Goodbye{name}! It was nice talking with you.'],
    pause: ["Of course, take your time. I'll be here.", "Sure. Just speak when you're ready."],
    stillThere: [
      'Are you still there{name}?',
      "I'm here whenever you want to go on.",
      'Take your time. Is there anything I can help you with?',
    ],
    iAm: ["I'm {topic}.", 'My name is {topic}.'],
    offlineLlm: [
      "To be honest, I'm Parley's offline stand-in for a language model: a small set of rules, no large language model. I can chat a little, answer from attached documents and use tools.",
    ],
    niceToMeet: [
      'Nice to meet you{name}! What brings you here?',
      "It's a pleasure{name}. What would you like to talk about?",
    ],
    yourNameIs: ['You told me that your name is {topic}.', 'Your name is {topic}, of course.'],
    nameUnknown: ["You haven't told me your name yet. What is it?"],
    languageChanged: ['Of course, let us speak English. What would you like to talk about?'],
    nothingFound: [
      "I couldn't find anything about that in my documents. Could you ask it in other words?",
      "My documents don't say anything about that. Is there something else I can look up?",
    ],
    done: ["That's done.", 'Done! Anything else?'],
    failed: [
      "I'm sorry, that didn't work. Shall we try something else?",
      'That failed, I am afraid. We can try again in a moment.',
    ],
    running: ["I've started that; it is still running."],
    endCall: ['Would you like to end our conversation?'],
    whichValue: ['What should I use as the {topic}?'],
    dontKnow: [
      "I don't know that, I'm afraid. My offline rules only know what they are told.",
      'That is beyond my simple rules. Tell me what you know about it?',
      "I can't answer that one. What makes you ask?",
    ],
    encouragement: ['I see. Tell me more.', 'Interesting. Please go on.', 'And how do you feel about that?'],
    tellMeMore: [
      'You mentioned {topic}. What matters most to you about it?',
      'Tell me more about {topic}.',
      'What comes to your mind first about {topic}?',
    ],
    allRight: ['All right. What would you like to do next?', 'Good. Where shall we go from here?'],
  },
};
