import { list, type Language } from './language.ts';

/** Chinese. */
export const zh = {
  sentences: {
    goodbye: '谢谢你和我聊天，再见！',
    apology: '抱歉，我现在暂时无法回答，请稍后再试。',
    greetInstruction: '对话开始了。请用中文说一句简短、友好、符合你角色的话来问候用户。',
    promptInstruction:
      '用户已经沉默了一会儿。请用中文说一句简短、友好的话，询问对方是否还在，或你能帮什么忙。不要逐字重复之前的问题。',
  },
  openSuffixes: list(`
    和 | 跟 | 或者 | 但是 | 可是 | 不过 | 因为 | 因為 | 所以 | 如果 | 虽然 | 而且 | 然后 | 然後 | 还有 | 比如 | 比如说 | 我想 | 我觉得 | 的话 | 关于 | 把 | 被 |
    从 | 对于 | 呃 | 想要 | 能不能 | 我叫
  `),
  backchannels: {
    hums: list('哦 | 噢 | 喔 | 啊 | 呃 | 哇 | 唉 | 呵呵 | 哈哈 | 哎'),
    assents: list(`
      嗯嗯 | 嗯 | 对 | 對 | 是 | 是的 | 好 | 好的 | 好吧 | 没错 | 沒錯 | 当然 | 當然 | 可以 | 行 | 是啊 | 对啊 | 對啊 | 嗯对 | 确实 | 確實 | 没问题
    `),
    reactions: list(`
      明白 | 明白了 | 我明白 | 知道了 | 了解 | 真的 | 真的吗 | 真的嗎 | 原来如此 | 原來如此 | 这样啊 | 這樣啊 | 有意思 | 不错 | 太好了 | 懂了 | 是吗 | 是嗎 | 厉害
    `),
  },
} as const satisfies Language;
