package io.strowger.core.decisionlog;

import org.jspecify.annotations.Nullable;

/** A difference or damage that a replay found at one place in a log. */
public sealed interface ReplayFinding {
  /** Returns where the record begins, in bytes from the beginning of the log. */
  long offset();

  /**
   * A decision came out differently.
   *
   * @param id generation id of the call
   * @param expected the plan in the log
   * @param actual the plan that the replay made
   */
  record Difference(long offset, String id, LoggedPlan expected, LoggedPlan actual)
      implements ReplayFinding {}

  /**
   * A decision cannot be compared, because a router took part that is missing now, or that has
   * another version and decides differently.
   *
   * @param id generation id of the call
   * @param plugin id of the router
   * @param recordedVersion its version in the log
   * @param presentVersion its version now; null when it is missing
   */
  record Incomparable(
      long offset,
      String id,
      String plugin,
      String recordedVersion,
      @Nullable String presentVersion)
      implements ReplayFinding {}

  /**
   * A part of the log cannot be read; the replay continues after it.
   *
   * @param description a description of the damage, for people
   */
  record Damage(long offset, String description) implements ReplayFinding {}
}
