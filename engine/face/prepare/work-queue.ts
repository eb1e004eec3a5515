import { setImmediate as nextTurn } from 'node:timers/promises';

/** Work that is done in short steps. */
export interface Task {
  /** Asked before each step. The task with the lowest number is next; of equal tasks, the one that was added first. */
  urgency(): number;
  /** Each `next` is a step. `return` is called when the task is withdrawn. */
  readonly steps: AsyncGenerator<void, void>;
  /** A step has thrown: the task is over, all others continue. */
  failed(error: unknown): void;
}

export interface WorkQueue {
  /** Whether there is nothing to do. */
  readonly idle: boolean;
  add(task: Task): void;
  /** Withdraws the task. A step in progress is its last one. */
  takeBack(task: Task): void;
  /** Withdraws all tasks, and accepts no more. */
  close(): void;
}

/**
 * Does one step after another, always of the most urgent task. In between, the thread can read its messages.
 * @param stepped called after each step.
 */
export function createWorkQueue(stepped: () => void = () => {}): WorkQueue {
  /** In order of arrival. */
  const tasks = new Set<Task>();
  let working = false;
  let closed = false;

  function mostUrgent(): Task | null {
    let first: Task | null = null;
    let least = Infinity;
    for (const task of tasks) {
      const urgency = task.urgency();
      if (urgency >= least) continue;
      least = urgency;
      first = task;
    }
    return first;
  }

  async function work(): Promise<void> {
    for (let task = mostUrgent(); task !== null; task = mostUrgent()) {
      try {
        const { done } = await task.steps.next();
        if (done === true) tasks.delete(task);
      } catch (error) {
        if (tasks.delete(task)) task.failed(error);
      }
      stepped();
      await nextTurn();
    }
    working = false;
  }

  function takeBack(task: Task): void {
    if (!tasks.delete(task)) return;
    // Releases what the task holds. If that fails, nothing more can be done.
    task.steps.return().catch(() => {});
  }

  return {
    get idle() {
      return tasks.size === 0;
    },
    takeBack,
    add(task) {
      if (closed) return;
      tasks.add(task);
      if (working) return;
      working = true;
      void work();
    },
    close() {
      closed = true;
      for (const task of tasks) takeBack(task);
    },
  };
}
