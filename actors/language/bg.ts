import { list, type Language } from './language.ts';

/** Bulgarian. */
export const bg = {
  backchannels: {
    hums: list('хм | леле'),
    assents: list(`
      мхм | аха | да | да да | добре | точно | разбира се | вярно | ясно | правилно | така | съгласен | съгласна
    `),
    reactions: list('разбирам | разбрах | наистина | супер | интересно | чудесно'),
  },
} as const satisfies Language;
