/**
 * What the scripted users say. The sets share no sentence, so that rules tuned on one meet new words in the others.
 * "|" marks a pause for thought in mid-sentence.
 */
export interface Inventory {
  readonly turns: readonly string[];
  readonly pausedTurns: readonly string[];
  readonly interruptions: readonly string[];
  readonly backchannels: readonly string[];
  /** Words of a tic; an empty one is a cough or a throat being cleared. */
  readonly tics: readonly string[];
  readonly sideTalk: readonly string[];
}

export const TUNING: Inventory = {
  turns: [
    'what are your opening hours on saturday', 'can you tell me about the return policy', 'I need help with my last order', 'how much does the premium plan cost', 'do you ship to Canada', 'what is the weather like tomorrow', 'tell me something about your company', 'my package has not arrived yet', 'I forgot my password',
    'which phone would you recommend for my mother', 'is there a discount for students', 'how do I cancel my subscription', 'please explain the difference between the two models', 'what can you do for me', 'I would like to change my address',
  ],
  pausedTurns: [
    'I would like to | change my delivery address', 'can you tell me | when the store closes today', 'my order number is | four seven one two', 'I am looking for a | gift for my sister', 'so the problem is | that the app crashes when I open it', 'what I need is | a refund for the second item', 'well um | how long does the warranty last', 'I bought this on | monday or tuesday I think',
  ],
  interruptions: [
    'wait can you go back to the price', 'no that is not what I asked', 'stop', 'sorry I meant the other one', 'actually I changed my mind', 'hold on what does that cost', 'okay but what about the warranty', 'let me ask you something else', 'can you repeat that please', 'that is enough thank you', 'how long would that take', 'no wait', 'what about shipping to Germany',
    'I already tried that', 'excuse me I have a question', 'is there a cheaper option',
  ],
  backchannels: ['mm-hm', 'yeah', 'uh-huh', 'okay', 'right', 'I see', 'sure', 'yeah okay', 'got it', 'oh okay', 'mhm', 'right right', 'oh really'],
  tics: ['um', 'uh', 'hmm', '', '', '', 'er', ''],
  sideTalk: ['one second honey', 'can you close the door please', 'I am on a call', 'put it on the table', "I'll be right there", 'not now', 'mom I am busy', 'just a minute', 'give me a second', 'no the blue one'],
};

export const HELD_OUT: Inventory = {
  turns: [
    'could you book a table for two tonight', 'why was I charged twice this month', 'what is the fastest way to get to the airport', 'I want to speak about my insurance', 'how many people work at your company', 'does this laptop have enough memory for games', 'my screen stays black after the update', 'where can I download the invoice',
    'please remind me what we agreed on', 'are pets allowed in the hotel', 'I have a question about my bill', 'who founded the museum', 'how old do you have to be to rent a car', 'what happens if I miss my flight', 'give me an idea for dinner',
  ],
  pausedTurns: [
    'could you please | send the receipt to my other email', 'the thing is | I never got a confirmation', 'I was wondering if | you also have it in green', 'my name is | Katherine Miller', 'we are planning a trip to | the south of Spain', 'it started yesterday when | I installed the new version', 'how much would it cost to | upgrade both accounts', 'uh so | is breakfast included',
  ],
  interruptions: [
    'hang on I did not get that', 'can we talk about something different', 'never mind', 'wrong city I said Boston', 'pause for a moment', 'skip the details please', 'which of these is the best', 'I do not have an account', 'that does not work for me', 'could you speak more slowly', 'and what about children', 'hey listen', 'why is that',
    'please be quiet', 'tell me the price first', 'are you sure about that',
  ],
  backchannels: ['yep', 'mm', 'uh huh yeah', 'alright', 'of course', 'oh I see', 'that makes sense', 'yes', 'nice', 'okay okay', 'ah okay', 'exactly', 'good'],
  tics: ['uhm', 'ah', 'mm', '', '', '', 'oh', ''],
  sideTalk: ['dinner is in the oven', 'I am in a meeting right now', 'leave it on the chair', 'hello come in', 'where did you put the keys', 'turn that down please', 'sweetie go and play', 'yes I am nearly done', 'did you feed the cat', 'hey put the shoes on'],
};

/** Written before the rules for unfinished sentences were widened, and never looked at while they were. */
export const FRESH: Inventory = {
  turns: [
    'which train goes to the airport', 'I lost my keys this morning', 'is the museum open on mondays', 'how long does delivery take', 'can I pay by bank transfer', 'my heating makes a strange noise', 'what did the doctor say about it', 'tell me how that works', 'I think my card was stolen', 'who do I have to talk to',
    'we would like two rooms with a view', 'where do I sign up', 'please send me the contract again', 'do you know what time it starts', 'that sounds good to me',
  ],
  pausedTurns: [
    'I called last week | about a broken heater', 'is there any chance | you could deliver before noon', 'do you have | anything for sensitive skin', 'my flight leaves at | six forty from gate nine', 'the reason I ask is | my landlord needs a copy', 'I paid for it with | my old credit card', 'can I | pick it up myself', 'what happens when | the trial ends',
    'she told me that | I should talk to you', 'we just moved here so | we need a new contract', 'I have tried | three different browsers', 'let us see | I think it was in march', 'the address is | twenty two Park Lane', 'it is spelled | w e b b e r', 'I usually | take the early train', 'for the second guest | a vegetarian meal please',
  ],
  interruptions: [
    'one more thing', 'you already told me that', 'I meant the red one', 'how much is that in euros', 'forget it', 'let us start over', 'wait I found it', 'no no no', 'can I ask something', 'that was not my question', 'slow down please', 'what was the first option', 'stop right there', 'I need to go soon', 'could you spell that', 'but I paid already',
  ],
  backchannels: ['mhm', 'yeah right', 'okay sure', 'ah', 'I know', 'great', 'cool', 'right okay', 'aha', 'yes yes', 'hm okay', 'perfect', 'true'],
  tics: ['eh', 'uh', 'hm', '', '', '', 'umm', ''],
  sideTalk: ['can you turn off the stove', 'I am talking to the bank', 'wait for me outside', 'the dog wants to go out', 'no put that down', 'who is at the door', 'honey where is my bag', 'shh daddy is working', 'five more minutes', 'bring me a pen please'],
};

/** What the persona says: long enough to be talked over, without questions (an answer to one is no backchannel). */
export const ANSWERS: readonly string[] = [
  'Thank you for asking, that is something many people want to know. We begin early in the morning and stay for as long as there is work to do. On most days that means that you can reach somebody until late in the evening. On weekends the times are a little shorter, and on public holidays we take a rest. You can always leave a message, and somebody will call you back on the next day. If you prefer to write, the form on our page works at any time. I have also made a note of your wish, so that it is not lost. There is one more thing that may help you with this. The people in the shop know the details best, and they are happy to explain them.',
  'Let me go through this step by step, so that nothing is left out. The first thing that happens is a short check of your details. After that the request goes to the team that looks after such things. They usually need a day or two, and you get a message when they are done. In the meantime you do not have to do anything at all. Should there be a problem, they will tell you what is missing and how to send it. Most people are through with the whole thing within a week. I know that this is longer than one would like. It has become much quicker than it was a year ago.',
  'That depends on a few things, and I am happy to explain them. The price is made of a fixed part and a part for what you use. The fixed part is the same for everybody and covers the service itself. The other part grows with the number of people who take part. For a small group the difference is hardly worth mentioning. For a large one it makes sense to look at the yearly offer. It comes with a better rate and a person who knows your case. You can change between the two whenever a month is over. Nothing is lost when you do that, and the data stay where they are.',
];
