/** Timers that all end together. */
export interface Waits {
  after(milliseconds: number, work: () => void): void;
  /** Forgets all that was still to be done, and whatever is asked for later. */
  end(): void;
}

export function createWaits(): Waits {
  const timers = new Set<NodeJS.Timeout>();
  let hasEnded = false;
  return {
    after(milliseconds, work) {
      if (hasEnded) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, milliseconds);
      timers.add(timer);
    },
    end() {
      hasEnded = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
