package io.strowger.core.wire;

import io.strowger.core.account.Access;

/** What a method on a path does, and for whom. */
enum Operation {
  HEALTH(Access.ANY),
  CHAT(Access.INFERENCE),
  /** Known, not built yet, for keys that ask models. */
  LATER_INFERENCE(Access.INFERENCE),
  /** Known, not built yet, for keys that act on the account. */
  LATER_MANAGEMENT(Access.MANAGEMENT),
  /** Known, not built yet, for every key. */
  LATER_ANY(Access.ANY),
  /** The path exists, the method does not. */
  OTHER_METHOD(Access.ANY),
  /** There is no such path. */
  NOWHERE(Access.ANY);

  private final Access access;

  Operation(Access access) {
    this.access = access;
  }

  Access access() {
    return access;
  }
}
