import fc from 'fast-check';

/** A mutant must not be killed in one run and survive in the next. */
fc.configureGlobal({ seed: 1 });
