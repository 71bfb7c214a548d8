import type { Result } from '../result.ts';

/** `given(events).when(command)` is the decider's answer on that history. */
export function decider<State, Event, Command, Rejection>(concern: {
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  readonly decide: (command: Command, state: State) => Result<readonly Event[], Rejection>;
}) {
  return {
    given: (...history: readonly Event[]) => ({
      when: (command: Command) => concern.decide(command, history.reduce(concern.evolve, concern.initial)),
    }),
  };
}
