package io.strowger.conformance.faults;

/** Who else can be asked. */
enum Company {
  NOBODY,
  /** Another upstream, maybe of another dialect, that answers. */
  HEALTHY,
  /** Another that is just as useless. */
  BROKEN
}
